//! The survival curve of Kaplan and Meier (1958), with Greenwood's variance (1926). It is the product-limit estimator (Kaplan-Meier curve):
//! shares from 0 to 1 over times in the caller's unit. Beyond the last observation it is unknown. It is used in place of a share of
//! survivors, because some lives are censored. Sweeps and `morta compare` have its median as a measure of each run, and a sweep's survival
//! report has it of each arm, `inspect` of each cohort; curves with bands are drawn by reports, `watch` and the command for survival
//! tables, and the Python binding returns them. Bands take lives as independent, whatever world they share.

use crate::distribution::normal_quantile;
use crate::error::StatsError;
use crate::summary::{Interval, check_share};
use crate::survival::Lifetimes;
use morta_base::math::{exp, ln, pow};
use serde::{Deserialize, Serialize};

/// A step of the Kaplan-Meier curve, from one time on: a row of a life table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurvivalStep {
    /// A time at which a life ended or was censored.
    pub time: f64,
    /// Lives under observation that reach it, whatever they weigh.
    pub at_risk: u64,
    /// Deaths at it.
    pub events: u64,
    /// Censored at it.
    pub censored: u64,
    /// Share that survives it, in [0, 1].
    pub survival: f64,
    /// Greenwood's variance and the bands; `None` once no life is left, where they are not defined.
    pub spread: Option<SurvivalSpread>,
}

/// The uncertainty of the survival curve at a time: its standard error, and the confidence band there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurvivalSpread {
    /// Greenwood's variance of the survival, S²·Σ d / (n·(n − d)).
    pub variance: f64,
    /// S ± z·√variance, cut to [0, 1].
    pub plain: Interval,
    /// The same on the scale of ln(−ln S), which stays in [0, 1] by itself (Kalbfleisch & Prentice).
    pub log_log: Interval,
}

/// The median survival time (lifetime): that by which half are dead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MedianSurvival {
    /// The first time at which the curve is at ½ or below; `None` when it never is: more than half outlived the observation.
    pub time: Option<f64>,
    /// The same of the lower log-log band.
    pub low: Option<f64>,
    /// The same of the upper log-log band; `None`: no upper limit.
    pub high: Option<f64>,
    /// Confidence level, in (0, 1).
    pub level: f64,
}

/// A survival curve by the Kaplan-Meier estimate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KaplanMeier {
    /// Number of lives.
    pub lives: u64,
    /// Number of deaths seen.
    pub events: u64,
    /// Steps by ascending time; before the first, survival is 1.
    pub steps: Vec<SurvivalStep>,
    /// The median.
    pub median: MedianSurvival,
}

impl KaplanMeier {
    /// Estimates the Kaplan-Meier curve of these lives, with confidence bands of this level.
    ///
    /// # Errors
    /// When the level is not within (0, 1), or everybody under observation dies while others enter later.
    pub fn from_lifetimes(lifetimes: &Lifetimes, level: f64) -> Result<Self, StatsError> {
        check_share("level", level)?;
        let z = normal_quantile(0.5 + level / 2.0);
        let moments = lifetimes.moments();
        lifetimes.check_curve(&moments)?;
        let (mut survival, mut greenwood) = (1.0, 0.0);
        let mut steps = Vec::with_capacity(moments.len());
        for moment in &moments {
            survival *= moment.surviving();
            let left = moment.left > 0.0;
            if left {
                greenwood += moment.deaths / (moment.risk() * moment.left);
            }
            steps.push(SurvivalStep {
                time: moment.time,
                at_risk: moment.at_risk,
                events: moment.events,
                censored: moment.censored,
                survival,
                spread: left.then(|| spread(survival, greenwood, z, level)),
            });
        }
        let events = lifetimes.event_count() as u64;
        let median = median(&steps, level);
        Ok(Self { lives: lifetimes.count() as u64, events, steps, median })
    }

    /// The survival probability: the share that survives a time. The test of proportional hazards takes one less that for its scale of
    /// time.
    pub fn survival_at(&self, time: f64) -> f64 {
        let passed = self.steps.partition_point(|step| step.time <= time);
        passed.checked_sub(1).map_or(1.0, |last| self.steps[last].survival)
    }
}

fn spread(survival: f64, greenwood: f64, z: f64, level: f64) -> SurvivalSpread {
    let variance = survival * survival * greenwood;
    let half = z * variance.sqrt();
    let plain = Interval { low: (survival - half).max(0.0), high: (survival + half).min(1.0), level };
    let log_log = if survival < 1.0 {
        let factor = exp(z * greenwood.sqrt() / -ln(survival));
        Interval { low: pow(survival, factor), high: pow(survival, 1.0 / factor), level }
    } else {
        plain
    };
    SurvivalSpread { variance, plain, log_log }
}

fn median(steps: &[SurvivalStep], level: f64) -> MedianSurvival {
    let first = |reached: &dyn Fn(&SurvivalStep) -> bool| steps.iter().find(|s| reached(s)).map(|s| s.time);
    // Rounding in a product of quotients must not make a half into more than a half.
    let half = 0.5 + 1e-12;
    MedianSurvival {
        time: first(&|step| step.survival <= half),
        // Where no life is left the curve is 0, and so is its lower band.
        low: first(&|step| step.spread.is_none_or(|spread| spread.log_log.low <= half)),
        high: first(&|step| step.spread.is_some_and(|spread| spread.log_log.high <= half)),
        level,
    }
}
