//! The partial likelihood, its gradient and its information, in one pass from the last time to the first.

use super::Ties;
use super::design::{Block, Design};
use morta_base::math::ln;
use ndarray::Array2;

/// The log partial likelihood and its derivatives at some β.
pub struct Derivatives {
    /// Its value.
    pub log_likelihood: f64,
    /// First derivatives.
    pub gradient: Vec<f64>,
    /// Second derivatives, negated.
    pub information: Array2<f64>,
}

/// Sums over a set of rows, each weighted with its hazard: of 1, x and x·xᵀ.
#[derive(Clone)]
pub struct Sums {
    pub hazard: f64,
    pub first: Vec<f64>,
    second: Option<Array2<f64>>,
}

impl Sums {
    /// Of no rows; with second moments or without.
    pub fn new(columns: usize, second: bool) -> Self {
        Self {
            hazard: 0.0,
            first: vec![0.0; columns],
            second: second.then(|| Array2::zeros((columns, columns))),
        }
    }

    /// Adds a row.
    pub fn add(&mut self, x: &[f64], hazard: f64) {
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

    /// The sum of hazards and the mean x when `share` of the dying has left this risk set.
    pub fn without(&self, dying: &Self, share: f64) -> (f64, Vec<f64>) {
        let hazard = self.hazard - share * dying.hazard;
        let mean =
            self.first.iter().zip(&dying.first).map(|(all, out)| (all - share * out) / hazard).collect();
        (hazard, mean)
    }
}

/// The shares of the dying that have left the risk set before each of their deaths.
pub fn shares(deaths: usize, ties: Ties) -> impl Iterator<Item = f64> {
    (0..deaths).map(move |gone| match ties {
        Ties::Efron => gone as f64 / deaths as f64,
        Ties::Breslow => 0.0,
    })
}

/// Walks blocks of one time from the last to the first, with the sums over those at risk and over those dying.
pub fn walk_back(
    design: &Design,
    hazards: &[f64],
    second: bool,
    mut visit: impl FnMut(&Block, &Sums, &Sums),
) {
    let mut at_risk = Sums::new(design.columns, second);
    for block in design.blocks.iter().rev() {
        let mut dying = Sums::new(design.columns, second);
        for row in block.rows.clone() {
            at_risk.add(design.row(row), hazards[row]);
            if design.events[row] {
                dying.add(design.row(row), hazards[row]);
            }
        }
        if block.deaths > 0 {
            visit(block, &at_risk, &dying);
        }
    }
}

/// Evaluates the likelihood at a standardised β.
pub fn evaluate(design: &Design, beta: &[f64], ties: Ties) -> Derivatives {
    let (hazards, linear) = design.hazards(beta);
    let mut log_likelihood = 0.0;
    let mut gradient = vec![0.0; design.columns];
    let mut information = Array2::zeros((design.columns, design.columns));
    walk_back(design, &hazards, true, |block, at_risk, dying| {
        for row in block.rows.clone().filter(|row| design.events[*row]) {
            log_likelihood += linear[row];
            gradient.iter_mut().zip(design.row(row)).for_each(|(sum, x)| *sum += x);
        }
        let (all, out) = (at_risk.second.as_ref(), dying.second.as_ref());
        let (all, out) = all.zip(out).expect("the walk keeps second moments");
        for share in shares(block.deaths, ties) {
            let (hazard, mean) = at_risk.without(dying, share);
            log_likelihood -= ln(hazard);
            for i in 0..design.columns {
                gradient[i] -= mean[i];
                for j in 0..=i {
                    information[[i, j]] += (all[[i, j]] - share * out[[i, j]]) / hazard - mean[i] * mean[j];
                }
            }
        }
    });
    let information =
        Array2::from_shape_fn(information.raw_dim(), |(i, j)| information[[i.max(j), i.min(j)]]);
    Derivatives { log_likelihood, gradient, information }
}
