//! `morta stats compare`: arms against a baseline, in the same worlds.

mod text;

use super::paired::{PairedArgs, PairedTable, Scores};
use crate::failure::UserError;
use morta_engine::base::WorldSeed;
use morta_engine::stats::aggregate::{Aggregate, Estimate, ProfilePoint, estimate, performance_profile};
use morta_engine::stats::bootstrap::Bootstrap;
use morta_engine::stats::multiple::{benjamini_hochberg, holm};
use morta_engine::stats::paired::arm_interquartile_mean;
use morta_engine::stats::power::{SeedsNeeded, seeds_needed};
use morta_engine::stats::{CompareOptions, Figure, PairedComparison, Summary, compare_pairs};
use serde::Serialize;
use std::collections::BTreeMap;

/// The flags of `morta stats compare`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    paired: PairedArgs,
    /// The seed of bootstrap and permutation.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Resamples of each bootstrap, and draws of a permutation test of more than 16 pairs.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
    /// A score that would be good enough: tells how far each arm falls short of it (optimality gap).
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    target: Option<f64>,
    /// Half the width that the interval of the difference should have, to tell how many worlds that takes; half of what it is
    /// when left out.
    #[arg(long, value_name = "SCORE")]
    half_width: Option<f64>,
    /// Confidence level of intervals.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    level: f64,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// What the arms did.
#[derive(Debug, Serialize)]
pub struct Report {
    file: String,
    score: String,
    baseline: String,
    level: f64,
    seed: u64,
    resamples: u32,
    arms: Vec<ArmReport>,
    comparisons: Vec<Comparison>,
    /// What a paper could say of it.
    sentences: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ArmReport {
    arm: String,
    summary: Summary,
    interquartile_mean: Figure<Estimate>,
    optimality_gap: Option<Figure<Estimate>>,
    /// The share of worlds with a score above each decile of all arms' scores.
    performance_profile: Vec<ProfilePoint>,
}

#[derive(Debug, Serialize)]
struct Comparison {
    /// The arm's name; `arm` and `baseline` are summaries of their scores.
    name: String,
    /// Worlds that only one of the two arms has a score in; they are left out.
    unpaired_worlds: u64,
    #[serde(flatten)]
    figures: PairedComparison,
    /// p of the sign-flip test, adjusted for the number of arms.
    sign_flip_holm_p: Option<f64>,
    sign_flip_benjamini_hochberg_p: Option<f64>,
    worlds_needed: Figure<SeedsNeeded>,
}

impl Report {
    /// Reads and computes.
    pub fn of(args: &Args) -> anyhow::Result<Self> {
        let PairedTable { file, names, scores, .. } = PairedTable::read(&args.paired)?;
        let (level, resamples) = (args.level, args.resamples);
        let options = CompareOptions { level, resamples, seed: WorldSeed(args.seed) };
        if !(level > 0.0 && level < 1.0) {
            return Err(UserError::new(format!("--level {level}: must be above 0 and below 1")));
        }
        let thresholds = deciles(&scores);
        let arm = |name: &String| of_arm(name, &scores[name], &thresholds, args.target, &options);
        let base = &scores[names.baseline()];
        let compared = |name: &String| {
            compare((name, &scores[name]), (names.baseline(), base), args.half_width, &options)
                .map_err(|what| UserError::new(format!("{file}: {what}")))
        };
        let mut comparisons: Vec<Comparison> =
            names.others().iter().map(compared).collect::<anyhow::Result<_>>()?;
        adjust(&mut comparisons);
        let mut report = Self {
            file,
            score: args.paired.score.clone(),
            baseline: names.baseline().to_owned(),
            level,
            seed: args.seed,
            resamples,
            arms: names.all.iter().map(arm).collect(),
            comparisons,
            sentences: Vec::new(),
        };
        report.sentences = text::sentences(&report);
        Ok(report)
    }
}

fn values(scores: &Scores) -> Vec<f64> {
    scores.values().copied().collect()
}

fn deciles(scores: &BTreeMap<String, Scores>) -> Vec<f64> {
    let mut all: Vec<f64> = scores.values().flat_map(values).collect();
    let decile = |n: u32| morta_engine::base::quantile::quantile(&mut all, f64::from(n) / 10.0);
    let mut deciles: Vec<f64> = (1..=9).filter_map(decile).collect();
    deciles.dedup();
    deciles
}

fn of_arm(
    name: &str,
    scores: &Scores,
    thresholds: &[f64],
    target: Option<f64>,
    options: &CompareOptions,
) -> ArmReport {
    let scores = values(scores);
    let bootstrap =
        Bootstrap { resamples: options.resamples, level: options.level, seed: options.seed, part: 3 };
    let gap = |target| estimate(std::slice::from_ref(&scores), Aggregate::OptimalityGap(target), &bootstrap);
    let profile = performance_profile(std::slice::from_ref(&scores), thresholds);
    ArmReport {
        arm: name.to_owned(),
        summary: Summary::of(name, &scores).expect("every arm has a finite score, checked before"),
        interquartile_mean: arm_interquartile_mean(&scores, options).into(),
        optimality_gap: target.map(|target| gap(target).into()),
        performance_profile: profile.expect("scores are finite, checked before"),
    }
}

fn compare(
    (name, arm): (&str, &Scores),
    (baseline_name, baseline): (&str, &Scores),
    half_width: Option<f64>,
    options: &CompareOptions,
) -> Result<Comparison, String> {
    let shared = arm.iter().filter_map(|(world, score)| Some((*score, *baseline.get(world)?)));
    let (ours, theirs): (Vec<f64>, Vec<f64>) = shared.unzip();
    let pairs = ours.len();
    if pairs < 2 {
        return Err(format!(
            "{name} and {baseline_name} have {pairs} worlds in common: it takes at least 2 to compare them"
        ));
    }
    let figures = compare_pairs(&ours, &theirs, options).map_err(|error| error.to_string())?;
    let differences: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a - b).collect();
    let now = figures.paired_t.known().map(|t| (t.interval.high - t.interval.low) / 2.0);
    let wanted = half_width.or(now.map(|now| now / 2.0)).unwrap_or(1.0);
    Ok(Comparison {
        name: name.to_owned(),
        unpaired_worlds: (arm.len() + baseline.len() - 2 * pairs) as u64,
        figures,
        sign_flip_holm_p: None,
        sign_flip_benjamini_hochberg_p: None,
        worlds_needed: seeds_needed(&differences, wanted, options.level).into(),
    })
}

fn adjust(comparisons: &mut [Comparison]) {
    let p = |comparison: &Comparison| comparison.figures.sign_flip.known().map(|test| test.p);
    let known: Vec<f64> = comparisons.iter().filter_map(p).collect();
    let mut holm = holm(&known).unwrap_or_default().into_iter();
    let mut hochberg = benjamini_hochberg(&known).unwrap_or_default().into_iter();
    for comparison in comparisons.iter_mut().filter(|comparison| p(comparison).is_some()) {
        comparison.sign_flip_holm_p = holm.next();
        comparison.sign_flip_benjamini_hochberg_p = hochberg.next();
    }
}
