//! Half-lives for loops that ask for one of thousands of ages: exponential decay by a lookup table, with a relative error of at most
//! 1.5e-5. Ages are ticks, the rest is from 0 to 1. Waking recall of the memories `bardo` and `rag` uses it for the recency of episodes.
//! `math::half_life_decay` is exact and used in single places; the replay utility and the passes of `wide` have polynomials. A half-life of
//! 0 means here that nothing fades, and there that nothing is left. A table was taken because an exponential for each age would be most of
//! such a loop's time.

use crate::math;
use crate::units::Tick;
use std::sync::LazyLock;

/// Steps of the table within a half-life. Between two, the curve is taken as straight, which is wrong by (ln 2 / 64)² / 8 at most, 1.5e-5.
const STEPS: usize = 64;

/// 2^(−i/64) for i from 0 to 64.
static FRACTIONS: LazyLock<[f64; STEPS + 1]> =
    LazyLock::new(|| std::array::from_fn(|step| math::exp2(-(step as f64) / STEPS as f64)));

/// A table of exponential decay: what is left after some ticks of something that halves at a fixed interval.
#[derive(Clone, Copy, Debug)]
pub struct Fading {
    /// The inverse of the half-life; 0 if nothing fades.
    half_lives_per_tick: f64,
    fractions: &'static [f64; STEPS + 1],
}

impl Fading {
    /// Makes the table for a half-life in ticks, at least 0; with 0, nothing fades.
    pub fn new(half_life_ticks: f64) -> Self {
        let half_lives_per_tick = if half_life_ticks > 0.0 { 1.0 / half_life_ticks } else { 0.0 };
        Self { half_lives_per_tick, fractions: &FRACTIONS }
    }

    /// The factor of exponential decay, 2^(−age/half-life), between 0 and 1, to 1.5e-5 of itself; 0 beyond a thousand half-lives.
    #[inline]
    pub fn left(&self, age: Tick) -> f64 {
        let half_lives = age as f64 * self.half_lives_per_tick;
        // A half-life below the least inverse of a double makes the rate infinite, and an age of 0 not a number.
        if age == 0 {
            return 1.0;
        }
        // The exponent of a double would run out at 1022 half-lives; 2^-1000 is 0 beside any figure of a world.
        if half_lives >= 1_000.0 {
            return 0.0;
        }
        let whole = half_lives as u64;
        let place = (half_lives - whole as f64) * STEPS as f64;
        let step = (place as usize).min(STEPS - 1);
        let (from, to) = (self.fractions[step], self.fractions[step + 1]);
        // 2^−whole, by the exponent of a double.
        f64::from_bits((1_023 - whole) << 52) * (from + (place - step as f64) * (to - from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_halves() {
        let fading = Fading::new(2_000.0);
        assert_eq!((fading.left(0), fading.left(2_000), fading.left(20_000)), (1.0, 0.5, 1.0 / 1_024.0));
        assert_eq!(fading.left(u64::MAX), 0.0);
        assert_eq!(Fading::new(0.0).left(1_000_000), 1.0);
        assert_eq!((Fading::new(1e-320).left(0), Fading::new(1e-320).left(1)), (1.0, 0.0));
    }

    #[test]
    fn it_is_the_exponential_to_the_error_that_is_stated() {
        let fading = Fading::new(777.0);
        for age in (0..20_000).step_by(13) {
            let exact = math::exp2(-(age as f64) / 777.0);
            assert!(
                (fading.left(age) / exact - 1.0).abs() < 1.5e-5,
                "{age}: {} for {exact}",
                fading.left(age)
            );
        }
    }
}
