//! Comparisons of arms in the same seeds or mazes (paired comparison): the ratio of the effort to learn (steps, or updates of a cliff), or
//! of deaths. A ratio below 1 is better. Ratios are geometric means over seeds or mazes, with a paired t test of the logarithms; logarithms
//! are used because effort differs by factors. Intervals are Bonferroni's over all comparisons of the file, p-values Holm's. If the whole
//! interval lies within `effect_of_interest`, the arms are alike or, if significant, differ by less than matters (equivalence test). Only
//! files with a table `comparison` have any; an arm's own `against` wins over the file's baseline. The findings (verdicts) change no exit
//! code.

use crate::registered::{Cell, Outcome, Registered};
use morta_base::math;
use morta_stats::multiple::holm;
use morta_stats::t_test::paired_t;
use serde::Serialize;

morta_base::words! {
    /// What may be said of a ratio (verdict, conclusion), given its test, its interval and the least ratio that matters (the project's
    /// design, section 9). It is significant where Holm's p-value rejects and the interval doesn't contain 1. Holm may reject where
    /// Bonferroni's interval, which is wider, still contains 1; such a rejection counts as none, because it names no side.
    pub enum Finding {
        /// Significant, and the whole interval is beyond what matters.
        BetterThanMatters = "better by more than matters",
        /// The same on the other side.
        WorseThanMatters = "worse by more than matters",
        /// Significant, and the whole interval is within what matters.
        Less = "differs by less than matters",
        /// Significant, and the interval reaches over what matters.
        Better = "better; whether by as much as matters isn't settled",
        /// Significant, and the interval reaches over what matters.
        Worse = "worse; whether by as much as matters isn't settled",
        /// Not significant, and the interval is within what matters.
        Alike = "alike, within what matters",
        /// Nothing of this.
        Unsettled = "not settled",
        /// There is no test: all pairs have the same ratio, mostly 1 because the arms lived the same.
        Same = "the same in every seed",
        /// There is no test: one pair says nothing of others.
        TooFew = "too few seeds for a test",
    }
}

/// The effect size of an arm against another in one world: a ratio with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The world.
    pub world: String,
    /// The arm.
    pub arm: String,
    /// The arm it is compared with.
    pub against: String,
    /// Geometric mean of the ratios of effort, by seed or maze; below 1 is better.
    pub ratio: f64,
    /// Lower end of its interval, at the level of one among all comparisons (Bonferroni).
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// p-value of the paired t test of the logarithms, corrected by Holm; `None` where there is no test (`finding` says why).
    pub p: Option<f64>,
    /// Number of pairs: seeds, or mazes.
    pub pairs: usize,
    /// The finding.
    pub finding: Finding,
}

/// Computes the learning effort of an outcome: deaths where there are predators, because a learner that dies has few steps; steps without
/// predators; both without the first laps, in which nothing is known yet. For a cliff it is the number of updates. It is also a column of
/// `seeds.csv`.
pub fn effort(outcome: &Outcome) -> f64 {
    match outcome {
        Outcome::Life(life) => match life.deaths_counted() {
            Some(deaths) => deaths as f64,
            None => life.steps.iter().skip(life.laps_before as usize).map(|steps| f64::from(*steps)).sum(),
        },
        Outcome::Updates(updates) => *updates as f64,
    }
}

/// Logarithm of the mean effort of a unit's seeds. A total below 1 counts as 1, because the logarithm of 0 isn't defined.
fn log_effort(unit: &[&Outcome]) -> f64 {
    let total: f64 = unit.iter().map(|outcome| effort(outcome)).sum();
    math::ln(total.max(1.0) / unit.len() as f64)
}

/// Compares every arm with its baseline in every world that both are run in; empty if no comparison is registered.
pub fn compare(file: &Registered, cells: &[Cell], outcomes: &[Outcome]) -> Vec<Ratio> {
    let Some(registered) = &file.comparison else { return Vec::new() };
    let pairs: Vec<(usize, usize)> = pairs(file, &registered.baseline);
    let both = |world: usize, (arm, against): (usize, usize)| {
        [arm, against].iter().all(|arm| file.arms[*arm].runs_in(&file.worlds[world].name))
    };
    let asked_of = |world| pairs.iter().copied().filter(move |pair| both(world, *pair));
    let count = (0..file.worlds.len()).flat_map(asked_of).count().max(1) as f64;
    let level = 1.0 - registered.alpha / count;
    let efforts = |world, arm| {
        file.units((world, arm), cells, outcomes).iter().map(|unit| log_effort(unit)).collect::<Vec<f64>>()
    };
    let mut ratios = Vec::new();
    for world in 0..file.worlds.len() {
        for (arm, against) in asked_of(world) {
            // Both arms use seeds from the same first one, so pairs have the same index, up to the shorter list.
            let (ours, theirs) = (efforts(world, arm), efforts(world, against));
            let logs: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a - b).collect();
            let names = [arm, against].map(|arm| file.arms[arm].name.clone());
            ratios.push(ratio(&file.worlds[world].name, names, &logs, level));
        }
    }
    settle(&mut ratios, registered.alpha, math::ln_1p(registered.effect_of_interest));
    ratios
}

fn pairs(file: &Registered, baseline: &str) -> Vec<(usize, usize)> {
    let number =
        |name: &str| file.arms.iter().position(|arm| arm.name == name).expect("the file was checked");
    let against = |arm: usize| number(file.arms[arm].against.as_deref().unwrap_or(baseline));
    (0..file.arms.len()).map(|arm| (arm, against(arm))).filter(|(arm, against)| arm != against).collect()
}

fn ratio(world: &str, [arm, against]: [String; 2], logs: &[f64], level: f64) -> Ratio {
    let (middle, low, high, p) = match paired_t(logs, level) {
        Ok(test) => (test.difference, test.interval.low, test.interval.high, Some(test.p)),
        // Every seed has the same difference, mostly 0, or there is one alone.
        Err(_) => {
            let same = logs.first().copied().unwrap_or(0.0);
            (same, same, same, None)
        }
    };
    Ratio {
        world: world.to_owned(),
        arm,
        against,
        ratio: math::exp(middle),
        low: math::exp(low),
        high: math::exp(high),
        p,
        pairs: logs.len(),
        finding: if logs.len() < 2 { Finding::TooFew } else { Finding::Same },
    }
}

/// Corrects the p-values, and derives the findings.
fn settle(ratios: &mut [Ratio], alpha: f64, matters: f64) {
    let known: Vec<f64> = ratios.iter().filter_map(|ratio| ratio.p).collect();
    let corrected = holm(&known).unwrap_or_default();
    for (ratio, p) in ratios.iter_mut().filter(|ratio| ratio.p.is_some()).zip(corrected) {
        ratio.p = Some(p);
        ratio.finding = finding(p <= alpha, [math::ln(ratio.low), math::ln(ratio.high)], matters);
    }
}

fn finding(rejects: bool, [low, high]: [f64; 2], matters: f64) -> Finding {
    let within = low >= -matters && high <= matters;
    let one_side = low > 0.0 || high < 0.0;
    match (rejects && one_side, within) {
        (true, _) if high < -matters => Finding::BetterThanMatters,
        (true, _) if low > matters => Finding::WorseThanMatters,
        (true, true) => Finding::Less,
        (true, false) if high < 0.0 => Finding::Better,
        (true, false) => Finding::Worse,
        (false, true) => Finding::Alike,
        (false, false) => Finding::Unsettled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_follows_from_test_interval_and_smallest_effect() {
        for (rejects, interval, expected) in [
            (true, [-0.9, -0.2], Finding::BetterThanMatters),
            (true, [0.2, 0.9], Finding::WorseThanMatters),
            (true, [0.01, 0.05], Finding::Less),
            (true, [-0.9, -0.05], Finding::Better),
            (true, [0.05, 0.9], Finding::Worse),
            (false, [-0.05, 0.05], Finding::Alike),
            (false, [-0.5, 0.05], Finding::Unsettled),
            // A rejection whose interval contains a logarithm of 0, i.e. a ratio of 1, counts as none, so the interval alone decides.
            (true, [-0.5, 0.05], Finding::Unsettled),
            (true, [-0.05, 0.05], Finding::Alike),
        ] {
            assert_eq!(finding(rejects, interval, 0.1), expected, "{rejects} {interval:?}");
        }
    }

    #[test]
    fn a_ratio_by_hand() {
        let logs = [1.0, 2.0, 4.0].map(f64::ln);
        let found = ratio("w", ["a".to_owned(), "b".to_owned()], &logs, 0.95);
        assert!((found.ratio - 2.0).abs() < 1e-12 && found.low < 1.0 && found.high > 4.0, "{found:?}");
        let same = ratio("w", ["a".to_owned(), "b".to_owned()], &[0.0; 3], 0.95);
        assert_eq!((same.ratio, same.p, same.finding), (1.0, None, Finding::Same));
        let alone = ratio("w", ["a".to_owned(), "b".to_owned()], &[0.5], 0.95);
        assert_eq!((alone.p, alone.finding), (None, Finding::TooFew));
    }
}
