//! The partial likelihood, its gradient and its information, in one pass from the last time to the first. It is the Cox partial likelihood
//! with Efron's or Breslow's ties: gradient (score) and Hessian (information matrix). Risk sets grow as time runs backwards, so that each
//! row is added once. Lives of one time are one block, whose deaths are handled by the rule for ties. Newton's method evaluates it at each
//! step; residuals walk the same risk sets. Columns and β are standardised.

use super::Ties;
use super::design::{Block, Design};
use morta_base::math::ln;
use ndarray::Array2;

/// The log partial likelihood and its derivatives at some β (score, information matrix).
pub(super) struct Derivatives {
    /// Its value.
    pub log_likelihood: f64,
    /// First derivatives.
    pub gradient: Vec<f64>,
    /// Second derivatives, negated.
    pub information: Array2<f64>,
}

/// Sums over a set of rows, each weighted with its hazard (times its weight, where lives have one): of 1, x and x·xᵀ.
#[derive(Clone)]
pub(super) struct Sums {
    /// Σ hazard.
    pub hazard: f64,
    /// Σ hazard·x, by column.
    pub first: Vec<f64>,
    /// Σ hazard·x·xᵀ, the lower triangle; `None` where it isn't asked for.
    second: Option<Array2<f64>>,
}

impl Sums {
    /// The sums of no rows (an empty risk set), all 0; with second moments or without.
    pub(super) fn new(columns: usize, second: bool) -> Self {
        Self {
            hazard: 0.0,
            first: vec![0.0; columns],
            second: second.then(|| Array2::zeros((columns, columns))),
        }
    }

    /// Adds a row to the risk set, a rank-one update.
    pub(super) fn add(&mut self, x: &[f64], hazard: f64) {
        self.hazard += hazard;
        for (i, of_i) in x.iter().enumerate() {
            let weighted = hazard * of_i;
            self.first[i] += weighted;
            if let Some(second) = &mut self.second {
                // The lower triangle: the rest is the same by symmetry.
                second.row_mut(i).iter_mut().zip(&x[..=i]).for_each(|(sum, of_j)| *sum += weighted * of_j);
            }
        }
    }

    /// These and others.
    fn and(&self, others: &Self) -> Self {
        let mut both = self.clone();
        both.hazard += others.hazard;
        both.first.iter_mut().zip(&others.first).for_each(|(sum, other)| *sum += other);
        if let Some((sum, other)) = both.second.as_mut().zip(others.second.as_ref()) {
            *sum += other;
        }
        both
    }

    /// The sum of hazards and the mean x when `share` of the dying has left this risk set (Efron correction).
    pub(super) fn without(&self, dying: &Self, share: f64) -> (f64, Vec<f64>) {
        let hazard = self.hazard - share * dying.hazard;
        let mean =
            self.first.iter().zip(&dying.first).map(|(all, out)| (all - share * out) / hazard).collect();
        (hazard, mean)
    }
}

/// The shares of the dying that have left the risk set before each of their deaths (Efron ties).
pub(super) fn shares(deaths: usize, ties: Ties) -> impl Iterator<Item = f64> {
    (0..deaths).map(move |gone| match ties {
        Ties::Efron => gone as f64 / deaths as f64,
        Ties::Breslow => 0.0,
    })
}

/// Walks blocks of one time from the last to the first, with the sums over those at risk and over those dying (risk set traversal).
pub(super) fn walk_back(
    design: &Design,
    hazards: &[f64],
    second: bool,
    mut visit: impl FnMut(&Block, &Sums, &Sums),
) {
    let add = |sums: &mut Sums, row: usize| sums.add(design.row(row), design.weights[row] * hazards[row]);
    let mut from_start = Sums::new(design.columns, second);
    let mut step = |index: usize, late: Option<&Sums>| {
        let block = &design.blocks[index];
        let mut dying = Sums::new(design.columns, second);
        for row in block.rows.clone() {
            if design.late.as_ref().is_none_or(|late| late.first[row].is_none()) {
                add(&mut from_start, row);
            }
            if design.events[row] {
                add(&mut dying, row);
            }
        }
        match late {
            _ if block.deaths == 0 => {}
            Some(late) => visit(block, &from_start.and(late), &dying),
            None => visit(block, &from_start, &dying),
        }
    };
    let none = || Sums::new(design.columns, second);
    match &design.late {
        Some(late) => late.walk_back(none(), &add, &mut |index, late| step(index, Some(late))),
        None => (0..design.blocks.len()).rev().for_each(|index| step(index, None)),
    }
}

/// Evaluates the partial likelihood at a standardised β.
pub(super) fn evaluate(design: &Design, beta: &[f64], ties: Ties) -> Derivatives {
    let (hazards, linear) = design.hazards(beta);
    let mut log_likelihood = 0.0;
    let mut gradient = vec![0.0; design.columns];
    let mut information = Array2::zeros((design.columns, design.columns));
    walk_back(design, &hazards, true, |block, at_risk, dying| {
        for row in block.rows.clone().filter(|row| design.events[*row]) {
            let weight = design.weights[row];
            log_likelihood += weight * linear[row];
            gradient.iter_mut().zip(design.row(row)).for_each(|(sum, x)| *sum += weight * x);
        }
        let (all, out) = (at_risk.second.as_ref(), dying.second.as_ref());
        let (all, out) = all.zip(out).expect("the walk keeps second moments");
        for share in shares(block.deaths, ties) {
            let (hazard, mean) = at_risk.without(dying, share);
            let weight = block.death_weight;
            log_likelihood -= weight * ln(hazard);
            for i in 0..design.columns {
                gradient[i] -= weight * mean[i];
                for j in 0..=i {
                    let square = (all[[i, j]] - share * out[[i, j]]) / hazard;
                    information[[i, j]] += weight * (square - mean[i] * mean[j]);
                }
            }
        }
    });
    let information =
        Array2::from_shape_fn(information.raw_dim(), |(i, j)| information[[i.max(j), i.min(j)]]);
    Derivatives { log_likelihood, gradient, information }
}
