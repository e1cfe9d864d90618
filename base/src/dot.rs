//! Sums of products, and what is made of them.
//!
//! Floating-point addition isn't associative, so the order in which products are added is part of a result's bits, and of the
//! digest of a run in which it decides anything. There are three orders, each for a reason, and none can stand in for another:
//!
//! | function | order | for |
//! |---|---|---|
//! | [`dot`], [`cosine_similarity`] | first to last, double precision | statistics, likenesses; recall of `rag`, `generative-agents` |
//! | [`dot_by_lanes`] | eight sums side by side, then one after another | recall of `bardo` at each decision, lengths of embeddings |
//! | [`dot_by_halves`] | eight sums side by side, then in halves | the replay utility: what vector units do to the last bit |
//!
//! A fourth, `base::wide::dot`, depends on the width of the machine's vectors; it may screen, and never decides.
//!
//! They are dot product, cosine similarity and squared norm with a fixed summation order (determinism). One order for all would be too
//! slow in the loops, or would change recorded runs elsewhere.

/// Sums side by side in single precision. Part of the bits: with another number the sums would round differently.
const LANES: usize = 8;

/// Dot product, Σ a·b from the first to the last; what one of them has beyond the other is left out.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Cosine similarity, the cosine of the angle between two vectors of equal length, in [−1, 1]; 0 when either is all zeros.
///
/// # Panics
/// When the lengths differ.
#[inline]
pub fn cosine_similarity(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len(), "embeddings of one world have one dimension");
    let (mut dot, mut aa, mut bb) = (0.0_f64, 0.0_f64, 0.0_f64);
    for (&x, &y) in a.iter().zip(b) {
        let (x, y) = (f64::from(x), f64::from(y));
        dot += x * y;
        aa += x * x;
        bb += y * y;
    }
    if aa == 0.0 || bb == 0.0 { 0.0 } else { (dot / (aa * bb).sqrt()).clamp(-1.0, 1.0) }
}

/// Squared norm, the sum of squares Σ x² in single precision, from the first to the last.
#[inline]
pub fn square(x: &[f32]) -> f32 {
    x.iter().map(|x| x * x).sum()
}

/// Dot product, Σ x·y in single precision: eight sums, added one after another, and then what doesn't fill eight lanes. Tests live with an
/// engine that is hardly optimised, and would spend a tenth of their time here: there it stays in this crate, which is.
#[cfg_attr(not(debug_assertions), inline)]
pub fn dot_by_lanes(x: &[f32], y: &[f32]) -> f32 {
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (y_blocks, y_rest) = y.as_chunks::<LANES>();
    let rest: f32 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    lanes(x_blocks, y_blocks).iter().sum::<f32>() + rest
}

/// Dot product, Σ x·y in single precision: eight sums, the rest in the first of them, added in halves (pairwise summation). This is the
/// order in which a vector of eight is summed across, so it has the same bits on every machine and at every vector width.
#[inline(always)]
pub fn dot_by_halves(x: &[f32], y: &[f32]) -> f32 {
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (y_blocks, y_rest) = y.as_chunks::<LANES>();
    let mut sums = lanes(x_blocks, y_blocks);
    for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        sums[lane] += x * y;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[inline(always)]
fn lanes(x: &[[f32; LANES]], y: &[[f32; LANES]]) -> [f32; LANES] {
    let mut sums = [0.0_f32; LANES];
    for (x, y) in x.iter().zip(y) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cosine_of_known_vectors() {
        assert_eq!(cosine_similarity(&[1.0, 0.0], &[0.0, 2.0]), 0.0);
        assert_eq!(cosine_similarity(&[1.0, 1.0], &[2.0, 2.0]), 1.0);
        assert_eq!(cosine_similarity(&[1.0, 0.0], &[-3.0, 0.0]), -1.0);
        assert_eq!(cosine_similarity(&[0.0, 0.0], &[1.0, 0.0]), 0.0);
    }

    /// Why there are three: for these numbers no two orders agree to the last bit.
    #[test]
    fn orders_differ_in_the_last_bits() {
        let x: Vec<f32> = (0..19).map(|nth| 1.0 / (1.0 + nth as f32)).collect();
        let y: Vec<f32> = (0..19).map(|nth| 1.0 / (3.0 + nth as f32)).collect();
        let in_order: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        let (by_lanes, by_halves) = (dot_by_lanes(&x, &y), dot_by_halves(&x, &y));
        assert!(in_order != by_lanes && by_lanes != by_halves && in_order != by_halves);
    }

    proptest! {
        #[test]
        fn orders_agree_up_to_rounding(pairs in prop::collection::vec((-4.0_f32..4.0, -4.0_f32..4.0), 0..70)) {
            let (x, y): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let double = |v: &[f32]| v.iter().copied().map(f64::from).collect::<Vec<f64>>();
            let exact = dot(&double(&x), &double(&y));
            for found in [dot_by_lanes(&x, &y), dot_by_halves(&x, &y)] {
                prop_assert!((f64::from(found) - exact).abs() < 1e-3, "{found} {exact}");
            }
            prop_assert!((f64::from(square(&x)) - dot(&double(&x), &double(&x))).abs() < 1e-3);
        }
    }
}
