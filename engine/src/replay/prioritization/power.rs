//! Powers for whole columns of weights: polynomials that compilers turn into vector code, with the same bits on every
//! machine.
//!
//! x^y = 2^(y·log₂ x). A weight decides only the odds of a draw, so a relative error of 10⁻⁹ can't be seen; a library's
//! `powf` is exact to the last bit, but one call at a time and with other bits on other platforms. The importance weights of
//! [`super::SumTree`], in single precision, are powers of this room too.

use crate::replay::exp2::exp2_neg;
use morta_base::math;

/// 2/((2n + 1)·ln 2) for n = 0 … 6: log₂ m = Σ cₙ·s^(2n+1), s = (m − 1)/(m + 1).
const COEFFICIENTS: [f64; 7] = [
    2.885_390_081_777_926_8, 0.961_796_693_925_975_6, 0.577_078_016_355_585_4, 0.412_198_583_111_132_44,
    0.320_598_897_975_325_2, 0.262_308_189_252_538_8, 0.221_953_083_213_686_7,
];

/// The bits of √½.
const ROOT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;

/// What adds a whole number below 2⁵² to 2⁵², in the lowest bits.
const WHOLE: u64 = 0x4330_0000_0000_0000;

/// log₂ x of a normal x > 0, within 10⁻¹¹.
#[inline(always)]
fn log2(x: f64) -> f64 {
    // The exponent for which the rest lies from √½ to √2.
    let above = x.to_bits().wrapping_add(0x3FF0_0000_0000_0000 - ROOT_HALF);
    let exponent = f64::from_bits((above >> 52) | WHOLE) - (f64::from_bits(WHOLE) + 1_023.0);
    let rest = f64::from_bits((above & 0x000F_FFFF_FFFF_FFFF).wrapping_add(ROOT_HALF));
    let s = (rest - 1.0) / (rest + 1.0);
    let square = s * s;
    let mut series = COEFFICIENTS[6];
    for &coefficient in COEFFICIENTS[..6].iter().rev() {
        series = series * square + coefficient;
    }
    exponent + series * s
}

/// x^y for a normal x > 0, within a relative error of 10⁻¹⁰·(1 + |y|), at least 2^(−1000).
#[inline(always)]
pub(crate) fn power_of_normal(x: f64, y: f64) -> f64 {
    exp2_neg(-y * log2(x))
}

/// Raises every value to the power y. A block with a value that is no normal number above 0 takes `math::pow`, because the
/// polynomial reads the exponent's bits.
pub(crate) fn raise(values: &mut [f64], y: f64) {
    const BLOCK: usize = 64;
    for block in values.chunks_mut(BLOCK) {
        let mut plain = true;
        for value in &*block {
            plain &= (f64::MIN_POSITIVE..=f64::MAX).contains(value);
        }
        if plain {
            block.iter_mut().for_each(|value| *value = power_of_normal(*value, y));
        } else {
            block.iter_mut().for_each(|value| *value = math::pow(*value, y));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_logarithms() {
        for (x, expected) in [(1.0, 0.0), (8.0, 3.0), (0.25, -2.0), (10.0, std::f64::consts::LOG2_10)] {
            assert!((log2(x) - expected).abs() < 1e-11, "log2 {x} = {}", log2(x));
        }
    }

    /// Nothing to any positive power is nothing, and to the power of 0 it is 1 like everything.
    #[test]
    fn the_ends_of_a_column() {
        let raised = |y| {
            let mut values = [0.0, 4.0, 5e-324, 1.0];
            raise(&mut values, y);
            values
        };
        assert_eq!(raised(0.0), [1.0; 4]);
        assert_eq!(raised(0.5)[0], 0.0);
        assert!((raised(0.5)[1] - 2.0).abs() < 1e-9);
        assert!(raised(0.5)[2] > 0.0);
        assert_eq!(raised(0.5)[3], 1.0);
    }

    proptest! {
        #[test]
        fn agrees_with_libm(exponent in -300.0_f64..300.0, y in -1.0_f64..2.0) {
            let x = math::pow(2.0, exponent);
            let mut raised = [x; 70];
            raise(&mut raised, y);
            let expected = math::pow(x, y);
            prop_assert!(raised.iter().all(|found| (found / expected - 1.0).abs() < 1e-9), "{} {}", raised[0], expected);
        }
    }
}
