//! Several arms in the same worlds: their mean ranks, and whether they differ at all. It is the Friedman test with average ranks, from 1
//! for the best arm. It is here besides tests of pairs, because it asks one question of all arms. The analysis of a registered sweep of
//! three arms or more asks for it in the primary measure, over worlds in which all arms have a value; verdicts don't rest on it.

use crate::aggregate::Estimate;
use crate::bootstrap::Bootstrap;
use crate::distribution::chi_square_upper;
use crate::error::StatsError;
use crate::ranks::midranks;
use crate::summary::check;
use serde::{Deserialize, Serialize};

/// Average ranks of arms within worlds, with the Friedman test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Worlds that all arms have lived in.
    pub worlds: u64,
    /// Mean rank of each arm over worlds with its bootstrap percentile interval, in the order they were handed in; 1 is best, and
    /// equal values share the mean of theirs.
    pub mean_ranks: Vec<Estimate>,
    /// Friedman's χ² with ties corrected (test statistic).
    pub friedman: f64,
    /// Its p, by the χ² distribution with one degree of freedom less than there are arms.
    pub p: f64,
}

/// Ranks arms within worlds (average ranks, Friedman test). `values` are rows by arm, columns by world.
///
/// # Errors
/// When there are fewer than three arms or two worlds, the rows don't match, or all arms are the same in every world.
pub fn rank(values: &[Vec<f64>], more_is_better: bool, bootstrap: &Bootstrap) -> Result<Ranking, StatsError> {
    let arms = values.len();
    if arms < 3 {
        return Err(StatsError::TooFew { subject: "arms to rank".to_owned(), found: arms, needed: 3 });
    }
    bootstrap.check()?;
    let worlds = values[0].len();
    for row in values {
        check("an arm's worlds", row, 2)?;
        if row.len() != worlds {
            let subject = "an arm's worlds".to_owned();
            return Err(StatsError::LengthsDiffer { subject, found: row.len(), expected: worlds });
        }
    }
    let sign = if more_is_better { -1.0 } else { 1.0 };
    let mut ranks = Vec::with_capacity(worlds);
    let mut ties = 0.0;
    for world in 0..worlds {
        let column: Vec<f64> = values.iter().map(|row| sign * row[world]).collect();
        let (of_world, tied) = midranks(&column);
        ranks.push(of_world);
        ties += tied;
    }
    let (k, n) = (arms as f64, worlds as f64);
    let mean_of = |arm: usize| ranks.iter().map(|of_world| of_world[arm]).sum::<f64>() / n;
    let means: Vec<f64> = (0..arms).map(mean_of).collect();
    let correction = 1.0 - ties / (n * k * (k * k - 1.0));
    if correction <= 0.0 {
        return Err(StatsError::Constant("every world's value, whatever the arm,".to_owned()));
    }
    let middle = (k + 1.0) / 2.0;
    let spread: f64 = means.iter().map(|mean| (mean - middle) * (mean - middle)).sum();
    let friedman = 12.0 * n / (k * (k + 1.0)) * spread / correction;
    let estimate = |arm: usize| {
        let part = bootstrap.part + arm as u32;
        let bootstrap = Bootstrap { part, ..*bootstrap };
        let resampled = bootstrap
            .distribution(|stream| (0..worlds).map(|_| ranks[stream.below(worlds)][arm]).sum::<f64>() / n);
        Estimate { value: means[arm], interval: bootstrap.percentile(resampled) }
    };
    let mean_ranks = (0..arms).map(estimate).collect();
    Ok(Ranking {
        worlds: worlds as u64,
        mean_ranks,
        friedman,
        p: chi_square_upper(friedman, arms as u32 - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::WorldSeed;

    const USUAL: Bootstrap = Bootstrap { resamples: 500, level: 0.95, seed: WorldSeed(1), part: 0 };

    /// scipy 1.17.1: friedmanchisquare of the three rows; mean ranks by rankdata.
    #[test]
    fn friedmans_test_is_that_of_scipy() {
        let rows = vec![
            vec![72.0, 96.0, 88.0, 92.0, 74.0, 76.0, 82.0],
            vec![120.0, 120.0, 132.0, 120.0, 101.0, 96.0, 82.0],
            vec![76.0, 95.0, 104.0, 96.0, 84.0, 72.0, 76.0],
        ];
        let ranking = rank(&rows, false, &USUAL).unwrap();
        assert!((ranking.friedman - 9.407_407_407_407_405).abs() < 1e-12, "{}", ranking.friedman);
        assert!((ranking.p - 0.009_061_653_195_137_79).abs() < 1e-12, "{}", ranking.p);
        assert_eq!(ranking.worlds, 7);
        let best = rank(&rows, true, &USUAL).unwrap();
        for (less, more) in ranking.mean_ranks.iter().zip(&best.mean_ranks) {
            assert!((less.value + more.value - 4.0).abs() < 1e-12);
            assert!(less.interval.low <= less.value && less.value <= less.interval.high);
        }
    }

    #[test]
    fn equal_arms_have_no_ranking() {
        assert!(rank(&vec![vec![1.0, 2.0]; 3], true, &USUAL).is_err());
        assert!(rank(&[vec![1.0, 2.0], vec![2.0, 1.0]], true, &USUAL).is_err());
        assert!(rank(&[vec![1.0], vec![2.0], vec![3.0]], true, &USUAL).is_err());
    }
}
