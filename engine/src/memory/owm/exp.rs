//! e^(−x) in single precision for whole columns: a polynomial that compilers can turn into vector code.

/// Beyond this nothing is left worth telling from 0, and the result is still a normal number.
const LARGEST: f32 = 80.0;

/// Adding 1.5·2²³ rounds to a whole number and leaves it in the lowest bits of the sum.
const ROUNDER: f32 = 12_582_912.0;

/// (ln 2)ⁿ/n! for n = 1 … 5, the Taylor coefficients of 2^f.
const COEFFICIENTS: [f32; 5] =
    [std::f32::consts::LN_2, 0.240_226_5, 0.055_504_11, 0.009_618_129, 0.001_333_355_8];

/// e^(−x) for x ≥ 0 within a relative error of 2·10⁻⁵; e^(−80) from x = 80 on and for what is not a number.
#[inline(always)]
pub(super) fn exp_neg(x: f32) -> f32 {
    let exponent = -std::f32::consts::LOG2_E * if x < LARGEST { x } else { LARGEST };
    let rounded = exponent + ROUNDER;
    let fraction = exponent - (rounded - ROUNDER);
    let mut power = COEFFICIENTS[4];
    for &coefficient in COEFFICIENTS[..4].iter().rev() {
        power = power * fraction + coefficient;
    }
    power = power * fraction + 1.0;
    // The whole part, from the lowest bits, is added to the exponent.
    f32::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 23))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::math;
    use proptest::prelude::*;

    #[test]
    fn the_ends() {
        assert_eq!(exp_neg(0.0), 1.0);
        for beyond in [80.0, 1e30, f32::INFINITY, f32::NAN] {
            assert!((f64::from(exp_neg(beyond)) / math::exp(-80.0) - 1.0).abs() < 2e-5, "{beyond}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_libm(x in 0.0_f32..80.0) {
            let expected = math::exp(-f64::from(x));
            prop_assert!((f64::from(exp_neg(x)) / expected - 1.0).abs() < 2e-5);
        }
    }
}
