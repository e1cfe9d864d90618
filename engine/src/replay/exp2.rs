//! 2^(−x) for whole columns: an exponential by a polynomial that compilers turn into vector code (SIMD), with the same bits on every
//! machine. A library's `exp2` was no option, because its last bit differs between platforms, and recorded digests would with it. The decay
//! of utilities and the powers of sampling weights rest on it. Single precision has a coarser one in `morta_base::wide`.

/// From here on the result is as good as 0, and it is still a normal number: subnormal numbers are slow on many processors.
const LARGEST_EXPONENT: f64 = 1_000.0;

/// Adding 1.5·2⁵² rounds to a whole number and leaves it in the lowest bits of the sum.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// (ln 2)ⁿ/n! for n = 1 … 10, the Taylor coefficients of 2^f.
const COEFFICIENTS: [f64; 10] = [
    std::f64::consts::LN_2,
    0.240_226_506_959_100_71,
    0.055_504_108_664_821_58,
    0.009_618_129_107_628_477,
    0.001_333_355_814_642_844_3,
    0.000_154_035_303_933_816_1,
    0.000_015_252_733_804_059_84,
    0.000_001_321_548_679_014_431,
    0.000_000_101_780_860_092_396_98,
    0.000_000_007_054_911_620_801_121,
];

/// The base-2 exponential 2^(−x) for x ≥ −1,000, within a relative error of 3·10⁻¹³; exact for whole x, at most 2^(−1000) from x = 1,000
/// on.
#[inline(always)]
pub(crate) fn exp2_neg(x: f64) -> f64 {
    let exponent = -if x < LARGEST_EXPONENT { x } else { LARGEST_EXPONENT };
    let rounded = exponent + ROUNDER;
    let fraction = exponent - (rounded - ROUNDER);
    let mut power = COEFFICIENTS[9];
    for &coefficient in COEFFICIENTS[..9].iter().rev() {
        power = power * fraction + coefficient;
    }
    power = power * fraction + 1.0;
    // The whole part, from the lowest bits, is added to the exponent.
    f64::from_bits(power.to_bits().wrapping_add(rounded.to_bits() << 52))
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::math;
    use proptest::prelude::*;

    #[test]
    fn whole_exponents_are_exact() {
        for x in [0.0, 1.0, 2.0, 10.0, 52.0, 999.0, 1_000.0] {
            assert_eq!(exp2_neg(x), math::exp2(-x), "{x}");
        }
        assert_eq!(exp2_neg(f64::INFINITY), math::exp2(-1_000.0));
    }

    proptest! {
        #[test]
        fn agrees_with_libm(x in -1_000.0_f64..1_000.0) {
            let expected = math::exp2(-x);
            prop_assert!((exp2_neg(x) / expected - 1.0).abs() < 3e-13, "{} {}", exp2_neg(x), expected);
        }
    }
}
