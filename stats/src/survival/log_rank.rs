//! The log-rank test of k groups (Mantel 1966, Peto & Peto 1972), with the hypergeometric variance. It compares whole survival curves
//! (Mantel-Cox), and has its power where hazards are proportional. The p-value is from 0 to 1. In sweeps and in reports of runs it
//! describes and decides nothing, because lives of one world aren't independent; the command for survival tables tests groups by it.

use crate::distribution::chi_square_upper;
use crate::error::StatsError;
use crate::matrix::Cholesky;
use crate::survival::{Group, Lifetimes, Moment, check_groups};
use morta_base::dot::dot;
use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

/// Deaths of one group against those expected, had all groups one hazard (observed minus expected).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupDeaths {
    /// The group.
    pub group: String,
    /// Its lives.
    pub lives: u64,
    /// Deaths seen.
    pub observed: u64,
    /// What those deaths weigh, where lives have weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_weight: Option<f64>,
    /// Deaths expected, by weight where lives have weights.
    pub expected: f64,
}

/// The result of the log-rank test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogRank {
    /// Groups in the order handed in.
    pub groups: Vec<GroupDeaths>,
    /// The statistic.
    pub chi_square: f64,
    /// Groups − 1.
    pub degrees_of_freedom: u32,
    /// p-value.
    pub p: f64,
}

/// Tests whether the groups die at one rate (log-rank test).
///
/// # Errors
/// When there are fewer than two groups, a name comes twice, nobody died, or a group is never at risk with another when
/// somebody dies.
pub fn log_rank(groups: &[Group]) -> Result<LogRank, StatsError> {
    check_groups(groups, 2)?;
    if groups.iter().all(|group| group.lifetimes.event_count() == 0) {
        return Err(StatsError::NoEvents);
    }
    let dead = |lives: &Lifetimes| -> Vec<f64> {
        lives.durations().iter().zip(lives.events()).filter(|(_, event)| **event).map(|(t, _)| *t).collect()
    };
    let mut times: Vec<f64> = groups.iter().flat_map(|group| dead(&group.lifetimes)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let moments: Vec<Vec<Moment>> = groups.iter().map(|group| group.lifetimes.moments_at(&times)).collect();
    let mut expected = vec![0.0; groups.len()];
    let mut has_met = false;
    let mut variance = Array2::zeros((groups.len(), groups.len()));
    for time in 0..times.len() {
        let here = moments.iter().map(|moments| (moments[time].risk(), moments[time].deaths));
        let (at_risk, events): (Vec<f64>, Vec<f64>) = here.unzip();
        let (n, d): (f64, f64) = (at_risk.iter().sum(), events.iter().sum());
        // Where all lives that are left end, there is no choice among them: the hypergeometric variance is 0.
        has_met |= n == d && at_risk.iter().filter(|of_group| **of_group > 0.0).count() > 1;
        let scale = if n > 1.0 { d * (n - d) / (n - 1.0) } else { 0.0 };
        for (i, of_i) in at_risk.iter().enumerate() {
            expected[i] += d * of_i / n;
            for (j, of_j) in at_risk.iter().enumerate() {
                variance[[i, j]] += scale * of_i / n * (f64::from(u8::from(i == j)) - of_j / n);
            }
        }
    }
    let deaths: Vec<GroupDeaths> =
        groups.iter().zip(expected).map(|(group, expected)| deaths(group, expected)).collect();
    let chi_square = statistic(&deaths, variance.view()).map_err(|error| {
        if has_met && variance.iter().all(|one| *one == 0.0) { StatsError::AllAtOnce } else { error }
    })?;
    let degrees_of_freedom = groups.len() as u32 - 1;
    let p = chi_square_upper(chi_square, degrees_of_freedom);
    Ok(LogRank { groups: deaths, chi_square, degrees_of_freedom, p })
}

fn deaths(group: &Group, expected: f64) -> GroupDeaths {
    let lives = &group.lifetimes;
    GroupDeaths {
        group: group.name.clone(),
        lives: lives.count() as u64,
        observed: lives.event_count() as u64,
        observed_weight: lives.weights().map(|_| lives.event_weight()),
        expected,
    }
}

/// The excess deaths sum to 0, so the last group adds nothing and is left out.
fn statistic(deaths: &[GroupDeaths], variance: ArrayView2<'_, f64>) -> Result<f64, StatsError> {
    let last = deaths.len() - 1;
    let excess: Vec<f64> = deaths[..last]
        .iter()
        .map(|group| group.observed_weight.unwrap_or(group.observed as f64) - group.expected)
        .collect();
    let variance = variance.split_at(Axis(0), last).0.split_at(Axis(1), last).0;
    let floor = |row: usize| 1e-12 * variance[[row, row]];
    let factors =
        Cholesky::new(variance, floor).map_err(|row| StatsError::NeverTogether(deaths[row].group.clone()))?;
    Ok(dot(&excess, &factors.solve(&excess)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, durations: &[f64]) -> Group {
        let lifetimes = Lifetimes::new(durations.to_vec(), vec![true; durations.len()]).unwrap();
        Group { name: name.to_owned(), lifetimes }
    }

    #[test]
    fn deaths_at_one_moment_differ_from_groups_that_never_meet() {
        let tied = [group("a", &[3.0, 3.0]), group("b", &[3.0, 3.0, 3.0])];
        assert_eq!(log_rank(&tied), Err(StatsError::AllAtOnce));
        let some_tied = [group("a", &[3.0, 3.0]), group("b", &[3.0, 4.0])];
        assert!(log_rank(&some_tied).is_ok());
    }
}
