//! Sobol' indices: what share of an output's variance a factor makes, from the outputs at the points of Saltelli's design.
//!
//! First order: alone (Saltelli et al. 2010, table 2 b). Total: with everything it does together with others (Jansen 1999). Second order:
//! what two do together beyond what each does alone (Saltelli 2002). In a model without interactions the first-order indices add up to 1
//! and are the total ones; what a total index has more is interaction. Estimates may lie outside of 0 to 1. It is variance-based
//! sensitivity analysis (Sobol indices: first order, total order, second order). Estimates aren't clamped, because a clamped one would hide
//! that there are too few points. `from_rows` and `second_order` are for one world at a time, and the caller averages over worlds;
//! `of_mean` is for the mean over worlds. Pairs are looked at only where a sweep asks for them (`second_order`, off by default).

use crate::error::StatsError;
use crate::summary::{check, mean};
use serde::{Deserialize, Serialize};

/// The outputs of one row that the Sobol indices of one factor need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SobolRow {
    /// At the point of A.
    pub a: f64,
    /// At the point of B.
    pub b: f64,
    /// At A's point with B's value of the factor.
    pub ab: f64,
}

/// The outputs of one row that the second-order Sobol index of two factors, j and k, needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRow {
    /// At the point of A.
    pub a: f64,
    /// At the point of B.
    pub b: f64,
    /// At A's point with B's value of j.
    pub ab_j: f64,
    /// At A's point with B's value of k.
    pub ab_k: f64,
    /// At B's point with A's value of j.
    pub ba_j: f64,
}

/// The Sobol indices (sensitivity indices) of one factor: its share of the variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Indices {
    /// Alone.
    pub first: f64,
    /// With all interactions.
    pub total: f64,
}

impl Indices {
    /// Estimates the Sobol indices from the rows of a design. `centre` is taken off every output first, which makes the estimate of the
    /// first order much less variable; the mean of all outputs of the design, as SALib has it.
    ///
    /// # Errors
    /// When there are fewer than two rows, outputs are not finite, or all the same.
    pub fn from_rows(rows: &[SobolRow], centre: f64) -> Result<Self, StatsError> {
        let variance = variance_of(rows.iter().map(|row| (row.a, row.b)), rows.len())?;
        check("outputs", &rows.iter().map(|row| row.ab).collect::<Vec<_>>(), 2)?;
        let first = average(rows, |row| (row.b - centre) * (row.ab - row.a));
        let total = average(rows, |row| (row.a - row.ab) * (row.a - row.ab));
        Ok(Self { first: share(first, variance)?, total: share(total / 2.0, variance)? })
    }

    /// Estimates the indices of the mean over worlds of outputs that are lived in several, with what luck adds taken out: products of
    /// outputs are taken between different worlds only (a U-statistic, Hoeffding 1948), so that luck which a factor merely reshuffles adds
    /// nothing, and isn't mistaken for interaction (Sobol indices of a stochastic simulation). Each row has its worlds, the same ones for
    /// all of its points.
    ///
    /// # Errors
    /// When there are fewer than two rows or a row has fewer than two worlds, outputs are not finite, or what they vary by is no more than
    /// luck.
    pub fn of_mean(rows: &[Vec<SobolRow>], centre: f64) -> Result<Self, StatsError> {
        if let Some(few) = rows.iter().map(Vec::len).find(|worlds| *worlds < 2) {
            return Err(StatsError::TooFew { subject: "worlds".to_owned(), found: few, needed: 2 });
        }
        let mean_of = |row: &Vec<SobolRow>, part: fn(&SobolRow) -> f64| {
            row.iter().map(part).sum::<f64>() / row.len() as f64
        };
        let ends = rows.iter().map(|row| (mean_of(row, |one| one.a), mean_of(row, |one| one.b)));
        let whole = variance_of(ends, rows.len())?;
        let luck = average(rows, |row| variance_between(row, |one| one.a - one.b) / (2.0 * row.len() as f64));
        let variance = whole - luck;
        // What is left may be rounding.
        if variance <= whole * 1e-12 {
            return Err(StatsError::Constant("the mean over worlds, but for luck,".to_owned()));
        }
        let first = average(rows, |row| between_worlds(row, |one| one.b - centre, |one| one.ab - one.a));
        let total = average(rows, |row| between_worlds(row, |one| one.a - one.ab, |one| one.a - one.ab));
        Ok(Self { first: share(first, variance)?, total: share(total / 2.0, variance)? })
    }
}

/// The second-order Sobol index: what two factors make of the variance together, beyond what each makes alone.
///
/// # Errors
/// As [`Indices::from_rows`].
pub fn second_order(rows: &[PairRow], centre: f64) -> Result<f64, StatsError> {
    let variance = variance_of(rows.iter().map(|row| (row.a, row.b)), rows.len())?;
    let others: Vec<f64> = rows.iter().flat_map(|row| [row.ab_j, row.ab_k, row.ba_j]).collect();
    check("outputs", &others, 2)?;
    let together =
        average(rows, |row| (row.ba_j - centre) * (row.ab_k - centre) - (row.a - centre) * (row.b - centre));
    let alone = average(rows, |row| (row.b - centre) * (row.ab_j - row.a + row.ab_k - row.a));
    share(together - alone, variance)
}

/// A part of the variance; a variance that is next to nothing beside it would make it infinite.
fn share(part: f64, variance: f64) -> Result<f64, StatsError> {
    let share = part / variance;
    if share.is_finite() {
        Ok(share)
    } else {
        Err(StatsError::Constant("the output, to rounding,".to_owned()))
    }
}

/// Variance of the outputs of A and B together, with divisor n.
fn variance_of(ends: impl Iterator<Item = (f64, f64)>, rows: usize) -> Result<f64, StatsError> {
    if rows < 2 {
        return Err(StatsError::TooFew { subject: "rows".to_owned(), found: rows, needed: 2 });
    }
    let outputs: Vec<f64> = ends.flat_map(|(a, b)| [a, b]).collect();
    check("outputs", &outputs, 2)?;
    let centre = mean(&outputs);
    let squares: Vec<f64> = outputs.iter().map(|value| (value - centre) * (value - centre)).collect();
    let variance = mean(&squares);
    if outputs.windows(2).all(|pair| pair[0] == pair[1]) || variance <= 0.0 {
        return Err(StatsError::Constant("the output".to_owned()));
    }
    Ok(variance)
}

fn average<T>(rows: &[T], term: impl Fn(&T) -> f64) -> f64 {
    rows.iter().map(term).sum::<f64>() / rows.len() as f64
}

/// Mean of the products of two outputs over all pairs of different worlds.
fn between_worlds(row: &[SobolRow], one: impl Fn(&SobolRow) -> f64, other: impl Fn(&SobolRow) -> f64) -> f64 {
    let worlds = row.len() as f64;
    let (mut ones, mut others, mut same) = (0.0, 0.0, 0.0);
    for world in row {
        let (one, other) = (one(world), other(world));
        ones += one;
        others += other;
        same += one * other;
    }
    (ones * others - same) / (worlds * (worlds - 1.0))
}

/// Variance over worlds, with divisor n − 1.
fn variance_between(row: &[SobolRow], of: impl Fn(&SobolRow) -> f64) -> f64 {
    let values: Vec<f64> = row.iter().map(of).collect();
    crate::summary::variance(&values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(a: f64, b: f64, ab: f64) -> SobolRow {
        SobolRow { a, b, ab }
    }

    #[test]
    fn a_factor_that_changes_nothing_has_no_share() {
        let rows = [row(1.0, 2.0, 1.0), row(4.0, 3.0, 4.0), row(0.5, 7.0, 0.5)];
        assert_eq!(Indices::from_rows(&rows, 2.0).unwrap(), Indices { first: 0.0, total: 0.0 });
        let constant = [row(1.0, 1.0, 1.0); 3];
        assert_eq!(Indices::from_rows(&constant, 1.0).unwrap_err().to_string(), "the output is constant");
        let few = Indices::from_rows(&rows[..1], 1.0).unwrap_err().to_string();
        assert_eq!(few, "rows: 1 of them, and at least 2 are needed");
    }

    /// Worlds that are all alike have no luck, and the mean over them is each of them.
    #[test]
    fn without_luck_the_mean_is_the_world() {
        let rows = [row(1.0, 2.0, 2.5), row(4.0, 3.0, 1.0), row(0.5, 7.0, 6.0), row(2.0, 1.0, 1.5)];
        let alike: Vec<Vec<SobolRow>> = rows.iter().map(|row| vec![*row; 3]).collect();
        let (one, mean) = (Indices::from_rows(&rows, 2.6).unwrap(), Indices::of_mean(&alike, 2.6).unwrap());
        assert!(
            (one.first - mean.first).abs() < 1e-12 && (one.total - mean.total).abs() < 1e-12,
            "{one:?} {mean:?}"
        );
        let single: Vec<Vec<SobolRow>> = rows.iter().map(|row| vec![*row]).collect();
        let few = Indices::of_mean(&single, 0.0).unwrap_err().to_string();
        assert_eq!(few, "worlds: 1 of them, and at least 2 are needed");
    }
}
