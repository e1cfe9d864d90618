//! How long lives last in the baseline and the arms compared with it: curves of all worlds' lives together, beside the comparison world by
//! world.
//!
//! Curves, medians and the log-rank test pool the lives of all worlds and take them for independent, which lives of one world are not: they
//! describe. Death rates have errors by world (a sandwich over worlds, as statsmodels' GLM with clusters has it). Arms are tested in the
//! restricted mean of each world, one number a world and arm, by `compare`; it decides only where it is the primary measure.
//!
//! Lifespans are ticks, death rates are deaths a tick (person-time), and curves are Kaplan-Meier estimates. The horizon of restricted means
//! is the registered one, in ticks. Without a registration of survival there is no such report, and the tables of lives aren't read.

use super::compare::DecisionRules;
use super::report::ArmReport;
use crate::io::error::Result;
use crate::io::table::{RowReader, selection};
use crate::run::run_folder::Life;
use crate::sweep::sweep_file::Sweep;
use morta_stats::rates::{Exposure, Rate, RateRatio, rate, rate_ratio};
use morta_stats::survival::kaplan_meier::{KaplanMeier, MedianSurvival};
use morta_stats::survival::log_rank::{LogRank, log_rank};
use morta_stats::survival::restricted_mean::{RestrictedMean, restricted_mean};
use morta_stats::survival::{Group, Lifetimes};
use morta_stats::{Computed, StatsError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Most arms of one log-rank test: its covariance matrix grows with the square of their number, and to be inverted takes their cube.
const GROUPS_MAX: usize = 50;

selection! {
    struct Lifetime of Life {
        cohort: String,
        lifespan_ticks: u64,
        censored: bool,
    }
}

/// The lives of one cohort in all worlds of an arm (pooled survival data). It has durations, deaths and censored lives, and the exposure of
/// each world.
#[derive(Clone, Debug, Default)]
pub(crate) struct PooledLives {
    /// Lifespan of each life in ticks, and whether it died or is censored.
    durations: Vec<f64>,
    died: Vec<bool>,
    /// Deaths and golem-ticks of each world.
    worlds: Vec<Exposure>,
}

impl PooledLives {
    /// Adds the lives of a cell's table; `cohort` may be everybody (survival data).
    ///
    /// # Errors
    /// When it can't be read.
    pub(crate) fn add(&mut self, path: &Path, cohort: &str, world: u32) -> Result<()> {
        let mut lived = Exposure { world, events: 0, exposure: 0.0 };
        for life in RowReader::<Lifetime>::open(path)? {
            let life = life?;
            if cohort == crate::sweep::measure::EVERYBODY || life.cohort == cohort {
                self.durations.push(life.lifespan_ticks as f64);
                self.died.push(!life.censored);
                lived.exposure += life.lifespan_ticks as f64;
                lived.events += u64::from(!life.censored);
            }
        }
        // A world without a tick of exposure has no rate; as a row of 0/0 it would count as a world of the sandwich.
        if lived.exposure > 0.0 {
            self.worlds.push(lived);
        }
        Ok(())
    }

    fn group(&self, arm: &str) -> Result<Group, StatsError> {
        let lifetimes = Lifetimes::new(self.durations.clone(), self.died.clone())?;
        Ok(Group { name: arm.to_owned(), lifetimes })
    }
}

/// The survival analysis, as `survival` of `analysis.json` holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SurvivalReport {
    /// The cohort.
    pub cohort: String,
    /// Age up to which restricted means go, ticks.
    pub horizon_ticks: u64,
    /// How to read it.
    pub about: String,
    /// All lives of each arm.
    pub arms: Vec<ArmSurvival>,
    /// Whether the curves differ, over arms.
    pub log_rank: Computed<LogRank>,
    /// The restricted mean of each world, compared world by world; none when that is the primary measure already.
    pub restricted_mean_per_world: Option<Vec<ArmReport>>,
}

const ABOUT: &str = "Lives of one world share its luck. Curves, their intervals and the log-rank test take all lives for \
    independent, so they describe and decide nothing; death rates have errors by world, uncorrected; arms are compared by the restricted mean of each \
    world.";

/// The survival of one arm: median survival and survival curve of its lives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmSurvival {
    /// The arm.
    pub arm: String,
    /// Lives.
    pub lives: u64,
    /// Of these, seen to end.
    pub deaths: u64,
    /// Kaplan and Meier's median, in ticks; its time is none when the curve never falls to a half.
    pub median: Computed<MedianSurvival>,
    /// Deaths per golem-tick, its error by world: lives of one world share its luck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub death_rate: Option<Computed<Rate>>,
    /// Its ratio to the baseline's; none for the baseline itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_ratio: Option<Computed<RateRatio>>,
    /// The area under their curve up to the horizon, in ticks.
    pub restricted_mean: Computed<RestrictedMean>,
}

impl SurvivalReport {
    /// The report of the lives of all arms (survival analysis).
    pub(crate) fn from_lives(
        sweep: &Sweep,
        rules: &DecisionRules<'_>,
        cohort: String,
        lives: &[PooledLives],
        restricted_mean_per_world: Option<Vec<ArmReport>>,
    ) -> Self {
        let (horizon_ticks, level) = (sweep.horizon_ticks(sweep.baseline()), rules.options.level);
        let compared = sweep.compared();
        let groups: Vec<Result<Group, StatsError>> =
            compared.iter().map(|arm| lives[*arm].group(&sweep.arms[*arm].name)).collect();
        let baseline = sweep.baseline();
        let arm = |(number, group): (&usize, &Result<Group, StatsError>)| {
            let arm = &sweep.arms[*number];
            let lifetimes = group.as_ref().map(|group| &group.lifetimes).map_err(Clone::clone);
            let curve = lifetimes.clone().and_then(|lifetimes| KaplanMeier::from_lifetimes(lifetimes, level));
            let mean = group.as_ref().map_err(Clone::clone);
            ArmSurvival {
                arm: arm.name.clone(),
                lives: lifetimes.as_ref().map_or(0, |lifetimes| lifetimes.count() as u64),
                deaths: lifetimes.map_or(0, |lifetimes| lifetimes.event_count() as u64),
                death_rate: Some(rate(&lives[*number].worlds, level).into()),
                rate_ratio: (*number != baseline)
                    .then(|| rate_ratio(&lives[*number].worlds, &lives[baseline].worlds, level).into()),
                median: curve.map(|curve| curve.median).into(),
                restricted_mean: mean
                    .and_then(|group| restricted_mean(group, horizon_ticks as f64, level))
                    .into(),
            }
        };
        let arms = compared.iter().zip(&groups).map(arm).collect();
        Self {
            cohort,
            horizon_ticks,
            about: ABOUT.to_owned(),
            arms,
            log_rank: over_arms(groups),
            restricted_mean_per_world,
        }
    }
}

fn over_arms(groups: Vec<Result<Group, StatsError>>) -> Computed<LogRank> {
    if groups.len() > GROUPS_MAX {
        let why = format!("there are {} arms, and the most is {GROUPS_MAX}", groups.len());
        return Computed::Unknown { cannot_be_computed: why };
    }
    // Arms of which no life is known are left out: the test says which groups it is of.
    let known: Vec<Group> = groups.into_iter().flatten().collect();
    log_rank(&known).into()
}
