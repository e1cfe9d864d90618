//! SIMD passes over columns with runtime CPU feature detection (AVX2, AVX-512). Everything here is in single precision and serves to leave
//! out what can't be among the best (see `screen`); what is left is always worked out exactly, so results don't depend on the width. The
//! width is found at run time, so that one program serves all machines. The replay utility and the recall of outcome-weighted memory use
//! it.

pub use pulp::Simd;
use pulp::{Arch, Scalar, WithSimd};

/// Work that is compiled once for each width of vectors (SIMD kernel). Implementations and all they call must be `inline(always)`, or
/// they are compiled for the narrowest.
pub trait Pass {
    /// The result of the work.
    type Output;

    /// Does the work, with vectors of this width.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The SIMD width: how wide the vectors of a pass are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// What every machine of this architecture has.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests compare it with the widest"))]
    Narrow,
    /// The most this machine has.
    Widest,
}

impl Width {
    /// Does the work at this width (SIMD dispatch).
    pub fn run<P: Pass>(self, pass: P) -> P::Output {
        match self {
            Self::Narrow => Simd::vectorize(Scalar::new(), Dispatched(pass)),
            Self::Widest => Arch::new().dispatch(Dispatched(pass)),
        }
    }
}

struct Dispatched<P>(P);

impl<P: Pass> WithSimd for Dispatched<P> {
    type Output = P::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> P::Output {
        self.0.run(simd)
    }
}

/// Lanes that sums of products are made in: as many as the widest vectors have, or a multiple of it.
const LANES: usize = 16;

/// SIMD dot product: the sum of x·y over the shorter length. Off by at most (n + 16)·2⁻²³ of |x|·|y| from any other order of additions.
#[inline(always)]
pub fn dot<S: Simd>(simd: S, x: &[f32], y: &[f32]) -> f32 {
    // The usual lengths are known to compilers, which then need no loop.
    if let (Some(x), Some(y)) = (exactly::<32>(x), exactly::<32>(y)) {
        return dot_of(simd, x, y);
    }
    if let (Some(x), Some(y)) = (exactly::<64>(x), exactly::<64>(y)) {
        return dot_of(simd, x, y);
    }
    dot_of(simd, x, y)
}

#[inline(always)]
fn exactly<const N: usize>(x: &[f32]) -> Option<&[f32; N]> {
    x.try_into().ok()
}

#[inline(always)]
fn dot_of<S: Simd>(simd: S, x: &[f32], y: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; LANES];
    let (x_blocks, x_rest) = x.as_chunks::<LANES>();
    let (y_blocks, y_rest) = y.as_chunks::<LANES>();
    let (sums, _) = S::as_mut_simd_f32s(&mut lanes);
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        let (x, y) = (S::as_simd_f32s(x).0, S::as_simd_f32s(y).0);
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum = simd.add_f32s(*sum, simd.mul_f32s(*x, *y));
        }
    }
    let first = sums[0];
    let total = sums[1..].iter().fold(first, |total, sum| simd.add_f32s(total, *sum));
    let rest: f32 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    simd.reduce_sum_f32s(total) + rest
}

/// Beyond this nothing is left worth telling from 0, and the result is still a normal number.
const LARGEST_EXPONENT: f32 = 80.0;

/// Adding 1.5·2²³ rounds to a whole number and leaves it in the lowest bits of the sum.
const ROUNDER: f32 = 12_582_912.0;

/// Interpolates 2^f at the four Chebyshev nodes of [−½, ½]: a cubic is enough where an error of 10⁻⁴ only costs a few more exact scores.
const COEFFICIENTS: [f32; 4] = [0.999_924_56, 0.693_136_73, 0.242_639_48, 0.055_838_283];

/// The largest relative error of [`exp2_neg`] for an exact exponent.
pub const EXP2_ERROR: f64 = 1.1e-4;

/// 2^(−x) for x ≥ 0 within [`EXP2_ERROR`]; 2⁻⁸⁰ from x = 80 on and for what is not a number (a fast exponential by a polynomial).
#[inline(always)]
pub fn exp2_neg(x: f32) -> f32 {
    let exponent = -if x < LARGEST_EXPONENT { x } else { LARGEST_EXPONENT };
    let rounded = exponent + ROUNDER;
    let fraction = exponent - (rounded - ROUNDER);
    let [one, first, second, third] = COEFFICIENTS;
    let power = ((third * fraction + second) * fraction + first) * fraction + one;
    // The whole part, from the lowest bits, is added to the exponent.
    f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// Clamps to [0, 1], and 0 when it isn't a number: two selections, which vector code has.
#[inline(always)]
pub fn unit(x: f32) -> f32 {
    let positive = if x > 0.0 { x } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

/// Writes the places at which a flag is 1, in rising order, where there is room (stream compaction). Flags are 0 or 1.
#[inline(always)]
pub fn places_of<'a, const N: usize>(flags: &[u8; N], places: &'a mut [u16; N]) -> &'a [u16] {
    const { assert!(N.is_multiple_of(8) && N <= 1 << 16, "flags come in eights and places fit") };
    let mut count = 0;
    for (group, flags) in flags.as_chunks::<8>().0.iter().enumerate() {
        let mut left = u64::from_le_bytes(*flags);
        while left != 0 {
            places[count] = (group * 8) as u16 + (left.trailing_zeros() / 8) as u16;
            count += 1;
            left &= left - 1;
        }
    }
    &places[..count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use proptest::prelude::*;

    struct Dot<'a>(&'a [f32], &'a [f32]);

    impl Pass for Dot<'_> {
        type Output = f32;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> f32 {
            dot(simd, self.0, self.1)
        }
    }

    #[test]
    fn the_ends() {
        assert!((exp2_neg(0.0) - 1.0).abs() < 1.1e-4);
        for beyond in [80.0, 1e30, f32::INFINITY, f32::NAN] {
            assert!((f64::from(exp2_neg(beyond)) / math::exp2(-80.0) - 1.0).abs() < EXP2_ERROR, "{beyond}");
        }
    }

    #[test]
    fn places_by_hand() {
        let mut flags = [0_u8; 16];
        (flags[0], flags[7], flags[8], flags[15]) = (1, 1, 1, 1);
        let mut places = [0; 16];
        assert_eq!(places_of(&flags, &mut places), [0, 7, 8, 15]);
    }

    proptest! {
        #[test]
        fn powers_agree_with_libm(x in 0.0_f32..80.0) {
            let expected = math::exp2(-f64::from(x));
            prop_assert!((f64::from(exp2_neg(x)) / expected - 1.0).abs() < EXP2_ERROR);
        }

        #[test]
        fn sums_of_products_agree_at_every_width(
            pairs in prop::collection::vec((-4.0_f32..4.0, -4.0_f32..4.0), 0..70),
        ) {
            let (x, y): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let exact: f64 = x.iter().zip(&y).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            let norm = |v: &[f32]| v.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
            let bound = (x.len() as f64 + 16.0) * f64::from(f32::EPSILON) * norm(&x) * norm(&y);
            for width in [Width::Narrow, Width::Widest] {
                prop_assert!((f64::from(width.run(Dot(&x, &y))) - exact).abs() <= bound);
            }
        }
    }
}
