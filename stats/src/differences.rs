//! Differences of pairs, as their decimals say: 1.2 − .6 and .9 − .3 are one number, though their binary differences aren't.
//!
//! Tests of ranks decide ties by equality, and a spread of 0 is "constant": both would go by the last bit of a subtraction. Scores that were
//! written with up to 15 significant digits are subtracted as decimals; the result is the nearest binary number to the exact difference.
//! What has more digits was computed, not written, and is subtracted as it is.
//!
//! It is exact decimal subtraction (ties, floating-point rounding); differences are in the unit of the scores. `compare_pairs`, the
//! contrasts of sweeps and the calibration of tests take their differences from here; a test that is called by itself takes those it is
//! given.

/// Significant digits that every decimal keeps through a binary number and back (IEEE 754, `DBL_DIG` of C).
const DIGITS: u32 = 15;
/// Largest whole number of so many digits.
const WHOLE_MAX: f64 = 1e15;
/// The powers of ten that binary numbers hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// Spread of computed differences that rounding explains, in units of the scores' last place: both scores are off by half of one, and so is
/// their difference.
const ROUNDING: f64 = 2.0;

/// Takes the paired differences, the first of each (matched) pair less the second, in the order given. Where all differences are the same
/// but for the rounding of scores that were computed, they are the same.
pub fn paired_differences(pairs: impl IntoIterator<Item = (f64, f64)>) -> Vec<f64> {
    let (mut differences, mut scale) = (Vec::new(), 0.0_f64);
    for (a, b) in pairs {
        differences.push(difference(a, b));
        scale = scale.max(a.abs()).max(b.abs());
    }
    let low = differences.iter().copied().fold(f64::INFINITY, f64::min);
    let high = differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if high > low && high - low <= ROUNDING * f64::EPSILON * scale {
        let first = differences[0];
        differences.fill(first);
    }
    differences
}

/// Subtracts the second from the first, as their decimals say.
pub fn difference(a: f64, b: f64) -> f64 {
    let exact = || {
        let unit = POWERS[places(a)?.max(places(b)?)];
        let (a, b) = (a * unit, b * unit);
        // Below that, a product is off by less than half a unit, so rounding finds the whole number.
        let is_whole = a.abs() <= WHOLE_MAX && b.abs() <= WHOLE_MAX;
        is_whole.then(|| (a.round() - b.round()) / unit)
    };
    exact().unwrap_or(a - b)
}

/// Decimal places of a number that was written with few enough digits; none of one that was computed.
fn places(value: f64) -> Option<usize> {
    if value == 0.0 {
        return Some(0);
    }
    // The shortest decimal that is read back as this number, d.ddde±x.
    let written = format!("{value:e}");
    let (digits, exponent) = written.split_once('e')?;
    let digits = digits.bytes().filter(u8::is_ascii_digit).count() as u32;
    let exponent: i32 = exponent.parse().ok()?;
    let places = usize::try_from((digits as i32 - 1 - exponent).max(0)).ok()?;
    (digits <= DIGITS && places < POWERS.len()).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signed_rank::signed_rank;
    use proptest::prelude::*;

    /// 1.2 − .6 = .6 = .9 − .3, and .3 in five ways that binary numbers tell apart.
    #[test]
    fn equal_decimal_differences_are_equal() {
        assert_ne!(1.2 - 0.6, 0.9 - 0.3, "which is why");
        assert_eq!((difference(1.2, 0.6), difference(0.9, 0.3)), (0.6, 0.6));
        let pairs = [(0.4, 0.1), (0.5, 0.2), (0.6, 0.3), (1.0, 0.7), (1.2, 0.9)];
        assert_eq!(paired_differences(pairs), [0.3; 5]);
        assert_eq!(difference(1e300, 1.0), 1e300);
        assert_eq!(difference(5e-324, 0.0), 5e-324);
        assert_eq!(difference(9_007_199_254_740_993.0, 1.0), 9_007_199_254_740_992.0 - 1.0);
        assert_eq!(difference(-0.0, 0.0), 0.0);
    }

    /// Differences −.6, −.9, .6, .2: ranks 2.5, 4, 2.5, 1, so 3.5 of 10 are positive, which 12 of the 16 ways of signs are as far from 5.
    /// scipy 1.17.1: wilcoxon(np.round(d, 9), method=PermutationMethod(n_resamples=inf)) has .75; of the binary differences, .875.
    #[test]
    fn ties_of_decimals_are_ties() {
        let differences = paired_differences([(0.6, 1.2), (0.3, 1.2), (0.9, 0.3), (0.5, 0.3)]);
        assert_eq!(signed_rank(&differences, true).unwrap().p, 0.75);
    }

    /// Thirds of whole numbers have no end of digits: x / 3 + 1 and x / 3 differ by 1 and some rounding.
    #[test]
    fn a_computed_constant_is_one() {
        let constant: Vec<(f64, f64)> =
            (1..30).map(|x| (f64::from(x) / 3.0 + 1.0, f64::from(x) / 3.0)).collect();
        let plain: Vec<f64> = constant.iter().map(|(a, b)| a - b).collect();
        assert!(plain.iter().any(|one| *one != plain[0]), "which is why");
        let found = paired_differences(constant);
        assert!(found.iter().all(|one| *one == found[0]));
        // A real difference of a thousandth of a score stays.
        assert_eq!(paired_differences([(1.001 / 3.0, 0.0), (1.0 / 3.0, 0.0)]), [1.001 / 3.0, 1.0 / 3.0]);
    }

    /// Each score is off its decimal by half a unit of its last place, and both differences are rounded, each by half a unit of its own:
    /// four halves. Half a unit of x is at most ε·|x| / 2, where ε is the distance from 1 to the next number.
    fn is_within_rounding(a: f64, b: f64) -> bool {
        let (by_decimals, plain) = (difference(a, b), a - b);
        let halves = (a.abs() + b.abs() + by_decimals.abs() + plain.abs()) * f64::EPSILON / 2.0;
        (by_decimals - plain).abs() <= halves
    }

    /// Found by chance: 1.1 ε of the larger score, where a bound of one had forgotten the scores' own rounding.
    #[test]
    fn a_difference_larger_than_its_scores_is_within_rounding() {
        let (a, b) = (-667_420.827655542, 931_825.537970506);
        assert_eq!(difference(a, b), -1_599_246.365626048);
        assert!((difference(a, b) - (a - b)).abs() > f64::EPSILON * b, "which is why");
        assert!(is_within_rounding(a, b));
    }

    proptest! {
        /// Held against whole numbers, which are exact.
        #[test]
        fn decimals_are_subtracted_exactly(a in -1_000_000_i64..1_000_000, b in -1_000_000_i64..1_000_000, places in 0_usize..7) {
            let unit = POWERS[places];
            let (x, y) = (a as f64 / unit, b as f64 / unit);
            prop_assert_eq!(difference(x, y), (a - b) as f64 / unit);
        }

        /// Never further from the plain difference than rounding.
        #[test]
        fn nothing_moves_further_than_rounding(a in -1e6_f64..1e6, b in -1e6_f64..1e6) {
            prop_assert!(is_within_rounding(a, b), "{} {}", difference(a, b), a - b);
        }
    }
}
