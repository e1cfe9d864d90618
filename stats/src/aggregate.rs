//! Aggregates over tasks and runs as defined by rliable (Agarwal et al. 2021, "Deep Reinforcement Learning at the Edge of the Statistical
//! Precipice"): interquartile mean, probability of improvement, performance profile, optimality gap; with stratified bootstrap intervals.
//!
//! Scores come as one list of runs for each task. The package wants as many runs of every task; here tasks may differ in that. Comparisons
//! of arms, of a registered sweep, of a user's table (`morta stats compare`) and in the validation of trade recall, have one task alone,
//! the measure in question, and a run for each world (there for each variant); profiles and optimality gaps are shown for tables alone.
//! Verdicts don't rest on any of these.
//!
//! Scores are in the caller's unit, probabilities and shares from 0 to 1. They serve reinforcement learning with few runs, because a
//! plain mean there follows single outliers.

use crate::bootstrap::Bootstrap;
use crate::by_rank::{Both, Pooled};
use crate::error::StatsError;
use crate::summary::{Interval, check, mean};
use morta_base::rng::Stream;
use serde::{Deserialize, Serialize};

/// A point estimate with its bootstrap interval; `ceiling` and `ranking` give theirs as one too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Percentile interval of the bootstrap: stratified by task here, of resampled worlds in `ceiling` and `ranking`.
    pub interval: Interval,
}

/// One point of a performance profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfilePoint {
    /// The threshold τ, in the unit of the score.
    pub threshold: f64,
    /// The share of runs, of all tasks, whose score is above it.
    pub share_above: f64,
}

fn check_tasks(subject: &str, tasks: &[Vec<f64>]) -> Result<(), StatsError> {
    if tasks.is_empty() {
        return Err(StatsError::TooFew { subject: format!("tasks of {subject}"), found: 0, needed: 1 });
    }
    tasks.iter().try_for_each(|runs| check(subject, runs, 1))
}

/// The interquartile mean (IQM): the mean of all runs of all tasks without the lowest and the highest quarter, each rounded down to whole
/// runs (`scipy.stats.trim_mean` with .25).
///
/// # Errors
/// When there are no tasks, or one has no runs or values that are not finite.
pub fn interquartile_mean(tasks: &[Vec<f64>]) -> Result<f64, StatsError> {
    check_tasks("scores", tasks)?;
    Ok(trimmed(tasks))
}

fn trimmed(tasks: &[Vec<f64>]) -> f64 {
    let mut all: Vec<f64> = tasks.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let cut = all.len() / 4;
    mean(&all[cut..all.len() - cut])
}

/// The probability of improvement, P(X > Y) + ½·P(X = Y) for a run of each arm, averaged over tasks: the Mann-Whitney statistic over the
/// pairs (probability of superiority, common language effect size).
///
/// # Errors
/// When there are no tasks, one has no runs or values that are not finite, or the arms have different numbers of tasks.
pub fn probability_of_improvement(x: &[Vec<f64>], y: &[Vec<f64>]) -> Result<f64, StatsError> {
    check_both(x, y)?;
    Ok(improvement(x, y))
}

fn check_both(x: &[Vec<f64>], y: &[Vec<f64>]) -> Result<(), StatsError> {
    check_tasks("scores of the first arm", x)?;
    check_tasks("scores of the second arm", y)?;
    if x.len() == y.len() {
        return Ok(());
    }
    let subject = "tasks of the second arm".to_owned();
    Err(StatsError::LengthsDiffer { subject, found: y.len(), expected: x.len() })
}

fn improvement(x: &[Vec<f64>], y: &[Vec<f64>]) -> f64 {
    let of_task = |(x, y): (&Vec<f64>, &Vec<f64>)| {
        let mut sorted = y.clone();
        sorted.sort_by(f64::total_cmp);
        let wins = |x: &f64| {
            let below = sorted.partition_point(|y| y < x);
            let not_above = sorted.partition_point(|y| y <= x);
            (below + not_above) as f64 / 2.0
        };
        x.iter().map(wins).sum::<f64>() / (x.len() * y.len()) as f64
    };
    x.iter().zip(y).map(of_task).sum::<f64>() / x.len() as f64
}

/// The performance profile: for each threshold, the share of all runs with a score above it.
///
/// # Errors
/// When there are no tasks, or a score or threshold is not finite.
pub fn performance_profile(tasks: &[Vec<f64>], thresholds: &[f64]) -> Result<Vec<ProfilePoint>, StatsError> {
    check_tasks("scores", tasks)?;
    check("thresholds", thresholds, 0)?;
    let runs: usize = tasks.iter().map(Vec::len).sum();
    let point = |threshold: &f64| {
        let above = tasks.iter().flatten().filter(|score| *score > threshold).count();
        ProfilePoint { threshold: *threshold, share_above: above as f64 / runs as f64 }
    };
    Ok(thresholds.iter().map(point).collect())
}

/// The optimality gap: the average by which the runs fall short of a target; what exceeds it doesn't make up for it.
///
/// # Errors
/// When there are no tasks, or a score or the target is not finite.
pub fn optimality_gap(tasks: &[Vec<f64>], target: f64) -> Result<f64, StatsError> {
    check_tasks("scores", tasks)?;
    check("target", &[target], 1)?;
    Ok(short_of(tasks, target))
}

fn short_of(tasks: &[Vec<f64>], target: f64) -> f64 {
    let reached: Vec<f64> = tasks.iter().flatten().map(|score| score.min(target)).collect();
    target - mean(&reached)
}

/// The aggregate metric of one arm that is wanted with an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregate {
    /// See [`interquartile_mean`].
    InterquartileMean,
    /// See [`optimality_gap`], with its target.
    OptimalityGap(f64),
}

/// Estimates an aggregate with its confidence interval: runs are drawn again within each task (stratified bootstrap).
///
/// # Errors
/// As the aggregate, and when a parameter of the bootstrap is out of range.
pub fn estimate(tasks: &[Vec<f64>], which: Aggregate, bootstrap: &Bootstrap) -> Result<Estimate, StatsError> {
    let value = match which {
        Aggregate::InterquartileMean => interquartile_mean(tasks)?,
        Aggregate::OptimalityGap(target) => optimality_gap(tasks, target)?,
    };
    bootstrap.check()?;
    let resampled = match which {
        Aggregate::InterquartileMean => {
            let mut pooled = Pooled::from_tasks(tasks);
            bootstrap.distribution(|stream| pooled.trimmed(stream))
        }
        Aggregate::OptimalityGap(target) => {
            bootstrap.distribution(|stream| short_of(&redrawn(tasks, stream), target))
        }
    };
    Ok(Estimate { value, interval: bootstrap.percentile(resampled) })
}

/// Estimates the probability of improvement with its interval: runs of both arms are drawn again within each task, independently of one
/// another, as the package does (stratified bootstrap).
///
/// # Errors
/// As [`probability_of_improvement`], and when a parameter of the bootstrap is out of range.
pub fn estimate_improvement(
    x: &[Vec<f64>],
    y: &[Vec<f64>],
    bootstrap: &Bootstrap,
) -> Result<Estimate, StatsError> {
    check_both(x, y)?;
    bootstrap.check()?;
    let mut both = Both::from_arms(x, y);
    let resampled = bootstrap.distribution(|stream| both.improvement(stream));
    Ok(Estimate { value: improvement(x, y), interval: bootstrap.percentile(resampled) })
}

fn redrawn(tasks: &[Vec<f64>], stream: &mut Stream) -> Vec<Vec<f64>> {
    let draw =
        |runs: &Vec<f64>, stream: &mut Stream| runs.iter().map(|_| runs[stream.below(runs.len())]).collect();
    tasks.iter().map(|runs| draw(runs, stream)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};
    use proptest::prelude::*;

    fn tasks() -> impl Strategy<Value = Vec<Vec<f64>>> {
        // Few values, so that many are tied; both signs of zero, because they must count as equal.
        let score = prop_oneof![Just(0.0), Just(-0.0), Just(1.5), -3.0..3.0_f64];
        proptest::collection::vec(proptest::collection::vec(score, 1..12), 3)
    }

    fn stream(seed: u64) -> Stream {
        WorldSeed(seed).world(Purpose::Bootstrap, 0, 0)
    }

    proptest! {
        /// Counting gives the result of sorting every resample anew, to the bit.
        #[test]
        fn resamples_by_rank_are_those_that_are_sorted(x in tasks(), y in tasks(), seed in 0..1_000_u64) {
            let (mut pooled, mut both) = (Pooled::from_tasks(&x), Both::from_arms(&x, &y));
            let (mut counted, mut sorted) = (stream(seed), stream(seed));
            for _ in 0..3 {
                let found = pooled.trimmed(&mut counted);
                prop_assert_eq!(found.to_bits(), trimmed(&redrawn(&x, &mut sorted)).to_bits());
                let found = both.improvement(&mut counted);
                let expected = improvement(&redrawn(&x, &mut sorted), &redrawn(&y, &mut sorted));
                prop_assert_eq!(found.to_bits(), expected.to_bits());
            }
        }
    }
}
