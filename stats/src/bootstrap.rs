//! Bootstrap intervals (Efron & Tibshirani 1993), from a keyed stream: the same seed gives the same interval. They are the percentile and
//! the BCa bootstrap (bias-corrected and accelerated) of a mean, in the unit of the values, and the percentile interval of any statistic
//! for the other rooms of this crate. Resamples are drawn without a global generator, so that adding one analysis changes no other.
//! Values of a mean are resampled one by one, as if independent; other rooms draw in their own way (within tasks, in blocks). In
//! comparisons of arms the intervals of the mean are reported beside the t interval, and verdicts don't rest on them; where worlds share
//! data they rest on that of `overlap`, which always has 5,000 resamples there. Comparisons take 10,000 by default, large sweeps down to
//! 1,000, sensitivity analyses always 1,000; fewer than 100 are refused.

use crate::distribution::{normal_cdf, normal_quantile};
use crate::error::StatsError;
use crate::summary::{Interval, check, check_share, is_constant, mean};
use morta_base::quantile::quantile;
use morta_base::rng::Stream;
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};

/// Bounds of the number of resamples: fewer can't tell a tail, more is waste.
const RESAMPLES: std::ops::RangeInclusive<u32> = 100..=1_000_000;

/// Settings of bootstrap resampling.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bootstrap {
    /// How often, 100 to 1,000,000.
    pub resamples: u32,
    /// Confidence level, in (0, 1).
    pub level: f64,
    /// The key of its random numbers.
    pub seed: WorldSeed,
    /// Tells the streams of several intervals under one seed apart.
    pub part: u32,
}

impl Bootstrap {
    /// Checks the parameters (range validation).
    ///
    /// # Errors
    /// When one is out of its range.
    pub fn check(&self) -> Result<(), StatsError> {
        check_share("level", self.level)?;
        if RESAMPLES.contains(&self.resamples) {
            return Ok(());
        }
        Err(StatsError::OutOfRange {
            subject: "resamples".to_owned(),
            value: self.resamples.to_string(),
            remedy: format!("from {} to {}", RESAMPLES.start(), RESAMPLES.end()),
        })
    }

    /// The statistic of every resample, each from its own stream.
    pub(super) fn distribution(&self, mut statistic: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
        let stream = |n| self.seed.world(Purpose::Bootstrap, self.part, n);
        (0..u64::from(self.resamples)).map(|n| statistic(&mut stream(n))).collect()
    }

    /// The percentile interval of resampled statistics.
    pub(super) fn percentile(&self, mut resampled: Vec<f64>) -> Interval {
        let tail = (1.0 - self.level) / 2.0;
        ends(&mut resampled, tail, 1.0 - tail, self.level)
    }
}

/// Bootstrap intervals of a mean: the percentile one, and the bias-corrected and accelerated one (BCa).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanIntervals {
    /// Quantiles of the resampled means.
    pub percentile: Interval,
    /// The same, corrected for bias and for a spread that depends on the mean (Efron 1987).
    pub bca: Interval,
}

/// Bootstrap intervals of the mean (BCa and percentile bootstrap).
///
/// # Errors
/// When there are fewer than two values, they are not finite or all the same, or a parameter is out of range.
pub fn mean_intervals(values: &[f64], bootstrap: &Bootstrap) -> Result<MeanIntervals, StatsError> {
    check("bootstrapped values", values, 2)?;
    bootstrap.check()?;
    if is_constant(values) {
        return Err(StatsError::Constant("the bootstrapped value".to_owned()));
    }
    let n = values.len();
    let resampled =
        bootstrap.distribution(|stream| (0..n).map(|_| values[stream.below(n)]).sum::<f64>() / n as f64);
    let total: f64 = values.iter().sum();
    let jackknife: Vec<f64> = values.iter().map(|value| (total - value) / (n - 1) as f64).collect();
    let bca = bca(&mut resampled.clone(), mean(values), &jackknife, bootstrap.level);
    Ok(MeanIntervals { percentile: bootstrap.percentile(resampled), bca })
}

/// The BCa interval from resampled statistics, the estimate and its jackknife values.
fn bca(resampled: &mut [f64], estimate: f64, jackknife: &[f64], level: f64) -> Interval {
    let below = resampled.iter().filter(|x| **x < estimate).count();
    let equal = resampled.iter().filter(|x| **x == estimate).count();
    let count = resampled.len() as f64;
    // An estimate outside all resamples would correct by infinity; half a resample is as far as they can tell.
    let share = ((below as f64 + equal as f64 / 2.0) / count).clamp(0.5 / count, 1.0 - 0.5 / count);
    let bias = normal_quantile(share);
    let centre = mean(jackknife);
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in jackknife {
        let away = centre - value;
        squares += away * away;
        cubes += away * away * away;
    }
    let scale = 6.0 * squares * squares.sqrt();
    let acceleration = if scale > 0.0 { cubes / scale } else { 0.0 };
    let corrected = |z: f64| {
        let shifted = bias + z;
        normal_cdf(bias + shifted / (1.0 - acceleration * shifted))
    };
    let z = normal_quantile(0.5 + level / 2.0);
    ends(resampled, corrected(-z), corrected(z), level)
}

fn ends(resampled: &mut [f64], low: f64, high: f64, level: f64) -> Interval {
    let mut at = |p| quantile(resampled, p).expect("there are at least 100 resamples");
    Interval { low: at(low), high: at(high), level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::math::{cos, sin};

    fn close(found: Interval, expected: [f64; 2]) {
        let near = (found.low - expected[0]).abs().max((found.high - expected[1]).abs()) < 1e-9;
        assert!(near, "{found:?}, expected {expected:?}");
    }

    /// scipy 1.17.1: bootstrap with a known distribution (n_resamples=0), percentile and BCa; see
    /// `stats/tests/reference/statistics.py`.
    #[test]
    fn corrections_match_scipy() {
        let differences = [0.21, 0.46, 0.16, 0.10, -0.15, 0.51, 0.46, 1.14, 0.35, -0.04, 0.89, -0.15];
        let estimate = mean(&differences);
        let total: f64 = differences.iter().sum();
        let jackknife: Vec<f64> = differences.iter().map(|value| (total - value) / 11.0).collect();
        let known = |i: u32| estimate + 0.09 * sin(f64::from(i)) - 0.01 * cos(3.0 * f64::from(i));
        let mut resampled: Vec<f64> = (0..200).map(known).collect();
        let bootstrap = Bootstrap { resamples: 200, level: 0.95, seed: WorldSeed(0), part: 0 };
        close(bootstrap.percentile(resampled.clone()), [0.235234403823317, 0.42148961249740335]);
        close(bca(&mut resampled, estimate, &jackknife, 0.95), [0.2353559597561212, 0.42164218154492095]);
    }

    #[test]
    fn too_few_resamples_are_refused() {
        let bootstrap = Bootstrap { resamples: 99, level: 0.95, seed: WorldSeed(0), part: 0 };
        let error = mean_intervals(&[1.0, 2.0], &bootstrap).unwrap_err().to_string();
        assert_eq!(error, "resamples = 99: must be from 100 to 1000000");
    }
}
