//! How large a difference is: Cohen's d of two samples and of pairs, Cliff's delta. Cohen's d is in standard deviations; Cliff's delta is
//! −1 to 1, and 0 where neither arm tends to be above the other. All three are signed, above 0 where the first sample is the larger. A
//! p-value doesn't replace them, because with enough worlds any difference has a small one. Comparisons by `paired` report all three. The
//! power analysis works in d_z, and so does the comparison of registered results across sweeps; no verdict of a contrast rests on any of
//! them.

use crate::distribution::normal_quantile;
use crate::error::StatsError;
use crate::summary::{Interval, check, check_share, is_constant, mean, variance};
use serde::{Deserialize, Serialize};

/// Cohen's d of a − b: the difference of means in pooled standard deviations (Cohen 1988).
///
/// # Errors
/// When a sample has fewer than two values, is not finite, or both are constant.
pub fn cohens_d(a: &[f64], b: &[f64]) -> Result<f64, StatsError> {
    check("first sample", a, 2)?;
    check("second sample", b, 2)?;
    if is_constant(a) && is_constant(b) {
        return Err(StatsError::Constant("the score within both samples".to_owned()));
    }
    let (n_a, n_b) = (a.len() as f64, b.len() as f64);
    let pooled = ((n_a - 1.0) * variance(a) + (n_b - 1.0) * variance(b)) / (n_a + n_b - 2.0);
    Ok((mean(a) - mean(b)) / pooled.sqrt())
}

/// Cohen's d_z, the effect size of paired differences: their mean in their own standard deviations. It is what a paired test's power hangs
/// on, and is larger than d when the pairs are alike.
///
/// # Errors
/// When there are fewer than two, they are not finite, or all are the same.
pub fn cohens_d_paired(differences: &[f64]) -> Result<f64, StatsError> {
    check("paired differences", differences, 2)?;
    if is_constant(differences) {
        return Err(StatsError::Constant("the difference of the pairs".to_owned()));
    }
    Ok(mean(differences) / variance(differences).sqrt())
}

/// Cliff's delta, an ordinal effect size, with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CliffsDelta {
    /// P(X > Y) − P(X < Y), in [−1, 1].
    pub delta: f64,
    /// Asymmetric interval; `None` when the samples don't overlap or one is a single value, where its variance is unknown.
    pub interval: Option<Interval>,
}

/// Cliff's delta of `a` over `b`, with the unbiased variance of Cliff (1996) and the asymmetric interval of Feng & Cliff (2004).
///
/// # Errors
/// When a sample is empty or not finite, or the level is not within (0, 1).
pub fn cliffs_delta(a: &[f64], b: &[f64], level: f64) -> Result<CliffsDelta, StatsError> {
    check("first sample", a, 1)?;
    check("second sample", b, 1)?;
    check_share("level", level)?;
    let (of_a, unequal) = dominance(a, b);
    let (of_b, _) = dominance(b, a);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let delta = mean(&of_a);
    if a.len() < 2 || b.len() < 2 || delta.abs() == 1.0 {
        return Ok(CliffsDelta { delta, interval: None });
    }
    let around =
        |shares: &[f64], centre: f64| shares.iter().map(|s| (s - centre) * (s - centre)).sum::<f64>();
    let cells = unequal - n * m * delta * delta;
    let variance = (m * m * around(&of_a, delta) + n * n * around(&of_b, -delta) - cells)
        / (n * m * (n - 1.0) * (m - 1.0));
    // The unbiased estimate may fall below what the variance can be at least.
    let variance = variance.max((1.0 - delta * delta) / (n * m - 1.0));
    let z = normal_quantile(0.5 + level / 2.0);
    let square = 1.0 - delta * delta;
    let half = z * (variance * (square * square + z * z * variance)).sqrt();
    let below = square + z * z * variance;
    let end = |sign: f64| ((delta * square + sign * half) / below).clamp(-1.0, 1.0);
    Ok(CliffsDelta { delta, interval: Some(Interval { low: end(-1.0), high: end(1.0), level }) })
}

/// For each value of `a`, the share of `b` below it minus the share above it; and the number of unequal pairs.
fn dominance(a: &[f64], b: &[f64]) -> (Vec<f64>, f64) {
    let mut sorted = b.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut unequal = 0.0;
    let share = |x: &f64| {
        let below = sorted.partition_point(|y| y < x);
        let above = sorted.len() - sorted.partition_point(|y| y <= x);
        unequal += (below + above) as f64;
        (below as f64 - above as f64) / sorted.len() as f64
    };
    (a.iter().map(share).collect(), unequal)
}
