//! Orders held against each other in the same seeds: how much longer one takes to learn than another.

use crate::registered::{Cell, Outcome, Registered};
use morta_base::math;
use morta_stats::multiple::holm;
use morta_stats::t_test::paired_t;
use serde::Serialize;

morta_base::words! {
    /// What may be said of a ratio, given its test, its interval and the least ratio that matters (the project's design, section 9).
    pub enum Finding {
        /// The test rejects, and the whole interval is beyond what matters.
        FasterThanMatters = "faster by more than matters",
        /// The same on the other side.
        SlowerThanMatters = "slower by more than matters",
        /// The test rejects, and the whole interval is within what matters.
        Less = "differs by less than matters",
        /// The test rejects.
        Faster = "faster; whether by as much as matters isn't settled",
        /// The test rejects.
        Slower = "slower; whether by as much as matters isn't settled",
        /// The interval is within what matters.
        Alike = "alike, within what matters",
        /// Nothing of this.
        Unsettled = "not settled",
        /// Every seed came to the same: the arms lived the same.
        Same = "the same in every seed",
    }
}

/// How an arm does beside another in one world.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The world.
    pub world: String,
    /// The arm, and the one that it is compared with.
    pub arm: String,
    /// The arm that it is compared with.
    pub against: String,
    /// Geometric mean of the ratios of what it took, by seed: below 1 is faster.
    pub ratio: f64,
    /// Ends of its interval, at the level that is left to one of all comparisons.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Of the paired t test of the logarithms, corrected by Holm; `None` when every seed came to the same.
    pub p: Option<f64>,
    /// Pairs.
    pub seeds: usize,
    /// What may be said.
    pub finding: Finding,
}

/// What it took to learn: steps after the first lap, which no replay has touched, or updates. At least 1, so that it has a logarithm.
pub fn effort(outcome: &Outcome) -> f64 {
    match outcome {
        Outcome::Life(life) => life.steps.iter().skip(1).map(|steps| f64::from(*steps)).sum::<f64>().max(1.0),
        Outcome::Updates(updates) => (*updates as f64).max(1.0),
    }
}

/// Every arm beside the one that it is to be compared with, in every world; nothing where no comparison is registered.
pub fn compare(file: &Registered, cells: &[Cell], outcomes: &[Outcome]) -> Vec<Ratio> {
    let Some(asked) = &file.comparison else { return Vec::new() };
    let pairs: Vec<(usize, usize)> = pairs(file, &asked.baseline);
    let count = (pairs.len() * file.worlds.len()).max(1) as f64;
    let level = 1.0 - asked.alpha / count;
    let efforts = |world, arm| {
        let of_arm =
            cells.iter().zip(outcomes).filter(move |(cell, _)| (cell.world, cell.arm) == (world, arm));
        of_arm.map(|(cell, outcome)| (cell.seed, math::ln(effort(outcome)))).collect::<Vec<(u64, f64)>>()
    };
    let mut ratios = Vec::new();
    for world in 0..file.worlds.len() {
        for &(arm, against) in &pairs {
            // Both run from the same first seed on, so pairs stand beside each other as far as both go.
            let (ours, theirs) = (efforts(world, arm), efforts(world, against));
            let logs: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a.1 - b.1).collect();
            let names = [arm, against].map(|arm| file.arms[arm].name.clone());
            ratios.push(ratio(&file.worlds[world].name, names, &logs, level));
        }
    }
    settle(&mut ratios, asked.alpha, math::ln_1p(asked.effect_of_interest));
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
        // The same difference in every seed, most often none.
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
        seeds: logs.len(),
        finding: Finding::Same,
    }
}

/// Corrects the tests, and says what may be said.
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
        (true, _) if high < -matters => Finding::FasterThanMatters,
        (true, _) if low > matters => Finding::SlowerThanMatters,
        (true, true) => Finding::Less,
        (true, false) if high < 0.0 => Finding::Faster,
        (true, false) => Finding::Slower,
        (false, true) => Finding::Alike,
        (false, false) => Finding::Unsettled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_from_test_interval_and_what_matters() {
        for (rejects, interval, expected) in [
            (true, [-0.9, -0.2], Finding::FasterThanMatters),
            (true, [0.2, 0.9], Finding::SlowerThanMatters),
            (true, [0.01, 0.05], Finding::Less),
            (true, [-0.9, -0.05], Finding::Faster),
            (true, [0.05, 0.9], Finding::Slower),
            (false, [-0.05, 0.05], Finding::Alike),
            (false, [-0.5, 0.05], Finding::Unsettled),
            // A test that rejects while its interval spans 0 says nothing.
            (true, [-0.5, 0.05], Finding::Unsettled),
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
    }
}
