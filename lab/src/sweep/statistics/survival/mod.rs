//! Lifetimes when some outlast their observation (right-censored, and left-truncated where entries are given). Holm's correction covers the
//! restricted means of the groups; the log-rank test is one test for all groups, so it needs none. It is survival analysis of a user's
//! table: Kaplan-Meier, log-rank test, restricted mean survival time, Cox model. Times are in the unit of the table. A table in which no
//! life ended is refused. `morta stats survival` calls it. The survival report of a sweep is another one, made by its analysis: that pools
//! the lives of all worlds for its curves too, but compares arms by one restricted mean a world.

mod text;

use super::cox::{self, CoxReport};
use super::groups::Names;
use crate::io::error::{Error, Result};
use crate::io::limits::Limits;
use crate::io::table_file::{Only, TableFile};
use morta_stats::multiple::holm;
use morta_stats::survival::cox::{CoxOptions, Ties};
use morta_stats::survival::kaplan_meier::KaplanMeier;
use morta_stats::survival::log_rank::{LogRank, log_rank};
use morta_stats::survival::restricted_mean::{
    RestrictedMean, RestrictedMeanDifference, common_horizon, difference, restricted_mean,
};
use morta_stats::survival::{Group, Lifetimes, WEIGHTS};
use morta_stats::{Computed, StatsError};
use serde::Serialize;
use std::path::PathBuf;

/// Times at which the numbers at risk are listed, the first of them 0 and the last the horizon. A curve without them hides that its tail may rest on
/// a handful of lives.
const RISK_TIMES: u32 = 6;

/// Which table of lives, what its columns are, and how it is analysed (survival analysis settings): the duration column, the event column,
/// groups, Cox covariates, tie handling, horizon, confidence level.
#[derive(Clone, Debug)]
pub struct SurvivalOptions {
    /// A table with a header, CSV or Parquet (`lives.parquet` of a run, say); `-` reads CSV from standard input.
    pub file: PathBuf,
    /// The column of durations: numbers from 0.
    pub duration: String,
    /// The column that says whether a life ended in the event (true, false, 1 or 0) or was censored; `!COLUMN` for one that says the
    /// opposite; `COLUMN=VALUE`, or with another sign of [`Only`], where another value is the event.
    pub event: String,
    /// The column of entries: from when on each life was observed, on the scale of the durations (left truncation); all from the start when
    /// none.
    pub entry: Option<String>,
    /// The column of weights, from 1e-6 to 1e6; 1 when none.
    pub weight: Option<String>,
    /// The column of the groups to compare.
    pub group: Option<String>,
    /// The group that the others are compared with; the first by name when none.
    pub baseline: Option<String>,
    /// Columns of a Cox model: numbers, true and false, or text (as indicators); the groups when there are none.
    pub covariates: Vec<String>,
    /// Lives with the same value here may depend on each other (their world, their lineage): robust standard errors.
    pub cluster: Option<String>,
    /// What the Cox model does with deaths at one time.
    pub ties: Ties,
    /// Up to which time mean survival is taken, above 0; the shortest of the groups' last durations when none.
    pub horizon: Option<f64>,
    /// Confidence level of intervals, above 0 and below 1.
    pub level: f64,
    /// Only rows with all these values count.
    pub only: Vec<Only>,
}

/// The report of a survival analysis: how long lives last, by group.
#[derive(Debug, Serialize)]
pub struct SurvivalAnalysis {
    /// The table.
    pub file: String,
    /// Its column of durations.
    pub duration: String,
    /// Its column of events, as it was asked for.
    pub event: String,
    /// Its column of entries.
    pub entry: Option<String>,
    /// Its column of weights.
    pub weight: Option<String>,
    /// Its column of groups.
    pub group: Option<String>,
    /// The group that the others are compared with.
    pub baseline: Option<String>,
    /// Confidence level of intervals, in (0, 1).
    pub level: f64,
    /// All lives.
    pub lives: u64,
    /// Those that ended in the event.
    pub events: u64,
    /// The baseline first, then the others by name; one when there is no column of groups.
    pub groups: Vec<GroupSurvival>,
    /// Whether the groups differ, if there are any.
    pub log_rank: Option<Computed<LogRank>>,
    /// The restricted mean of every other group less the baseline's.
    pub restricted_mean_differences: Vec<SurvivalDifference>,
    /// The model, if there are columns for one.
    pub cox: Option<CoxReport>,
    /// Sentences to quote.
    pub sentences: Vec<String>,
}

/// The survival of one group: its median, restricted mean and Kaplan-Meier curve.
#[derive(Debug, Serialize)]
pub struct GroupSurvival {
    /// As the column of groups has it; `all` without one.
    pub group: String,
    /// Kaplan and Meier's curve, with the median.
    pub curve: KaplanMeier,
    /// Lives that were still observed, from time 0 to the horizon.
    pub numbers_at_risk: Vec<AtRisk>,
    /// Mean survival up to the horizon.
    pub restricted_mean: Computed<RestrictedMean>,
    /// The lives themselves, for figures.
    #[serde(skip)]
    pub(crate) lifetimes: Lifetimes,
}

/// The number at risk: how many lives are still observed at a time.
#[derive(Debug, Serialize)]
pub struct AtRisk {
    /// In the unit of the durations.
    pub time: f64,
    /// Neither ended nor censored before it.
    pub lives: u64,
}

/// The RMST difference: the restricted mean of a group less the baseline's.
#[derive(Debug, Serialize)]
pub struct SurvivalDifference {
    /// The group.
    pub group: String,
    /// By how much, with an interval and p.
    pub difference: Computed<RestrictedMeanDifference>,
    /// p adjusted for the number of groups by Holm's method.
    pub holm_p: Option<f64>,
}

impl SurvivalAnalysis {
    /// Reads a table and makes its survival analysis.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a column is missing or holds what can't be, or an option is out of range.
    pub fn from_table(request: &SurvivalOptions, limits: &Limits) -> Result<Self> {
        if let Some(horizon) = request.horizon.filter(|horizon| !(horizon.is_finite() && *horizon > 0.0)) {
            return Err(Error::invalid(format!("--horizon {horizon}: must be a number above 0")));
        }
        if request.cluster.is_some() && request.group.is_none() && request.covariates.is_empty() {
            let line = "--cluster is for the Cox model: name its columns with --covariates, or --group";
            return Err(Error::invalid(line));
        }
        let (event, negated) = match request.event.strip_prefix('!') {
            Some(column) => (column, true),
            None => (request.event.as_str(), false),
        };
        let value: Option<Only> = event.parse().ok();
        let event = value.as_ref().map_or(event, Only::column);
        let wanted: Vec<&str> = [request.duration.as_str(), event]
            .into_iter()
            .chain(request.entry.as_deref())
            .chain(request.weight.as_deref())
            .chain(request.group.as_deref())
            .chain(request.covariates.iter().map(String::as_str))
            .chain(request.cluster.as_deref())
            .collect();
        let table = TableFile::read_only(&request.file, &wanted, &request.only, limits)?;
        let events = value.as_ref().map_or_else(|| table.flags(event), |value| table.which(value))?;
        let events: Vec<bool> = events.into_iter().map(|event| event != negated).collect();
        let lifetimes = lives(&table, request, events)?;
        if lifetimes.event_count() == 0 {
            let (file, column) = (table.name(), &request.event);
            return Err(Error::invalid(format!(
                "{file}: {column} is true of no row: every life is censored, and there is nothing to analyse"
            )));
        }
        let wrong = |error: StatsError| Error::at(table.name(), error);
        let groups = groups(&table, request, &lifetimes)?;
        let horizon = request.horizon.map_or_else(|| common_horizon(&groups), Ok).map_err(wrong)?;
        let reports: Vec<GroupSurvival> = groups
            .iter()
            .map(|group| of_group(&table, group, horizon, request.level))
            .collect::<Result<_>>()?;
        let grouped = request.group.is_some();
        let columns: Vec<&str> = if request.covariates.is_empty() {
            request.group.as_deref().into_iter().collect()
        } else {
            request.covariates.iter().map(String::as_str).collect()
        };
        let baseline = grouped.then(|| groups[0].name.clone());
        let options = CoxOptions { ties: request.ties, level: request.level };
        let pair = request.group.as_deref().zip(baseline.as_deref());
        let fitted = |lives| cox::report(&table, lives, &columns, pair, request.cluster.as_deref(), &options);
        let (lives, events) = (lifetimes.count() as u64, lifetimes.event_count() as u64);
        let cox = if columns.is_empty() { None } else { Some(fitted(lifetimes)?) };
        let mut report = Self {
            file: table.name().to_owned(),
            duration: request.duration.clone(),
            event: request.event.clone(),
            entry: request.entry.clone(),
            weight: request.weight.clone(),
            group: request.group.clone(),
            baseline,
            level: request.level,
            lives,
            events,
            log_rank: grouped.then(|| log_rank(&groups).into()),
            restricted_mean_differences: differences(&reports),
            groups: reports,
            cox,
            sentences: Vec::new(),
        };
        report.sentences = text::sentences(&report);
        Ok(report)
    }
}

/// The lives of a table; an invalid one is refused with its row.
fn lives(table: &TableFile, request: &SurvivalOptions, events: Vec<bool>) -> Result<Lifetimes> {
    let durations = table.numbers(&request.duration)?;
    let refuse = |column: &str, values: &[f64], remedy: &str, is_good: &dyn Fn(usize) -> bool| match (0
        ..values.len())
        .find(|row| !is_good(*row))
    {
        Some(row) => Err(table.mistake(row, format!("{column} = {}: {remedy}", values[row]))),
        None => Ok(()),
    };
    let wrong = |error: StatsError| Error::at(table.name(), error);
    refuse(&request.duration, &durations, "must be 0 or more", &|row| durations[row] >= 0.0)?;
    let mut lives = Lifetimes::new(durations.clone(), events).map_err(wrong)?;
    if let Some(column) = &request.entry {
        let entries = table.numbers(column)?;
        let remedy = format!(
            "must be from 0 to before the life's {}: leave out lives that ended before they could be observed",
            request.duration
        );
        let is_before = |row: usize| (0.0..durations[row]).contains(&entries[row]) || entries[row] == 0.0;
        refuse(column, &entries, &remedy, &is_before)?;
        lives = lives.entered_at(entries).map_err(wrong)?;
    }
    if let Some(column) = &request.weight {
        let weights = table.numbers(column)?;
        let (least, most) = (WEIGHTS.start(), WEIGHTS.end());
        let remedy = format!("must be from {least:e} to {most:e}: leave out lives that weigh nothing");
        refuse(column, &weights, &remedy, &|row| WEIGHTS.contains(&weights[row]))?;
        lives = lives.weighted(weights).map_err(wrong)?;
    }
    Ok(lives)
}

/// The baseline first; without a group column, all lives are one group.
fn groups(table: &TableFile, request: &SurvivalOptions, lifetimes: &Lifetimes) -> Result<Vec<Group>> {
    let Some(column) = &request.group else {
        return Ok(vec![Group { name: "all".to_owned(), lifetimes: lifetimes.clone() }]);
    };
    let labels = table.labels(column)?;
    let names = Names::from_labels(table.name(), column, &labels, request.baseline.as_deref())?;
    let of_name = |name: &String| {
        let rows: Vec<usize> = (0..labels.len()).filter(|row| *labels[*row] == **name).collect();
        let lifetimes = lifetimes.of_rows(&rows).expect("every name has lives, checked before");
        Group { name: name.clone(), lifetimes }
    };
    Ok(names.all.iter().map(of_name).collect())
}

fn of_group(table: &TableFile, group: &Group, horizon: f64, level: f64) -> Result<GroupSurvival> {
    let curve = KaplanMeier::from_lifetimes(&group.lifetimes, level).map_err(|error| match error {
        StatsError::NobodyLeft { .. } => Error::at(table.name(), format!("group {}: {error}", group.name)),
        error => Error::invalid(format!("--level: {error}")),
    })?;
    let times: Vec<f64> =
        (0..RISK_TIMES).map(|n| horizon * f64::from(n) / f64::from(RISK_TIMES - 1)).collect();
    let lives = group.lifetimes.at_risk(&times);
    Ok(GroupSurvival {
        group: group.name.clone(),
        curve,
        numbers_at_risk: times.into_iter().zip(lives).map(|(time, lives)| AtRisk { time, lives }).collect(),
        restricted_mean: restricted_mean(group, horizon, level).into(),
        lifetimes: group.lifetimes.clone(),
    })
}

fn differences(groups: &[GroupSurvival]) -> Vec<SurvivalDifference> {
    let Some((baseline, others)) = groups.split_first() else { return Vec::new() };
    let of_group = |other: &GroupSurvival| {
        let why = [other, baseline].into_iter().find_map(|group| group.restricted_mean.why_not());
        let difference = match (other.restricted_mean.known(), baseline.restricted_mean.known()) {
            (Some(one), Some(other)) => difference(one, other).into(),
            _ => Computed::Unknown { cannot_be_computed: why.unwrap_or_default().to_owned() },
        };
        SurvivalDifference { group: other.group.clone(), difference, holm_p: None }
    };
    let mut differences: Vec<SurvivalDifference> = others.iter().map(of_group).collect();
    let p = |difference: &SurvivalDifference| difference.difference.known().and_then(|known| known.p);
    let known: Vec<f64> = differences.iter().filter_map(p).collect();
    let mut adjusted = holm(&known).unwrap_or_default().into_iter();
    for difference in differences.iter_mut().filter(|difference| p(difference).is_some()) {
        difference.holm_p = adjusted.next();
    }
    differences
}
