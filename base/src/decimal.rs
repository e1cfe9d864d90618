//! Numbers with a fixed count of decimals, as `{:.2}` writes them, but from an integer: fixed-point formatting.
//!
//! The standard library finds the digits of a binary fraction exactly, which takes some hundred nanoseconds a number. Prompts of dreams
//! are priced by their length, so a dream writes or measures hundreds of numbers: that was a twentieth of a world's time. Here a number is
//! multiplied by a power of ten and rounded, where the product's own rounding can't decide the last digit; everywhere else the standard
//! library is asked. Both ways give the same characters.

use crate::math::nearest;
use std::fmt;

/// Products from here on are left to the standard library. Below, their rounding error is under 10⁻⁶.
const CERTAIN: f64 = 1e9;
/// Products this near the middle between two integers are left to the standard library, too.
const NEAR: f64 = 1e-6;

/// |x| times ten to the power of `decimals`, rounded; `None` where that isn't certain to have the digits of x: for numbers that are large or none, and
/// near the middle between two.
fn scaled(x: f64, decimals: u32) -> Option<u64> {
    let scaled = x.abs() * f64::from(10_u32.checked_pow(decimals)?);
    (scaled < CERTAIN && (scaled.fract() - 0.5).abs() > NEAR).then(|| nearest(scaled) as u64)
}

/// Characters of |x| with so many decimals, its point included (digit count); `None` where only writing it would tell. Lengths are asked
/// for of texts that are never written, because writing a number takes longer than counting its digits.
pub fn length(x: f64, decimals: u32) -> Option<usize> {
    let digits = scaled(x, decimals)?.checked_ilog10().unwrap_or(0).max(decimals) + 1;
    Some((digits + u32::from(decimals > 0)) as usize)
}

/// A number that is displayed with so many decimals, as by `{:.N}`.
///
/// ```
/// use morta_base::decimal::Decimal;
/// assert_eq!(Decimal(-2.345, 1).to_string(), format!("{:.1}", -2.345));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decimal(
    /// The number.
    pub f64,
    /// Decimals.
    pub u32,
);

impl Decimal {
    /// Bytes of its text (display length): counted where its digits are certain, written where not.
    pub fn text_length(self) -> usize {
        let Self(x, decimals) = self;
        length(x, decimals)
            .map_or_else(|| self.to_string().len(), |digits| usize::from(x.is_sign_negative()) + digits)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(x, decimals) = *self;
        let Some(mut left) = scaled(x, decimals) else { return write!(f, "{x:.0$}", decimals as usize) };
        // A scaled number has at most ten digits; with a sign, a point and leading zeros it fits.
        let mut text = [b'0'; 24];
        let mut place = text.len();
        let mut digits = 0;
        while left > 0 || digits <= decimals {
            if digits == decimals && decimals > 0 {
                place -= 1;
                text[place] = b'.';
            }
            place -= 1;
            text[place] = b'0' + (left % 10) as u8;
            left /= 10;
            digits += 1;
        }
        if x.is_sign_negative() {
            place -= 1;
            text[place] = b'-';
        }
        f.write_str(std::str::from_utf8(&text[place..]).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every magnitude, on, before and beyond the middles at which their digits change, and those that are none.
    #[test]
    fn a_number_is_written_and_measured_as_the_standard_library_writes_it() {
        let mut numbers =
            vec![0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN, 1e9, 1e300, 5e-324, -0.004, 0.005];
        for power in -3..11 {
            let ten = crate::math::pow(10.0, f64::from(power));
            for step in [0.05, 0.5, 0.005, 1e-7, 1e-9, 0.0] {
                let near = [ten - step, (ten - step).next_up(), (ten - step).next_down(), ten + step];
                numbers.extend(near.into_iter().flat_map(|x| [x, -x, 1.234_567 * x]));
            }
        }
        let mut measured = 0;
        for x in numbers {
            for decimals in [0, 1, 2, 3, 9, 12] {
                let written = format!("{x:.0$}", decimals as usize);
                assert_eq!(Decimal(x, decimals).to_string(), written, "{x} with {decimals} decimals");
                assert_eq!(Decimal(x, decimals).text_length(), written.len(), "{x} with {decimals} decimals");
                if let Some(length) = length(x, decimals) {
                    measured += 1;
                    assert_eq!(length, written.trim_start_matches('-').len(), "{x} with {decimals} decimals");
                }
            }
        }
        assert!(measured > 1_000, "{measured} numbers were measured without being written");
    }
}
