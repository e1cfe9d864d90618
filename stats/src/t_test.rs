//! Student's t for pairs, and Welch's for two independent samples. They are the paired t-test and Welch's t-test with confidence intervals,
//! in the unit of the values. The paired one comes first, because arms share their worlds. Its interval is the one that sweeps and compared
//! tables judge a difference by, and sweeps show, unless worlds share data; a sweep may register its p-value as the test that decides
//! ("t"), and `morta stats calibration` checks it. Replications of papers test and show pairs by it. Of plain values it is the interval of
//! one mean: reports have it for an arm and for learning curves, replications for a figure. Fits of a constant policy take its standard
//! error alone. Welch's is reported as if worlds had not been shared and decides nothing.

use crate::distribution::{student_quantile, student_two_sided};
use crate::error::StatsError;
use crate::summary::{Interval, check, check_share, is_constant, mean, variance};
use serde::{Deserialize, Serialize};

/// The result of a two-sided t test of no difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// The difference of means, in the units of the score.
    pub difference: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The statistic.
    pub t: f64,
    /// Degrees of freedom; not whole for Welch's.
    pub degrees_of_freedom: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Interval of the difference.
    pub interval: Interval,
}

impl TTest {
    fn new(difference: f64, standard_error: f64, degrees_of_freedom: f64, level: f64) -> Self {
        let t = difference / standard_error;
        let half_width = standard_error * student_quantile(0.5 + level / 2.0, degrees_of_freedom);
        Self {
            difference,
            standard_error,
            t,
            degrees_of_freedom,
            p: student_two_sided(t, degrees_of_freedom),
            interval: Interval { low: difference - half_width, high: difference + half_width, level },
        }
    }
}

/// Runs a paired t test on the differences.
///
/// # Errors
/// When there are fewer than two pairs, they are not finite, or all differences are the same.
pub fn paired_t(differences: &[f64], level: f64) -> Result<TTest, StatsError> {
    check("paired differences", differences, 2)?;
    check_share("level", level)?;
    let spread = variance(differences);
    if is_constant(differences) {
        return Err(StatsError::Constant("the difference of the pairs".to_owned()));
    }
    let n = differences.len() as f64;
    Ok(TTest::new(mean(differences), (spread / n).sqrt(), n - 1.0, level))
}

/// Welch's t test of a − b, for unequal variances (Welch 1947, Satterthwaite's degrees of freedom).
///
/// # Errors
/// When a sample has fewer than two values, is not finite, or both are constant.
pub fn welch_t(a: &[f64], b: &[f64], level: f64) -> Result<TTest, StatsError> {
    check("first sample", a, 2)?;
    check("second sample", b, 2)?;
    check_share("level", level)?;
    let (n_a, n_b) = (a.len() as f64, b.len() as f64);
    let (of_a, of_b) = (variance(a) / n_a, variance(b) / n_b);
    // As shares of the sum, so that nothing underflows.
    let (share_a, share_b) = (of_a / (of_a + of_b), of_b / (of_a + of_b));
    if (is_constant(a) && is_constant(b)) || share_a.is_nan() {
        return Err(StatsError::Constant("the score within both samples".to_owned()));
    }
    let degrees = 1.0 / (share_a * share_a / (n_a - 1.0) + share_b * share_b / (n_b - 1.0));
    Ok(TTest::new(mean(a) - mean(b), (of_a + of_b).sqrt(), degrees, level))
}
