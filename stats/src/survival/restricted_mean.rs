//! Restricted mean survival time: how long a life lasts on average up to a horizon (Irwin 1949, Royston & Parmar 2013). It is RMST, in
//! the unit of the durations. Unlike a hazard ratio it needs no assumption, and unlike the mean it exists when some lives are censored.
//! Sweeps compare survival by the mean alone, one number for each world and arm, whose differences are tested as pairs. The variance,
//! interval and p-value here take lives as independent, so that there they only describe; the command for survival tables tests groups by
//! them, after Holm's correction.

use crate::distribution::{normal_quantile, normal_two_sided};
use crate::error::StatsError;
use crate::summary::{Interval, check_share};
use crate::survival::{Group, Moment, check_groups};
use serde::{Deserialize, Serialize};

/// The restricted mean survival time (RMST) of one group.
///
/// Its variance is that of the estimate, Σ A(t)²·d / (n·(n − d)), where A(t) is the area under the curve from t to the horizon
/// (as R's survRM2). `lifelines` returns the variance of min(T, horizon) between lives instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestrictedMean {
    /// The group.
    pub group: String,
    /// Up to which time (horizon τ), in the unit of the durations.
    pub horizon: f64,
    /// The area under the survival curve, in the units of the durations.
    pub mean: f64,
    /// Variance of the estimate, in the unit of the durations squared.
    pub variance: f64,
    /// Confidence level of intervals, in (0, 1).
    #[serde(default)]
    pub level: f64,
    /// Lives in the group.
    #[serde(default)]
    pub lives: u64,
    /// Normal interval of the mean; none of a single life, and where nobody died before the horizon: then there is no estimate of its error.
    pub interval: Option<Interval>,
}

/// The difference of two restricted means (RMST).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestrictedMeanDifference {
    /// The group.
    pub group: String,
    /// What it is compared with.
    pub baseline: String,
    /// Its mean minus the baseline's, in the unit of the durations.
    pub difference: f64,
    /// Standard error, in the unit of the durations.
    pub standard_error: f64,
    /// Normal interval; none where either group is a single life, or nobody died in either before the horizon.
    pub interval: Option<Interval>,
    /// Two-sided p-value; none where there is no interval.
    pub p: Option<f64>,
}

/// The latest horizon at which all groups have a restricted mean: the minimum of their last durations (the truncation time of the RMST).
///
/// # Errors
/// When there are no groups.
pub fn common_horizon(groups: &[Group]) -> Result<f64, StatsError> {
    check_groups(groups, 1)?;
    Ok(groups.iter().map(|group| group.lifetimes.last().0).fold(f64::INFINITY, f64::min))
}

/// The restricted mean survival time (RMST) of a group up to a horizon.
///
/// # Errors
/// When the horizon is not above 0 or lies where the group is no longer observed, the level not within (0, 1), or everybody under observation
/// dies while others enter later.
pub fn restricted_mean(group: &Group, horizon: f64, level: f64) -> Result<RestrictedMean, StatsError> {
    check_share("level", level)?;
    if !(horizon.is_finite() && horizon > 0.0) {
        return Err(StatsError::OutOfRange {
            subject: "horizon".to_owned(),
            value: horizon.to_string(),
            remedy: "above 0".to_owned(),
        });
    }
    let (last, censored) = group.lifetimes.last();
    if horizon > last && censored {
        return Err(StatsError::BeyondObservation {
            horizon: horizon.to_string(),
            group: group.name.clone(),
            last: last.to_string(),
        });
    }
    let moments = group.lifetimes.moments();
    group.lifetimes.check_curve(&moments)?;
    let (mean, variance) = area(&moments, horizon);
    let lives = group.lifetimes.count() as u64;
    let interval = around(mean, variance.sqrt(), level).filter(|_| lives > 1);
    Ok(RestrictedMean { group: group.name.clone(), horizon, mean, variance, level, lives, interval })
}

/// The normal interval of an estimate whose error is known.
fn around(estimate: f64, standard_error: f64, level: f64) -> Option<Interval> {
    let half = normal_quantile(0.5 + level / 2.0) * standard_error;
    (standard_error > 0.0).then_some(Interval { low: estimate - half, high: estimate + half, level })
}

/// Area under the curve up to the horizon and its variance, summed from the horizon back.
fn area(moments: &[Moment], horizon: f64) -> (f64, f64) {
    let mut survival = 1.0;
    let steps: Vec<(&Moment, f64)> = moments
        .iter()
        .take_while(|moment| moment.time <= horizon)
        .map(|moment| {
            survival *= moment.surviving();
            (moment, survival)
        })
        .collect();
    let (mut after, mut variance, mut end) = (0.0, 0.0, horizon);
    for (moment, survival) in steps.into_iter().rev() {
        after += survival * (end - moment.time);
        end = moment.time;
        // Where everybody left dies, the area that follows is 0 and so is the term.
        if moment.left > 0.0 {
            variance += after * after * moment.deaths / (moment.risk() * moment.left);
        }
    }
    (after + end, variance)
}

/// The difference of a group's restricted mean (RMST) from a baseline's.
///
/// # Errors
/// When the horizons differ.
pub fn difference(
    group: &RestrictedMean,
    baseline: &RestrictedMean,
) -> Result<RestrictedMeanDifference, StatsError> {
    if group.horizon != baseline.horizon {
        return Err(StatsError::OutOfRange {
            subject: "horizon".to_owned(),
            value: group.horizon.to_string(),
            remedy: format!("the baseline's, {}", baseline.horizon),
        });
    }
    let difference = group.mean - baseline.mean;
    let standard_error = (group.variance + baseline.variance).sqrt();
    let is_known = group.lives > 1 && baseline.lives > 1;
    let interval = around(difference, standard_error, group.level).filter(|_| is_known);
    Ok(RestrictedMeanDifference {
        group: group.group.clone(),
        baseline: baseline.group.clone(),
        difference,
        standard_error,
        interval,
        p: interval.map(|_| normal_two_sided(difference / standard_error)),
    })
}
