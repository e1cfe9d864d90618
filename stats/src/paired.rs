//! Two arms in the same worlds, compared by the differences within each world. The luck of a world is common to both arms and cancels in
//! the difference, so that pairing needs fewer worlds than two independent samples. The replicate is the world, because golems and ticks
//! of one world depend on each other. Differences are in the unit of the scores. A comparison has the paired t-test, the Wilcoxon
//! signed-rank test, the sign-flip permutation test, effect sizes and bootstrap intervals. A comparison computes all of them; which test
//! decides is the caller's choice (a sweep's registration, by default the sign-flip test, which always decides in `morta stats compare`),
//! and corrections for several comparisons are the caller's too. Of a sweep only a registered one makes such comparisons: of its arms with
//! the baseline, in the primary measure and in survival. The validation of trade recall shows the figures and decides by other tests.

use crate::aggregate::{Aggregate, Estimate, estimate, estimate_improvement};
use crate::bootstrap::{Bootstrap, MeanIntervals, mean_intervals};
use crate::differences::paired_differences;
use crate::effect_size::{CliffsDelta, cliffs_delta, cohens_d, cohens_d_paired};
use crate::error::{Computed, StatsError};
use crate::permutation::{SignFlip, sign_flip};
use crate::power::paired_power;
use crate::rank_sum::{RankSum, rank_sum};
use crate::ranks::midranks;
use crate::signed_rank::{SignedRank, signed_rank};
use crate::summary::{Summary, check, covariance, is_constant, variance};
use crate::t_test::{TTest, paired_t, welch_t};
use morta_base::WorldSeed;
use serde::{Deserialize, Serialize};

/// Settings of a paired comparison: the confidence level, the number of bootstrap resamples and their seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareOptions {
    /// Confidence level of every interval, in (0, 1).
    pub level: f64,
    /// Resamples of each bootstrap, and draws of a permutation test that can't be exact.
    pub resamples: u32,
    /// The key of their random numbers.
    pub seed: WorldSeed,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self { level: 0.95, resamples: 10_000, seed: WorldSeed(0) }
    }
}

/// The paired comparison of an arm with a baseline in the same worlds. Differences are arm − baseline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedComparison {
    /// Worlds in which both arms have a score.
    pub pairs: u64,
    /// The arm.
    pub arm: Summary,
    /// The baseline.
    pub baseline: Summary,
    /// The differences.
    pub difference: Summary,
    /// Paired t test, with the t interval of the mean difference.
    pub paired_t: Computed<TTest>,
    /// Bootstrap intervals of the mean difference.
    pub bootstrap: Computed<MeanIntervals>,
    /// Sign-flip permutation test.
    pub sign_flip: Computed<SignFlip>,
    /// Wilcoxon's signed-rank test, with continuity correction where it is approximate.
    pub signed_rank: Computed<SignedRank>,
    /// Cohen's d_z of the differences.
    pub cohens_d_paired: Computed<f64>,
    /// Cohen's d with the pooled standard deviation of the arms.
    pub cohens_d: Computed<f64>,
    /// Cliff's delta of the arm over the baseline.
    pub cliffs_delta: Computed<CliffsDelta>,
    /// Probability that a run of the arm beats one of the baseline, runs taken as unpaired.
    pub probability_of_improvement: Computed<Estimate>,
    /// Pearson's correlation of the arms over worlds.
    pub correlation: Computed<f64>,
    /// What common random numbers saved: 1 − var(difference) / (var(arm) + var(baseline)); below 0 when pairing hurt.
    pub variance_reduction: Computed<f64>,
    /// Welch's t test, as if the worlds had not been shared.
    pub welch_t: Computed<TTest>,
    /// Mann and Whitney's test, likewise.
    pub rank_sum: Computed<RankSum>,
    /// Power of a paired t test with so many worlds at α = 1 − level for d_z = .5, the digest's reference effect (section 16).
    pub power_for_half: Computed<f64>,
}

/// Compares an arm with a baseline, world by world; `arm[i]` and `baseline[i]` are of one world, a matched pair (in the validation of trade
/// recall, of one variant).
///
/// # Errors
/// When there are no pairs, the lengths differ, or a value is not finite. What can't be computed of the rest says so itself.
pub fn compare_pairs(
    arm: &[f64],
    baseline: &[f64],
    options: &CompareOptions,
) -> Result<PairedComparison, StatsError> {
    if arm.len() != baseline.len() {
        let subject = "baseline".to_owned();
        return Err(StatsError::LengthsDiffer { subject, found: baseline.len(), expected: arm.len() });
    }
    check("arm", arm, 1)?;
    check("baseline", baseline, 1)?;
    let level = options.level;
    let differences = paired_differences(arm.iter().copied().zip(baseline.iter().copied()));
    let bootstrap = |part| Bootstrap { resamples: options.resamples, level, seed: options.seed, part };
    let (one, other) = ([arm.to_vec()], [baseline.to_vec()]);
    Ok(PairedComparison {
        pairs: arm.len() as u64,
        arm: Summary::from_values("arm", arm)?,
        baseline: Summary::from_values("baseline", baseline)?,
        difference: Summary::from_values("paired differences", &differences)?,
        paired_t: paired_t(&differences, level).into(),
        bootstrap: mean_intervals(&differences, &bootstrap(0)).into(),
        sign_flip: sign_flip(&differences, options.resamples, options.seed).into(),
        signed_rank: signed_rank(&differences, true).into(),
        cohens_d_paired: cohens_d_paired(&differences).into(),
        cohens_d: cohens_d(arm, baseline).into(),
        cliffs_delta: cliffs_delta(arm, baseline, level).into(),
        probability_of_improvement: estimate_improvement(&one, &other, &bootstrap(1)).into(),
        correlation: correlation(arm, baseline).into(),
        variance_reduction: variance_reduction(arm, baseline).into(),
        welch_t: welch_t(arm, baseline, level).into(),
        rank_sum: rank_sum(arm, baseline).into(),
        power_for_half: paired_power(0.5, arm.len() as u64, 1.0 - level).into(),
    })
}

/// The interquartile mean of one arm, as of one task, with its bootstrap interval.
///
/// # Errors
/// When there are no scores, one is not finite, or an option is out of range.
pub fn arm_interquartile_mean(scores: &[f64], options: &CompareOptions) -> Result<Estimate, StatsError> {
    let CompareOptions { level, resamples, seed } = *options;
    let bootstrap = Bootstrap { resamples, level, seed, part: 2 };
    estimate(&[scores.to_vec()], Aggregate::InterquartileMean, &bootstrap)
}

fn check_pairs(a: &[f64], b: &[f64]) -> Result<(), StatsError> {
    check("first series", a, 2)?;
    check("second series", b, 2)?;
    if a.len() == b.len() {
        return Ok(());
    }
    let subject = "second series".to_owned();
    Err(StatsError::LengthsDiffer { subject, found: b.len(), expected: a.len() })
}

/// Pearson's correlation coefficient (Pearson correlation): of two arms over worlds, and in the validation of trade recall of stakes with
/// outcomes.
///
/// # Errors
/// When there are fewer than two pairs, one is not finite, or a series is constant.
pub fn correlation(a: &[f64], b: &[f64]) -> Result<f64, StatsError> {
    check_pairs(a, b)?;
    let constant = [("the arm's score", a), ("the baseline's score", b)];
    if let Some((subject, _)) = constant.into_iter().find(|(_, values)| is_constant(values)) {
        return Err(StatsError::Constant(subject.to_owned()));
    }
    Ok((covariance(a, b) / (variance(a).sqrt() * variance(b).sqrt())).clamp(-1.0, 1.0))
}

/// Spearman's rank correlation: that of the ranks, equal values sharing the mean of theirs (Spearman's rho). A replication asks for it;
/// comparisons of arms don't.
///
/// # Errors
/// As [`correlation`].
pub fn rank_correlation(a: &[f64], b: &[f64]) -> Result<f64, StatsError> {
    check_pairs(a, b)?;
    correlation(&midranks(a).0, &midranks(b).0)
}

/// The variance reduction by common random numbers: the share of the variance of a difference of means that pairing took away, 1 −
/// var(a − b) / (var(a) + var(b)).
///
/// # Errors
/// When there are fewer than two pairs, one is not finite, or both series are constant.
pub fn variance_reduction(a: &[f64], b: &[f64]) -> Result<f64, StatsError> {
    check_pairs(a, b)?;
    if is_constant(a) && is_constant(b) {
        return Err(StatsError::Constant("the score of both arms".to_owned()));
    }
    Ok(2.0 * covariance(a, b) / (variance(a) + variance(b)))
}
