//! Newton's method with step halving, and what it means when it can't arrive. It is the Newton-Raphson optimizer of the partial likelihood.
//! Complete separation has no maximum, so it is reported and never returned as a huge coefficient. Steps are halved where the likelihood
//! falls, because Newton's step may overshoot.

use super::design::Design;
use super::likelihood::{Derivatives, evaluate};
use super::{CoxData, Ties};
use crate::error::StatsError;
use crate::matrix::Cholesky;
use morta_base::dot::dot;
use ndarray::Array2;

/// It takes about five; one that separates needs thirty to be known as such.
const ITERATIONS_MAX: u32 = 100;
/// A step this short in standard deviations of a column is no step.
const STEP_MIN: f64 = 1e-9;
/// A step that promises less than this can fail by rounding alone.
const PROMISE_MIN: f64 = 1e-9;
/// Halvings after which a step is as good as none.
const HALVINGS_MAX: u32 = 40;
/// A log hazard ratio per standard deviation that nothing but separation reaches.
const COEFFICIENT_MAX: f64 = 30.0;
/// A pivot below this share of its diagonal: the column depends on others.
const COLLINEAR: f64 = 1e-9;
/// Information below this share of what there was at the start: the likelihood is flat, the maximum at infinity.
const FLAT: f64 = 1e-11;

/// The maximum likelihood estimate: where the partial likelihood is largest.
pub(super) struct Maximum {
    /// Coefficients of standardised columns.
    pub beta: Vec<f64>,
    /// The inverse of the information there.
    pub covariance: Array2<f64>,
    /// Log partial likelihood there.
    pub log_likelihood: f64,
    /// And at 0.
    pub null_log_likelihood: f64,
    /// Iterations it took.
    pub iterations: u32,
}

/// Climbs from 0 to the maximum (Newton-Raphson).
pub(super) fn climb(design: &Design, data: &CoxData, ties: Ties) -> Result<Maximum, StatsError> {
    let name = |column: usize| data.covariates[column].name.clone();
    let mut beta = vec![0.0; design.columns];
    let mut here = evaluate(design, &beta, ties);
    let null_log_likelihood = here.log_likelihood;
    let start: Vec<f64> = (0..design.columns).map(|column| here.information[[column, column]]).collect();
    let deaths = data.lifetimes.event_weight();
    if let Some(column) = start.iter().position(|information| *information <= 1e-12 * deaths) {
        return Err(StatsError::Uninformative(name(column)));
    }
    Cholesky::new(here.information.view(), |column| COLLINEAR * start[column])
        .map_err(|column| StatsError::Collinear(name(column)))?;
    for iteration in 1..=ITERATIONS_MAX {
        let separation = |beta: &[f64]| StatsError::Separation(name(largest(beta)));
        let factors = Cholesky::new(here.information.view(), |column| FLAT * start[column])
            .map_err(|_| separation(&beta))?;
        let step = factors.solve(&here.gradient);
        // Newton's decrement: twice what the step is expected to add to the log likelihood.
        let promise = dot(&step, &here.gradient);
        let moved = match uphill(design, &mut beta, &mut here, step, ties) {
            Some(moved) => moved,
            None if promise < PROMISE_MIN => 0.0,
            None => return Err(StatsError::NoConvergence(iteration)),
        };
        if beta.iter().any(|coefficient| coefficient.abs() > COEFFICIENT_MAX) {
            return Err(separation(&beta));
        }
        if moved < STEP_MIN {
            let factors = Cholesky::new(here.information.view(), |column| FLAT * start[column])
                .map_err(|_| separation(&beta))?;
            return Ok(Maximum {
                covariance: factors.inverse(),
                log_likelihood: here.log_likelihood,
                null_log_likelihood,
                iterations: iteration,
                beta,
            });
        }
    }
    Err(StatsError::NoConvergence(ITERATIONS_MAX))
}

/// Goes a step, or a half, a quarter, ... of it, until the likelihood doesn't fall but by rounding. Returns the longest part of
/// the step that was gone, if any was.
fn uphill(
    design: &Design,
    beta: &mut Vec<f64>,
    here: &mut Derivatives,
    mut step: Vec<f64>,
    ties: Ties,
) -> Option<f64> {
    let rounding = 1e-13 * (1.0 + here.log_likelihood.abs());
    for _ in 0..HALVINGS_MAX {
        let there: Vec<f64> = beta.iter().zip(&step).map(|(beta, step)| beta + step).collect();
        let found = evaluate(design, &there, ties);
        if found.log_likelihood >= here.log_likelihood - rounding {
            (*beta, *here) = (there, found);
            return Some(step.iter().map(|part| part.abs()).fold(0.0, f64::max));
        }
        step.iter_mut().for_each(|part| *part /= 2.0);
    }
    None
}

fn largest(beta: &[f64]) -> usize {
    (0..beta.len()).max_by(|a, b| beta[*a].abs().total_cmp(&beta[*b].abs())).unwrap_or(0)
}
