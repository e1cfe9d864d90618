//! Likeness of two markets, over flat columns of embeddings.

/// Lanes summed side by side. Part of the result's bits: with another number the sums would round differently.
const LANES: usize = 8;

/// Sums of x·y and y·y, lane by lane and then pairwise, in single precision. The order of additions is fixed, so the
/// result has the same bits on every machine and vector width.
#[inline(always)]
fn dot_and_square(x: &[f32], y: &[f32]) -> (f32, f32) {
    let (mut dot, mut square) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (y_blocks, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        for lane in 0..LANES {
            dot[lane] += x[lane] * y[lane];
            square[lane] += y[lane] * y[lane];
        }
    }
    for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        dot[lane] += x * y;
        square[lane] += y * y;
    }
    (sum(dot), sum(square))
}

#[inline(always)]
fn sum(l: [f32; LANES]) -> f32 {
    ((l[0] + l[4]) + (l[1] + l[5])) + ((l[2] + l[6]) + (l[3] + l[7]))
}

/// Likeness of many embeddings to one.
#[derive(Clone, Debug)]
pub(crate) struct Probe<'a> {
    embedding: &'a [f32],
    square: f32,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(embedding: &'a [f32]) -> Self {
        Self { embedding, square: dot_and_square(embedding, embedding).1 }
    }

    /// The cosine of the angle, clamped to [0, 1]: a market at a right angle or opposite is not alike at all. 0 when
    /// either embedding is all zeros.
    #[inline(always)]
    pub(crate) fn likeness(&self, other: &[f32]) -> f64 {
        let (dot, square) = dot_and_square(self.embedding, other);
        let norms = self.square * square;
        if norms > 0.0 && dot > 0.0 { f64::from((dot / norms.sqrt()).min(1.0)) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::math;
    use proptest::prelude::*;

    #[test]
    fn known_angles() {
        let check = |a: &[f32], b: &[f32], expected: f64| {
            assert!((Probe::new(a).likeness(b) - expected).abs() < 1e-7, "{a:?} {b:?}");
        };
        check(&[1.0, 0.0], &[0.0, 2.0], 0.0);
        check(&[1.0, 1.0], &[2.0, 2.0], 1.0);
        check(&[3.0, 4.0], &[4.0, 3.0], 0.96);
        check(&[1.0, 0.0], &[-3.0, 0.0], 0.0);
        check(&[0.0, 0.0], &[1.0, 0.0], 0.0);
    }

    proptest! {
        #[test]
        fn agrees_with_the_double_precision_cosine(
            pairs in prop::collection::vec((-4.0_f32..4.0, -4.0_f32..4.0), 1..70),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let expected = math::cosine_similarity(&a, &b).max(0.0);
            prop_assert!((Probe::new(&a).likeness(&b) - expected).abs() < 1e-5);
        }
    }
}
