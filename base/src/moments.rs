//! Means, variances and covariances, computed in one way for all crates.
//!
//! Values are added in the order given, from the first to the last, without compensation: a run's digest holds the last bit of
//! such sums. Deviations are squared around the mean in a second pass (what one pass over Σx² would cancel when the mean is
//! large against the spread, two passes keep). [`Running`] is for values that are seen once; it agrees up to rounding, not to the bit.
//!
//! They are descriptive statistics: mean, variance, standard deviation, covariance, in the unit of the values; Welford's algorithm in
//! one pass.

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;

/// Arithmetic mean (average), Σx / n; `None` when there are no values.
///
/// ```
/// use morta_base::moments::mean;
/// assert_eq!(mean([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), Some(5.0));
/// ```
pub fn mean(values: impl IntoIterator<Item = impl Borrow<f64>>) -> Option<f64> {
    let (sum, n) = sum_and_count(values.into_iter().map(|value| *value.borrow()));
    (n > 0.0).then(|| sum / n)
}

fn sum_and_count(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut n = 0_u64;
    let sum: f64 = values.inspect(|_| n += 1).sum();
    (sum, n as f64)
}

/// Sample statistics: number, mean and spread of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Number of values, at least 1.
    pub n: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Σ(x − mean)², at least 0.
    squares: f64,
}

impl Moments {
    /// Takes the mean and the squares of values in two passes; `None` when there are none.
    pub fn of<I>(values: I) -> Option<Self>
    where
        I: IntoIterator<Item: Borrow<f64>, IntoIter: Clone>,
    {
        let values = values.into_iter().map(|value| *value.borrow());
        let (sum, n) = sum_and_count(values.clone());
        let mean = sum / n;
        let squares = || values.map(|value| (value - mean) * (value - mean)).sum();
        (n > 0.0).then(|| Self { n, mean, squares: squares() })
    }

    /// Sample variance, with divisor n − 1 (unbiased); `None` for a single value.
    #[inline]
    pub fn variance(&self) -> Option<f64> {
        (self.n > 1.0).then(|| self.squares / (self.n - 1.0))
    }

    /// Sample standard deviation, with divisor n − 1; `None` for a single value.
    #[inline]
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Population standard deviation, with divisor n: of these values, not an estimate for more of their kind. At least 0.
    #[inline]
    pub fn population_deviation(&self) -> f64 {
        (self.squares / self.n).sqrt()
    }

    /// Standard error of the mean, √(variance / n); `None` for a single value.
    #[inline]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.n).sqrt())
    }
}

/// Population standard deviation, with divisor n, of values that may be none: 0 of nothing.
pub fn population_deviation(values: &[f64]) -> f64 {
    Moments::of(values).map_or(0.0, |moments| moments.population_deviation())
}

/// Sample covariance, with divisor n − 1, of two series of one length; `None` for fewer than two pairs.
///
/// # Panics
/// When the lengths differ.
pub fn covariance(a: &[f64], b: &[f64]) -> Option<f64> {
    assert_eq!(a.len(), b.len(), "a covariance is that of pairs");
    let (mean_a, mean_b) = (mean(a)?, mean(b)?);
    let products: f64 = a.iter().zip(b).map(|(x, y)| (x - mean_a) * (y - mean_b)).sum();
    (a.len() > 1).then(|| products / (a.len() - 1) as f64)
}

/// Mean and spread of values that come one by one and aren't kept (Welford 1962).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Running {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Running {
    /// Takes in the next value (Welford update).
    #[inline]
    pub fn take(&mut self, value: f64) {
        self.n += 1;
        let away = value - self.mean;
        self.mean += away / self.n as f64;
        self.squares += away * (value - self.mean);
    }

    /// Number of values, the sample size.
    pub fn count(&self) -> f64 {
        self.n as f64
    }

    /// Sum of squares around the mean, Σ(x − mean)², at least 0; 0 when there are no values.
    pub fn squares(&self) -> f64 {
        self.squares
    }

    /// Running arithmetic mean; `None` when there are no values.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then_some(self.mean)
    }

    /// Running standard deviation, with divisor n − 1; `None` for fewer than two values.
    #[inline]
    pub fn deviation(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }

    /// Mean over standard deviation, as in a Sharpe ratio (signal-to-noise ratio); `None` for fewer than two values, or when all are the
    /// same.
    #[inline]
    pub fn mean_over_deviation(&self) -> Option<f64> {
        self.deviation().filter(|deviation| *deviation > 0.0).map(|deviation| self.mean / deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXTBOOK: [f64; 8] = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];

    /// numpy 2.4.6: mean, var(ddof=1), std(ddof=1), cov; scipy.stats.sem.
    #[test]
    fn moments_match_numpy() {
        let moments = Moments::of(TEXTBOOK).unwrap();
        assert_eq!((moments.n, moments.mean), (8.0, 5.0));
        assert!((moments.variance().unwrap() - 4.571428571428571).abs() < 1e-15);
        assert!((moments.deviation().unwrap() - 2.138089935299395).abs() < 1e-15);
        assert_eq!((moments.population_deviation(), population_deviation(&[])), (2.0, 0.0));
        assert!((moments.standard_error().unwrap() - 0.7559289460184544).abs() < 1e-15);
        assert_eq!(covariance(&[1.0, 2.0, 3.0], &[3.0, 5.0, 10.0]), Some(3.5));
    }

    /// NIST StRD, univariate summary statistics, "NumAcc2" cut to 5 values: 1.2 and pairs of 1.1 and 1.3 have mean 1.2 and
    /// standard deviation .1; and "NumAcc3", the same a million higher, where a single pass over Σx² keeps but four digits.
    #[test]
    fn a_large_mean_does_not_cancel_the_spread() {
        for offset in [0.0, 1e6] {
            let values = [1.2, 1.1, 1.3, 1.1, 1.3].map(|value| value + offset);
            let moments = Moments::of(values).unwrap();
            assert!((moments.mean - offset - 1.2).abs() < 1e-9, "{moments:?}");
            assert!((moments.deviation().unwrap() - 0.1).abs() < 1e-9, "{moments:?}");
        }
    }

    #[test]
    fn too_few_values_have_no_moments() {
        assert_eq!((mean([0.0; 0]), Moments::of([0.0; 0]), covariance(&[], &[])), (None, None, None));
        let single = Moments::of([3.0]).unwrap();
        assert_eq!((single.mean, single.variance(), single.standard_error()), (3.0, None, None));
        assert_eq!(covariance(&[1.0], &[2.0]), None);
        let mut running = Running::default();
        assert_eq!((running.mean(), running.deviation()), (None, None));
        running.take(3.0);
        assert_eq!((running.mean(), running.deviation()), (Some(3.0), None));
        running.take(3.0);
        assert_eq!((running.deviation(), running.mean_over_deviation()), (Some(0.0), None));
    }

    /// Mean 5, standard deviation √(32 / 7).
    #[test]
    fn mean_over_deviation_of_a_textbook_sample() {
        let mut running = Running::default();
        TEXTBOOK.into_iter().for_each(|value| running.take(value));
        assert!((running.mean_over_deviation().unwrap() - 5.0 / (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn running_moments_agree_with_those_of_two_passes(values in prop::collection::vec(-1e3_f64..1e3, 2..200)) {
            let mut running = Running::default();
            values.iter().for_each(|value| running.take(*value));
            let moments = Moments::of(&values).unwrap();
            prop_assert!((running.mean().unwrap() - moments.mean).abs() < 1e-9);
            prop_assert!((running.deviation().unwrap() - moments.deviation().unwrap()).abs() < 1e-9);
        }

        /// A variance is the covariance with itself, to the bit.
        #[test]
        fn variances_are_covariances(values in prop::collection::vec(-1e3_f64..1e3, 2..50)) {
            let variance = Moments::of(&values).unwrap().variance().unwrap();
            prop_assert_eq!(covariance(&values, &values).unwrap().to_bits(), variance.to_bits());
        }
    }
}
