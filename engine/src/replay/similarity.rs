//! Likeness of two markets, over flat columns of embeddings: cosine similarity, clamped to 0 to 1. The sums have a fixed order of lanes,
//! so that the bits are the same on every machine. The scorer compares the present market with that of each episode; the result is the
//! similarity term of need.

use morta_base::dot::dot_by_halves;

/// One embedding, to which many are compared: the query, with its norm.
#[derive(Clone, Debug)]
pub(crate) struct Probe<'a> {
    /// The query, the market now.
    embedding: &'a [f32],
    /// The square of its length.
    square: f32,
}

impl<'a> Probe<'a> {
    /// Prepares a query embedding, with its squared norm.
    pub(crate) fn new(embedding: &'a [f32]) -> Self {
        Self { embedding, square: dot_by_halves(embedding, embedding) }
    }

    /// The square of the embedding's length, its squared Euclidean norm.
    pub(crate) const fn square(&self) -> f32 {
        self.square
    }

    /// The cosine of the angle, clamped to [0, 1]; 0 when either embedding is all zeros. A market at a right angle and one
    /// that is opposite count alike as not similar: a negative need would turn the utility's sign.
    #[inline(always)]
    pub(crate) fn likeness(&self, other: &[f32]) -> f64 {
        let norms = self.square * dot_by_halves(other, other);
        let cosine = dot_by_halves(self.embedding, other) / norms.sqrt();
        // Not a number when a norm is 0: then the first comparison fails.
        let positive = if cosine > 0.0 { cosine } else { 0.0 };
        f64::from(if positive < 1.0 { positive } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::dot::cosine_similarity;
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
            let expected = cosine_similarity(&a, &b).max(0.0);
            prop_assert!((Probe::new(&a).likeness(&b) - expected).abs() < 1e-5);
        }
    }
}
