//! Quantities with their unit in the type: money, ticks, basis points. Money is a newtype over 64-bit integers in micro-dollars,
//! fixed-point money, because floating-point sums would lose cents; the conservation of money is checked to the unit. Formulas use dollars
//! as floats and round on the way back. Ticks and basis points are plain aliases, which the compiler doesn't tell apart.

use crate::math::nearest;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// Simulated time, counted in ticks from 0.
pub type Tick = u64;

/// Basis points: hundredths of a percent.
pub type Bps = f64;

/// An amount of money in fixed point, in micro-dollars (1 USDC = 1,000,000). It is an integer, so that money is conserved exactly.
///
/// Sums, differences and the sign panic on overflow of ±9.2 trillion dollars, in release builds too: silent wrapping would
/// break conservation. Scenario validation keeps amounts far below that. Shares and amounts from dollars saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Usdc(pub i64);

impl Usdc {
    /// No money.
    pub const ZERO: Self = Self(0);
    /// Micro-units in one dollar.
    pub const MICROS: i64 = 1_000_000;

    /// Rounds to the micro-dollar nearest to `dollars`; NaN gives zero, values beyond the range saturate.
    #[inline]
    pub fn from_dollars(dollars: f64) -> Self {
        Self(nearest(dollars * Self::MICROS as f64))
    }

    /// Converts the amount to dollars, for formulas and display.
    #[inline]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / Self::MICROS as f64
    }

    /// Takes this share of the amount, rounded to the nearest micro-unit.
    #[inline]
    pub fn scaled(self, share: f64) -> Self {
        Self(nearest(self.0 as f64 * share))
    }

    /// The smaller (minimum) of two amounts.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    /// The larger (maximum) of two amounts.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    /// Whether the amount is above zero.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }
}

impl Add for Usdc {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect("money stays within ±9.2e12 dollars"))
    }
}

impl Sub for Usdc {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("money stays within ±9.2e12 dollars"))
    }
}

impl Neg for Usdc {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        // The lowest amount has no opposite: a plain minus would give it back, a debt of ±9.2e12 dollars as itself.
        Self(self.0.checked_neg().expect("money stays within ±9.2e12 dollars"))
    }
}

impl AddAssign for Usdc {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Usdc {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Usdc {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Usdc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, micros) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let scale = Self::MICROS.unsigned_abs();
        write!(f, "{sign}${}.{:06}", micros / scale, micros % scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_round_to_the_nearest_micro() {
        for (dollars, micros) in [(0.0, 0), (1.0, 1_000_000), (-0.0000015, -2), (0.0000014, 1), (f64::NAN, 0)]
        {
            assert_eq!(Usdc::from_dollars(dollars), Usdc(micros), "{dollars}");
        }
        assert_eq!(Usdc::from_dollars(f64::INFINITY), Usdc(i64::MAX));
    }

    #[test]
    fn amounts_print_all_their_digits() {
        assert_eq!(Usdc(-1_500_000).to_string(), "-$1.500000");
        assert_eq!(Usdc(42).to_string(), "$0.000042");
    }

    #[test]
    #[should_panic(expected = "money stays within")]
    fn the_lowest_amount_has_no_opposite() {
        let _ = -Usdc(i64::MIN);
    }

    #[test]
    #[should_panic(expected = "money stays within")]
    fn overflow_is_a_bug_not_a_wrap() {
        let _ = Usdc(i64::MAX) + Usdc(1);
    }
}
