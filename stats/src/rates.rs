//! Rates of rare events per exposure, and the ratio of two arms' rates: the Poisson model with the logarithm of the exposure as its offset,
//! and errors by world.
//!
//! Events of one world (its golems share prices and neighbours) come in clusters, so that counts spread more than Poisson's. The estimate is the
//! same, but its error is taken from how much whole worlds differ: the sandwich over clusters (Liang & Zeger 1986), with Student's t of
//! worlds − 1 degrees of freedom (Cameron & Miller 2015). Below some 30 worlds it is likely too small even so.
//!
//! Rates are events per unit of exposure, logarithms are natural, incidence rate ratios have no unit, exposure is person-time, standard
//! errors are cluster-robust. The survival report of a sweep that registers survival gives deaths per golem-tick so, and their ratio to the
//! baseline's; verdicts don't rest on them.

use crate::distribution::{student_quantile, student_two_sided};
use crate::error::StatsError;
use crate::summary::{Interval, check, check_share};
use morta_base::math::{exp, ln};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Squares of pulls below this are rounding: a world that pulls by less than 1e-13 of all events.
const PULLS_MIN: f64 = 1e-26;

/// A row of the model, i.e. the contribution of one golem, cohort or run: event count and exposure (person-time).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exposure {
    /// The world it is from.
    pub world: u32,
    /// Events counted.
    pub events: u64,
    /// During what: ticks lived, trades made; above 0.
    pub exposure: f64,
}

/// The rate of one arm (incidence rate).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Worlds.
    pub worlds: u64,
    /// Events of all rows.
    pub events: u64,
    /// Exposure of all rows.
    pub exposure: f64,
    /// Events per unit of exposure.
    pub rate: f64,
    /// Standard error of the rate's logarithm, by world.
    pub log_standard_error: f64,
    /// Interval of the rate.
    pub interval: Interval,
}

/// The incidence rate ratio: the rate of an arm over that of a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateRatio {
    /// Worlds of either.
    pub worlds: u64,
    /// The arm's events per unit of exposure.
    pub rate: f64,
    /// The baseline's.
    pub baseline_rate: f64,
    /// Their ratio.
    pub ratio: f64,
    /// Standard error of the ratio's logarithm, by world.
    pub log_standard_error: f64,
    /// The ratio's logarithm in standard errors.
    pub t: f64,
    /// Two-sided p-value of a ratio of 1.
    pub p: f64,
    /// Interval of the ratio.
    pub interval: Interval,
}

/// The rate r = Σy / Σe of events y during exposures e (incidence rate). The variance of ln r is c·Σ over worlds of (Σ(y − r·e) / Σy)²,
/// with c = G/(G − 1)·(N − 1)/(N − k) for G worlds, N rows and k = 1 rates, as statsmodels and Stata have it.
///
/// # Errors
/// When an exposure is not above 0, there are no events or fewer than two worlds, all worlds have the same rate, or the level is not within
/// (0, 1).
pub fn rate(rows: &[Exposure], level: f64) -> Result<Rate, StatsError> {
    let arm = Arm::from_rows("events", rows)?;
    let fit = Fit { logarithm: ln(arm.rate), rows: rows.len(), rates: 1, pulls: arm.pulls.clone() };
    let error = fit.standard_error()?;
    Ok(Rate {
        worlds: arm.pulls.len() as u64,
        events: arm.events,
        exposure: arm.exposure,
        rate: arm.rate,
        log_standard_error: error,
        interval: fit.interval(error, level)?,
    })
}

/// The incidence rate ratio: the rate of `arm` over that of `baseline`, which may have lived in the same worlds or in others: the variance
/// of the ratio's logarithm is as in [`rate`], with k = 2, of each world's pull at the arm's rate less that at the baseline's.
///
/// # Errors
/// As [`rate`]; an arm without events has no finite ratio.
pub fn rate_ratio(arm: &[Exposure], baseline: &[Exposure], level: f64) -> Result<RateRatio, StatsError> {
    let (of_arm, of_baseline) =
        (Arm::from_rows("events of the arm", arm)?, Arm::from_rows("events of the baseline", baseline)?);
    let mut pulls = of_arm.pulls.clone();
    for (world, pull) in &of_baseline.pulls {
        *pulls.entry(*world).or_insert(0.0) -= pull;
    }
    let worlds = pulls.len() as u64;
    let logarithm = ln(of_arm.rate / of_baseline.rate);
    let fit = Fit { logarithm, rows: arm.len() + baseline.len(), rates: 2, pulls };
    let error = fit.standard_error()?;
    let t = logarithm / error;
    Ok(RateRatio {
        worlds,
        rate: of_arm.rate,
        baseline_rate: of_baseline.rate,
        ratio: of_arm.rate / of_baseline.rate,
        log_standard_error: error,
        t,
        p: student_two_sided(t, fit.degrees_of_freedom()),
        interval: fit.interval(error, level)?,
    })
}

/// The sums of one arm.
struct Arm {
    /// Events of all rows.
    events: u64,
    /// Exposure of all rows.
    exposure: f64,
    /// Events per unit of exposure.
    rate: f64,
    /// By how much each world moves the logarithm of the rate: Σ(y − r·e) / Σy.
    pulls: BTreeMap<u32, f64>,
}

impl Arm {
    fn from_rows(subject: &str, rows: &[Exposure]) -> Result<Self, StatsError> {
        let exposures: Vec<f64> = rows.iter().map(|row| row.exposure).collect();
        check("exposure", &exposures, 1)?;
        if let Some(index) = exposures.iter().position(|exposure| *exposure <= 0.0) {
            return Err(StatsError::OutOfRange {
                subject: format!("exposure, row {}", index + 1),
                value: exposures[index].to_string(),
                remedy: "above 0".to_owned(),
            });
        }
        let events: u64 = rows.iter().map(|row| row.events).fold(0, u64::saturating_add);
        if events == 0 {
            return Err(StatsError::TooFew { subject: subject.to_owned(), found: 0, needed: 1 });
        }
        let exposure: f64 = exposures.iter().sum();
        let rate = events as f64 / exposure;
        let mut pulls = BTreeMap::new();
        for row in rows {
            let excess = row.events as f64 - rate * row.exposure;
            *pulls.entry(row.world).or_insert(0.0) += excess / events as f64;
        }
        Ok(Self { events, exposure, rate, pulls })
    }
}

/// A logarithm, and how whole worlds pull at it.
struct Fit {
    /// ln of the rate or ratio.
    logarithm: f64,
    /// Rows of the data, N.
    rows: usize,
    /// Rates that were estimated, k: 1 or 2.
    rates: usize,
    /// By world.
    pulls: BTreeMap<u32, f64>,
}

impl Fit {
    fn degrees_of_freedom(&self) -> f64 {
        self.pulls.len() as f64 - 1.0
    }

    fn standard_error(&self) -> Result<f64, StatsError> {
        let worlds = self.pulls.len();
        if worlds < 2 {
            return Err(StatsError::TooFew { subject: "worlds".to_owned(), found: worlds, needed: 2 });
        }
        if self.rows <= self.rates {
            let subject = "rows of the model".to_owned();
            return Err(StatsError::TooFew { subject, found: self.rows, needed: self.rates + 1 });
        }
        let (groups, rows) = (worlds as f64, self.rows as f64);
        let correction = groups / (groups - 1.0) * ((rows - 1.0) / (rows - self.rates as f64));
        let squares: f64 = self.pulls.values().map(|pull| pull * pull).sum();
        // Pulls of equal worlds are what rounding leaves of 0.
        if squares <= PULLS_MIN {
            return Err(StatsError::Constant("the rate of the worlds".to_owned()));
        }
        Ok((correction * squares).sqrt())
    }

    fn interval(&self, standard_error: f64, level: f64) -> Result<Interval, StatsError> {
        check_share("level", level)?;
        let half = standard_error * student_quantile(0.5 + level / 2.0, self.degrees_of_freedom());
        // Two worlds can leave an interval beyond what a number holds: then it says the largest there is.
        let end = |logarithm: f64| exp(logarithm).min(f64::MAX);
        Ok(Interval { low: end(self.logarithm - half), high: end(self.logarithm + half), level })
    }
}
