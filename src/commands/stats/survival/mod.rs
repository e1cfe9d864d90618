//! `morta stats survival`: how long lives last when some outlast their observation.

mod text;

use super::cox::{self, CoxReport};
use super::groups::Names;
use crate::failure::UserError;
use clap::ValueEnum;
use morta_engine::stats::multiple::holm;
use morta_engine::stats::survival::cox::{CoxOptions, Ties};
use morta_engine::stats::survival::kaplan_meier::KaplanMeier;
use morta_engine::stats::survival::log_rank::{LogRank, log_rank};
use morta_engine::stats::survival::restricted_mean::{
    RestrictedMean, RestrictedMeanDifference, common_horizon, difference, restricted_mean,
};
use morta_engine::stats::survival::{Group, Lifetimes};
use morta_engine::stats::{Figure, StatsError};
use morta_lab::table_file::{Only, TableFile};
use serde::Serialize;
use std::path::PathBuf;

/// Times at which the numbers at risk are told, the first of them 0 and the last the horizon.
const RISK_TIMES: u32 = 6;

/// The flags of `morta stats survival`.
#[derive(clap::Args)]
pub struct Args {
    /// A table with a header, CSV or Parquet (`lives.parquet` of a run, say); - reads CSV from standard input.
    file: PathBuf,
    /// The column of durations: numbers from 0.
    #[arg(long, value_name = "COLUMN")]
    duration: String,
    /// The column that says whether a life ended in the event (true, false, 1 or 0) or was censored; `!COLUMN` for one that says the
    /// opposite.
    #[arg(long, value_name = "COLUMN")]
    event: String,
    /// The column of the groups to compare.
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// The group that the others are compared with; the first by name when left out.
    #[arg(long, value_name = "NAME", requires = "group")]
    baseline: Option<String>,
    /// Columns of a Cox model, comma-separated: numbers, true and false, or text (as indicators); the groups when left out.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    covariates: Vec<String>,
    /// Lives with the same value here may depend on each other (their world, their lineage): robust standard errors.
    #[arg(long, value_name = "COLUMN")]
    cluster: Option<String>,
    /// What the Cox model does with deaths at one time.
    #[arg(long, value_enum, default_value_t = TiesFlag::Efron)]
    ties: TiesFlag,
    /// Up to which time mean survival is taken; the shortest of the groups' last durations when left out.
    #[arg(long, value_name = "TIME")]
    horizon: Option<f64>,
    /// Confidence level of intervals.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    level: f64,
    /// Only rows with this value, as in cohort=all; may be given several times.
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Vec<Only>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum TiesFlag {
    Efron,
    Breslow,
}

/// What the lives say.
#[derive(Debug, Serialize)]
pub struct Report {
    file: String,
    duration: String,
    event: String,
    group: Option<String>,
    baseline: Option<String>,
    level: f64,
    lives: u64,
    events: u64,
    groups: Vec<GroupReport>,
    log_rank: Option<Figure<LogRank>>,
    restricted_mean_differences: Vec<Difference>,
    cox: Option<CoxReport>,
    /// What a paper could say of it.
    sentences: Vec<String>,
}

#[derive(Debug, Serialize)]
struct GroupReport {
    group: String,
    curve: KaplanMeier,
    numbers_at_risk: Vec<AtRisk>,
    restricted_mean: Figure<RestrictedMean>,
}

#[derive(Debug, Serialize)]
struct AtRisk {
    time: f64,
    lives: u64,
}

#[derive(Debug, Serialize)]
struct Difference {
    group: String,
    difference: Figure<RestrictedMeanDifference>,
    /// Adjusted for the number of groups by Holm's method.
    holm_p: Option<f64>,
}

impl Report {
    /// Reads and computes.
    pub fn of(args: &Args) -> anyhow::Result<Self> {
        if let Some(horizon) = args.horizon.filter(|horizon| !(horizon.is_finite() && *horizon > 0.0)) {
            return Err(UserError::new(format!("--horizon {horizon}: must be a number above 0")));
        }
        if args.cluster.is_some() && args.group.is_none() && args.covariates.is_empty() {
            let line = "--cluster is for the Cox model: name its columns with --covariates, or --group";
            return Err(UserError::new(line));
        }
        let (event, negated) = match args.event.strip_prefix('!') {
            Some(column) => (column, true),
            None => (args.event.as_str(), false),
        };
        let wanted: Vec<&str> = [args.duration.as_str(), event]
            .into_iter()
            .chain(args.group.as_deref())
            .chain(args.covariates.iter().map(String::as_str))
            .chain(args.cluster.as_deref())
            .collect();
        let table = TableFile::read_only(&args.file, &wanted, &args.only)?;
        let durations = table.numbers(&args.duration)?;
        if let Some(row) = durations.iter().position(|duration| *duration < 0.0) {
            return Err(table
                .mistake(row, format!("{} = {}: must be 0 or more", args.duration, durations[row]))
                .into());
        }
        let events: Vec<bool> = table.flags(event)?.into_iter().map(|event| event != negated).collect();
        if !events.contains(&true) {
            let (file, column) = (table.name(), &args.event);
            return Err(UserError::new(format!(
                "{file}: {column} is true of no row: every life is censored, and there is nothing to analyse"
            )));
        }
        let wrong = |error: StatsError| UserError::new(format!("{}: {error}", table.name()));
        let lifetimes = Lifetimes::new(durations, events).map_err(wrong)?;
        let groups = groups(&table, args, &lifetimes)?;
        let horizon = args.horizon.map_or_else(|| common_horizon(&groups), Ok).map_err(wrong)?;
        let reports: Vec<GroupReport> =
            groups.iter().map(|group| of_group(group, horizon, args.level)).collect::<anyhow::Result<_>>()?;
        let grouped = args.group.is_some();
        let columns: Vec<&str> = if args.covariates.is_empty() {
            args.group.as_deref().into_iter().collect()
        } else {
            args.covariates.iter().map(String::as_str).collect()
        };
        let baseline = grouped.then(|| groups[0].name.clone());
        let options = CoxOptions { ties: args.ties.into(), level: args.level };
        let pair = args.group.as_deref().zip(baseline.as_deref());
        let fitted = |lives| cox::report(&table, lives, &columns, pair, args.cluster.as_deref(), &options);
        let (lives, events) = (lifetimes.count() as u64, lifetimes.event_count() as u64);
        let cox = if columns.is_empty() { None } else { Some(fitted(lifetimes)?) };
        let mut report = Self {
            file: table.name().to_owned(),
            duration: args.duration.clone(),
            event: args.event.clone(),
            group: args.group.clone(),
            baseline,
            level: args.level,
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

impl From<TiesFlag> for Ties {
    fn from(flag: TiesFlag) -> Self {
        match flag {
            TiesFlag::Efron => Self::Efron,
            TiesFlag::Breslow => Self::Breslow,
        }
    }
}

/// The baseline first; without a group column, all lives are one group.
fn groups(table: &TableFile, args: &Args, lifetimes: &Lifetimes) -> anyhow::Result<Vec<Group>> {
    let Some(column) = &args.group else {
        return Ok(vec![Group { name: "all".to_owned(), lifetimes: lifetimes.clone() }]);
    };
    let labels = table.labels(column)?;
    let names = Names::of(table.name(), column, &labels, args.baseline.as_deref())?;
    let of_name = |name: &String| {
        let rows = (0..labels.len()).filter(|row| labels[*row] == *name);
        let (durations, events) =
            rows.map(|row| (lifetimes.durations()[row], lifetimes.events()[row])).unzip();
        let lifetimes = Lifetimes::new(durations, events).expect("every name has lives, checked before");
        Group { name: name.clone(), lifetimes }
    };
    Ok(names.all.iter().map(of_name).collect())
}

fn of_group(group: &Group, horizon: f64, level: f64) -> anyhow::Result<GroupReport> {
    let curve = KaplanMeier::of(&group.lifetimes, level);
    let curve = curve.map_err(|error| UserError::new(format!("--level: {error}")))?;
    let times: Vec<f64> =
        (0..RISK_TIMES).map(|n| horizon * f64::from(n) / f64::from(RISK_TIMES - 1)).collect();
    let lives = group.lifetimes.at_risk(&times);
    Ok(GroupReport {
        group: group.name.clone(),
        curve,
        numbers_at_risk: times.into_iter().zip(lives).map(|(time, lives)| AtRisk { time, lives }).collect(),
        restricted_mean: restricted_mean(group, horizon, level).into(),
    })
}

fn differences(groups: &[GroupReport]) -> Vec<Difference> {
    let Some((baseline, others)) = groups.split_first() else { return Vec::new() };
    let of_group = |other: &GroupReport| {
        let why = [other, baseline].into_iter().find_map(|group| group.restricted_mean.why_not());
        let difference = match (other.restricted_mean.known(), baseline.restricted_mean.known()) {
            (Some(one), Some(other)) => difference(one, other).into(),
            _ => Figure::Unknown { cannot_be_computed: why.unwrap_or_default().to_owned() },
        };
        Difference { group: other.group.clone(), difference, holm_p: None }
    };
    let mut differences: Vec<Difference> = others.iter().map(of_group).collect();
    let p = |difference: &Difference| difference.difference.known().and_then(|known| known.p);
    let known: Vec<f64> = differences.iter().filter_map(p).collect();
    let mut adjusted = holm(&known).unwrap_or_default().into_iter();
    for difference in differences.iter_mut().filter(|difference| p(difference).is_some()) {
        difference.holm_p = adjusted.next();
    }
    differences
}
