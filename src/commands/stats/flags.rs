//! The flags of `morta stats` (clap arguments) for survival analysis, paired comparison and calibration, and the plain options that they
//! become, so that the laboratory doesn't know clap. Ranges of resamples and worlds and the form of a filter are checked here; column names
//! and a confidence level outside 0 to 1 are refused by the analysis. `SurvivalArgs` has the CLI arguments for censoring and column names,
//! those of `PairedArgs` and `CompareArgs` for paired samples.

use morta_console::arguments;
use morta_lab::statistics::{ArmsOptions, CalibrationOptions, PairedColumns, SurvivalOptions};
use morta_lab::sweep_file::Direction;
use morta_lab::table_file::Only;
use morta_stats::survival::cox::Ties;
use std::path::PathBuf;

/// The flags of `morta stats survival`.
#[derive(clap::Args)]
pub(super) struct SurvivalArgs {
    /// A table with a header, CSV or Parquet (`lives.parquet` of a run, say); - reads CSV from standard input.
    file: PathBuf,
    /// The column of durations: numbers from 0.
    #[arg(long, value_name = "COLUMN")]
    duration: String,
    /// The column that says whether a life ended in the event (true, false, 1 or 0) or was censored; `!COLUMN` for one that says the
    /// opposite; `COLUMN=VALUE` where another value is the event, as in status=2 of R's tables, or cause!=censored.
    #[arg(long, value_name = "COLUMN")]
    event: String,
    /// The column of entries: from when on each life was observed, on the scale of the durations (left truncation). A life is at risk after its
    /// entry only; 0 is from the start.
    #[arg(long, value_name = "COLUMN")]
    entry: Option<String>,
    /// The column of weights, from 1e-6 to 1e6. Curves and the log-rank test count a weight as that many lives; standard errors of the Cox model
    /// are robust.
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
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
    #[arg(long, default_value_t = Ties::Efron, value_parser = arguments::word(&[(Ties::Efron, ""), (Ties::Breslow, "")], Ties::name))]
    ties: Ties,
    /// Up to which time mean survival is taken; the shortest of the groups' last durations when left out.
    #[arg(long, value_name = "TIME")]
    horizon: Option<f64>,
    /// Confidence level of intervals.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = level)]
    level: f64,
    /// Only rows with this value, as in cohort=all, or another, as in cause!=censored, or beyond a number, as in generation>0 (>, >=, <, <=);
    /// may be given several times.
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Vec<Only>,
    /// Write a page too, with the survival curves, as this file.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

impl SurvivalArgs {
    /// Converts the flags to the options of a survival analysis.
    pub(super) fn options(&self) -> SurvivalOptions {
        SurvivalOptions {
            file: self.file.clone(),
            duration: self.duration.clone(),
            event: self.event.clone(),
            entry: self.entry.clone(),
            weight: self.weight.clone(),
            group: self.group.clone(),
            baseline: self.baseline.clone(),
            covariates: self.covariates.clone(),
            cluster: self.cluster.clone(),
            ties: self.ties,
            horizon: self.horizon,
            level: self.level,
            only: self.only.clone(),
        }
    }
}

/// Which table, and what its columns are.
#[derive(clap::Args, Clone)]
pub(super) struct PairedArgs {
    /// A table with a header, CSV or Parquet, a row for each arm in each world; - reads CSV from standard input.
    file: PathBuf,
    /// The column of scores: numbers.
    #[arg(long, value_name = "COLUMN")]
    score: String,
    /// The column of arms.
    #[arg(long, value_name = "COLUMN")]
    arm: String,
    /// The column of worlds (seeds): rows with the same value were run under the same luck.
    #[arg(long, value_name = "COLUMN")]
    pair: String,
    /// The arm that the others are compared with; the first by name when left out.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Only rows with this value, as in cohort=all, or another, as in cause!=censored, or beyond a number, as in generation>0 (>, >=, <, <=);
    /// may be given several times.
    #[arg(long, value_name = "COLUMN=VALUE")]
    only: Vec<Only>,
}

impl PairedArgs {
    /// The table's file and columns (column mapping).
    pub(super) fn columns(&self) -> PairedColumns {
        let Self { file, score, arm, pair, baseline, only } = self.clone();
        PairedColumns { file, score, arm, pair, baseline, only }
    }
}

/// The flags of `morta stats compare`.
#[derive(clap::Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    pub paired: PairedArgs,
    /// The seed of bootstrap and permutation.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Resamples of each bootstrap, and draws of a permutation test of more than 16 pairs.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
    /// A score that would be good enough: tells how far each arm falls short of it (optimality gap).
    // Not the best arm's score, because a shortfall from that would change with the arms that are compared.
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, value_parser = finite)]
    target: Option<f64>,
    /// Half the width that the interval of the difference should have, to tell how many worlds that takes; half of what it is
    /// when left out.
    #[arg(long, value_name = "SCORE")]
    half_width: Option<f64>,
    /// The smallest difference of scores that matters: verdicts then say whether a difference is larger or smaller than that.
    #[arg(long, value_name = "DELTA", allow_negative_numbers = true, value_parser = finite)]
    matters: Option<f64>,
    /// Which scores are better; with --matters, more unless this says otherwise.
    // Without either, a verdict says higher or lower, because nothing says which of them is good.
    #[arg(long, value_parser = arguments::word(&[(Direction::More, ""), (Direction::Less, "")], Direction::name))]
    better: Option<Direction>,
    /// Confidence level of intervals.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = level)]
    level: f64,
    /// Write a page too, with the paired plot, as this file.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

impl CompareArgs {
    /// Converts the flags to the options of a paired comparison.
    pub(super) fn options(&self) -> ArmsOptions {
        let Self { seed, resamples, target, half_width, level, matters, better, .. } = *self;
        ArmsOptions { seed, resamples, target, half_width, level, matters, better }
    }
}

/// The flags of `morta stats calibration`.
#[derive(clap::Args)]
pub(super) struct CalibrationArgs {
    #[command(flatten)]
    pub paired: PairedArgs,
    /// Worlds of one comparison; the worlds are dealt out in their order, and what is left over is not used.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    worlds: u32,
    /// The error rate that the tests claim.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    alpha: f64,
    /// The seed of permutations.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

impl CalibrationArgs {
    /// Converts the flags to the options of a calibration (false positive rate).
    pub(super) fn options(&self) -> CalibrationOptions {
        let Self { worlds, alpha, seed, .. } = *self;
        CalibrationOptions { worlds, alpha, seed }
    }
}

/// The largest level below 1. Above it the quantiles of an interval's bounds can't be represented.
const LEVEL_MAX: f64 = 0.999_999;

/// Parses a confidence level. A value outside of 0 to 1 is refused by the analysis itself.
fn level(text: &str) -> Result<f64, String> {
    let level: f64 = text.parse().map_err(|_| "must be a number")?;
    if level > LEVEL_MAX && level < 1.0 {
        return Err(format!("must be at most {LEVEL_MAX}"));
    }
    Ok(level)
}

fn finite(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or("must be a finite number")
}
