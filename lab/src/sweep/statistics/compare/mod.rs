//! Arms against a baseline, in the same worlds: paired tests, effect sizes, confidence intervals, performance profiles and optimality gaps
//! of a user's table. Scores are in the unit of the table. A world that one arm lacks is left out of that pair; a score that is no finite
//! number is refused. The verdict is by the sign-flip test after Holm's correction, and by the interval at the level it leaves; the other
//! tests are shown and decide nothing. It exists so that results of other simulations can be judged by the same rules.
//! `morta stats compare` has a level of 0.95 and 10,000 resamples by default.

mod text;

use super::paired::{PairedColumns, PairedTable, Scores};
use crate::io::error::{At as _, Error, Result};
use crate::io::limits::Limits;
use crate::sweep::analysis::verdict::{ContrastEvidence, Judgement};
use crate::sweep::sweep_file::{Correction, Direction};
use morta_base::WorldSeed;
use morta_stats::aggregate::{Aggregate, Estimate, ProfilePoint, estimate, performance_profile};
use morta_stats::bootstrap::Bootstrap;
use morta_stats::differences::paired_differences;
use morta_stats::multiple::{benjamini_hochberg, holm};
use morta_stats::paired::arm_interquartile_mean;
use morta_stats::power::{SeedsNeeded, seeds_needed};
use morta_stats::{CompareOptions, Computed, PairedComparison, StatsError, Summary, compare_pairs};
use serde::Serialize;
use std::collections::BTreeMap;

/// How arms are compared (comparison settings): bootstrap resamples, confidence level, equivalence margin.
#[derive(Clone, Copy, Debug)]
pub struct ArmsOptions {
    /// The seed of bootstrap and permutation.
    pub seed: u64,
    /// Resamples of each bootstrap, and draws of a permutation test of more than 16 pairs.
    pub resamples: u32,
    /// The target score of the optimality gap: how far each arm falls short of it on average.
    pub target: Option<f64>,
    /// Half the width that the interval of the difference should have, to tell how many worlds that takes; half of what it is when none.
    pub half_width: Option<f64>,
    /// Confidence level of intervals, above 0 and below 1.
    pub level: f64,
    /// The effect of interest δ (equivalence margin), in the score's unit: verdicts then say whether a difference is larger or smaller than that.
    pub matters: Option<f64>,
    /// Which way is better; with a δ more is, unless this says otherwise, and without either a verdict says higher or lower,
    /// because nobody has said what is good.
    pub better: Option<Direction>,
}

/// Arms in the same worlds, and their differences from the baseline (paired comparison report): a pairwise comparison with bootstrap
/// intervals for each arm.
#[derive(Debug, Serialize)]
pub struct ArmsCompared {
    /// The table.
    pub file: String,
    /// Its column of scores.
    pub score: String,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// Confidence level of intervals, in (0, 1).
    pub level: f64,
    /// The seed of bootstrap and permutation.
    pub seed: u64,
    /// Resamples of each bootstrap.
    pub resamples: u32,
    /// The baseline first, then the others by name.
    pub arms: Vec<ArmSummary>,
    /// Every other arm against the baseline.
    pub comparisons: Vec<ArmsComparison>,
    /// The effect of interest δ in the unit of the score, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matters: Option<f64>,
    /// Sentences to quote.
    pub sentences: Vec<String>,
    /// Scores by arm and world, for figures.
    #[serde(skip)]
    pub(crate) scores: BTreeMap<String, Scores>,
}

/// The summary statistics of one arm by itself.
#[derive(Debug, Serialize)]
pub struct ArmSummary {
    /// As the column of arms has it.
    pub arm: String,
    /// Mean, deviation and quantiles of its scores.
    pub summary: Summary,
    /// The mean of the middle half of its scores.
    pub interquartile_mean: Computed<Estimate>,
    /// How far it falls short of the target on average, if there is one.
    pub optimality_gap: Option<Computed<Estimate>>,
    /// The share of worlds with a score above each decile of all arms' scores.
    pub performance_profile: Vec<ProfilePoint>,
}

/// The pairwise comparison of one arm with the baseline.
#[derive(Debug, Serialize)]
pub struct ArmsComparison {
    /// The arm's name; `arm` and `baseline` are summaries of their scores.
    pub name: String,
    /// Worlds that only one of the two arms has a score in; they are left out.
    pub unpaired_worlds: u64,
    /// Intervals, tests and effect sizes of the differences.
    #[serde(flatten)]
    pub figures: PairedComparison,
    /// p of the sign-flip test, adjusted for the number of arms by Holm's method.
    pub sign_flip_holm_p: Option<f64>,
    /// The same by Benjamini and Hochberg's method, which bounds the share of false findings.
    pub sign_flip_benjamini_hochberg_p: Option<f64>,
    /// Worlds that the wanted width of the interval takes.
    pub worlds_needed: Computed<SeedsNeeded>,
    /// The verdict: by the sign-flip test after Holm's correction at an error rate of one less the level, and by the interval at the rate that the
    /// correction leaves.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
    /// The differences by world.
    #[serde(skip)]
    pub(crate) differences: Vec<f64>,
}

impl ArmsCompared {
    /// Reads a table and compares its arms (paired comparison of a table): bootstrap, permutation test and effect sizes of every arm less
    /// the baseline.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a column is missing or holds what can't be, or an arm shares fewer than two worlds with the baseline.
    pub fn from_columns(columns: &PairedColumns, request: &ArmsOptions, limits: &Limits) -> Result<Self> {
        let PairedTable { file, names, scores, .. } = PairedTable::read(columns, limits)?;
        let (level, resamples) = (request.level, request.resamples);
        let options = CompareOptions { level, resamples, seed: WorldSeed(request.seed) };
        if let Some(delta) = request.matters.filter(|delta| !(delta.is_finite() && *delta > 0.0)) {
            return Err(Error::invalid(format!(
                "--matters {delta}: must be a finite number above 0, in the unit of {}",
                columns.score
            )));
        }
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::invalid(format!("--level {level}: must be above 0 and below 1")));
        }
        // Scores that can't be used are refused by the name of their arm, before figures of all arms are computed.
        for (name, scores) in &scores {
            Summary::from_values(name, &values(scores)).at(&file)?;
        }
        let thresholds = deciles(&scores);
        let arm =
            |name: &String| of_arm(name, &scores[name], &thresholds, request.target, &options).at(&file);
        let arms = names.all.iter().map(arm).collect::<Result<_>>()?;
        let base = &scores[names.baseline()];
        let compared = |name: &String| {
            compare((name, &scores[name]), (names.baseline(), base), request.half_width, &options).at(&file)
        };
        let mut comparisons: Vec<ArmsComparison> =
            names.others().iter().map(compared).collect::<Result<_>>()?;
        adjust(&mut comparisons);
        judge(&mut comparisons, request);
        let mut report = Self {
            file,
            score: columns.score.clone(),
            baseline: names.baseline().to_owned(),
            level,
            seed: request.seed,
            resamples,
            arms,
            comparisons,
            matters: request.matters,
            sentences: Vec::new(),
            scores,
        };
        report.sentences = text::sentences(&report);
        Ok(report)
    }
}

fn values(scores: &Scores) -> Vec<f64> {
    scores.values().copied().collect()
}

/// Thresholds of the performance profile: the deciles of all arms' scores together, so that the profiles of arms have the same ones. Equal deciles count
/// once.
fn deciles(scores: &BTreeMap<String, Scores>) -> Vec<f64> {
    let mut all: Vec<f64> = scores.values().flat_map(values).collect();
    let decile = |n: u32| morta_base::quantile::quantile(&mut all, f64::from(n) / 10.0);
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
) -> Result<ArmSummary, StatsError> {
    let scores = values(scores);
    let bootstrap =
        Bootstrap { resamples: options.resamples, level: options.level, seed: options.seed, part: 3 };
    let gap = |target| estimate(std::slice::from_ref(&scores), Aggregate::OptimalityGap(target), &bootstrap);
    Ok(ArmSummary {
        arm: name.to_owned(),
        summary: Summary::from_values(name, &scores)?,
        interquartile_mean: arm_interquartile_mean(&scores, options).into(),
        optimality_gap: target.map(|target| gap(target).into()),
        performance_profile: performance_profile(std::slice::from_ref(&scores), thresholds)?,
    })
}

/// Why an arm can't be compared with the baseline.
#[derive(Debug, thiserror::Error)]
enum NotComparable {
    #[error("{arm} and {baseline} have {pairs} worlds in common: it takes at least 2 to compare them")]
    TooFewWorlds { arm: String, baseline: String, pairs: usize },
    #[error(transparent)]
    Stats(#[from] StatsError),
}

fn compare(
    (name, arm): (&str, &Scores),
    (baseline_name, baseline): (&str, &Scores),
    half_width: Option<f64>,
    options: &CompareOptions,
) -> Result<ArmsComparison, NotComparable> {
    let shared = arm.iter().filter_map(|(world, score)| Some((*score, *baseline.get(world)?)));
    let (ours, theirs): (Vec<f64>, Vec<f64>) = shared.unzip();
    let pairs = ours.len();
    if pairs < 2 {
        let (arm, baseline) = (name.to_owned(), baseline_name.to_owned());
        return Err(NotComparable::TooFewWorlds { arm, baseline, pairs });
    }
    let figures = compare_pairs(&ours, &theirs, options)?;
    let differences = paired_differences(ours.into_iter().zip(theirs));
    // Without a width that is asked for: half of the present one, which takes about four times as many worlds.
    let now = figures.paired_t.known().map(|t| (t.interval.high - t.interval.low) / 2.0);
    let wanted = half_width.or(now.map(|now| now / 2.0)).unwrap_or(1.0);
    Ok(ArmsComparison {
        name: name.to_owned(),
        unpaired_worlds: (arm.len() + baseline.len() - 2 * pairs) as u64,
        figures,
        sign_flip_holm_p: None,
        sign_flip_benjamini_hochberg_p: None,
        worlds_needed: seeds_needed(&differences, wanted, options.level).into(),
        judgement: None,
        differences,
    })
}

/// Judges comparisons whose p-values are corrected already.
fn judge(comparisons: &mut [ArmsComparison], request: &ArmsOptions) {
    let alpha = 1.0 - request.level;
    let corrected: Vec<f64> = comparisons.iter().filter_map(|one| one.sign_flip_holm_p).collect();
    let mut rates = Correction::Holm.error_rates(&corrected, alpha).into_iter();
    for one in comparisons {
        let corrected_p = one.sign_flip_holm_p;
        let evidence = ContrastEvidence {
            differences: &one.differences,
            stretches: &[],
            corrected_p,
            alpha,
            error_rate: corrected_p.and_then(|_| rates.next()).unwrap_or(alpha),
            direction: request.better.or(request.matters.map(|_| Direction::More)),
            matters: request.matters,
        };
        one.judgement = Some(evidence.judge());
    }
}

/// Corrects the p-values of the comparisons that have one. A comparison without a p (all its differences are 0) is not counted.
fn adjust(comparisons: &mut [ArmsComparison]) {
    let p = |comparison: &ArmsComparison| comparison.figures.sign_flip.known().map(|test| test.p);
    let known: Vec<f64> = comparisons.iter().filter_map(p).collect();
    let mut holm = holm(&known).unwrap_or_default().into_iter();
    let mut hochberg = benjamini_hochberg(&known).unwrap_or_default().into_iter();
    for comparison in comparisons.iter_mut().filter(|comparison| p(comparison).is_some()) {
        comparison.sign_flip_holm_p = holm.next();
        comparison.sign_flip_benjamini_hochberg_p = hochberg.next();
    }
}
