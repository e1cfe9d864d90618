//! Residuals: Schoenfeld's for each death, and the score of each life, from which robust standard errors are made.
//!
//! With ties, scores follow Efron as Therneau & Grambsch (2000, section 3.3 and appendix) and R do; `lifelines` takes tied deaths
//! one after the other in the order of the rows, so its robust errors differ where there are ties. Of a life that enters late, scores count what
//! fell due since its entry, as R does; `lifelines` counts from the start.
//!
//! They are Schoenfeld residuals and the sandwich estimator (robust standard errors, clustered). Robust errors are needed because lives of one world
//! depend on each other.

use super::Ties;
use super::design::Design;
use super::likelihood::{shares, walk_back};
use super::newton::Maximum;
use crate::matrix::times;
use ndarray::Array2;
use std::collections::BTreeMap;

/// The Schoenfeld residual of one death: by how much its columns exceed what was expected of a death at its time.
#[derive(Clone, Debug, PartialEq)]
pub struct SchoenfeldResidual {
    /// The time of death.
    pub time: f64,
    /// One value for each column, in its units.
    pub values: Vec<f64>,
}

/// Computes the Schoenfeld residuals of a Cox model, by ascending time.
pub(super) fn schoenfeld(design: &Design, beta: &[f64], ties: Ties) -> Vec<SchoenfeldResidual> {
    let (hazards, _) = design.hazards(beta);
    let mut residuals = Vec::new();
    walk_back(design, &hazards, false, |block, at_risk, dying| {
        let mut expected = vec![0.0; design.columns];
        for share in shares(block.deaths, ties) {
            let (_, mean) = at_risk.without(dying, share);
            expected.iter_mut().zip(mean).for_each(|(sum, x)| *sum += x / block.deaths as f64);
        }
        for row in block.rows.clone().rev().filter(|row| design.events[*row]) {
            let excess: Vec<f64> = design.row(row).iter().zip(&expected).map(|(x, mean)| x - mean).collect();
            residuals
                .push(SchoenfeldResidual { time: block.time, values: design.residual_in_units(&excess) });
        }
    });
    residuals.reverse();
    residuals
}

/// What the deaths at one time take from those at risk: Σ w/hazard and Σ w·x̄/hazard over the deaths, where w is 1 for those who
/// live on and falls for the dying; and Σ x̄ over the deaths.
struct Toll {
    /// Σ w/hazard and Σ w·x̄/hazard for those who live on.
    survivor: (f64, Vec<f64>),
    /// The same for those who die then.
    dying: (f64, Vec<f64>),
    /// Mean of x̄ over the deaths.
    mean: Vec<f64>,
}

fn tolls(design: &Design, hazards: &[f64], ties: Ties) -> Vec<Toll> {
    let none = || (0.0, vec![0.0; design.columns]);
    let mut tolls = Vec::new();
    walk_back(design, hazards, false, |block, at_risk, dying| {
        let mut toll = Toll { survivor: none(), dying: none(), mean: none().1 };
        for share in shares(block.deaths, ties) {
            let (hazard, mean) = at_risk.without(dying, share);
            for (part, weight) in [(&mut toll.survivor, 1.0), (&mut toll.dying, 1.0 - share)] {
                let weight = block.death_weight * weight;
                part.0 += weight / hazard;
                part.1.iter_mut().zip(&mean).for_each(|(sum, x)| *sum += weight * x / hazard);
            }
            toll.mean.iter_mut().zip(&mean).for_each(|(sum, x)| *sum += x / block.deaths as f64);
        }
        tolls.push(toll);
    });
    tolls.reverse();
    tolls
}

/// The score of each sorted row: what it pulls at the coefficients. They sum to the gradient.
fn scores(design: &Design, beta: &[f64], ties: Ties) -> Vec<Vec<f64>> {
    let (hazards, _) = design.hazards(beta);
    let mut tolls = tolls(design, &hazards, ties).into_iter();
    let mut passed = (0.0, vec![0.0; design.columns]);
    // Cumulative hazard before each time, for lives that enter after some of it.
    let mut history = Vec::new();
    let mut scores = Vec::with_capacity(hazards.len());
    for block in &design.blocks {
        if design.late.is_some() {
            history.push(passed.clone());
        }
        let toll = (block.deaths > 0).then(|| tolls.next().expect("there is a toll for each time of death"));
        let before = passed.clone();
        if let Some(toll) = &toll {
            passed.0 += toll.survivor.0;
            passed.1.iter_mut().zip(&toll.survivor.1).for_each(|(sum, x)| *sum += x);
        }
        for row in block.rows.clone() {
            let x = design.row(row);
            let missed = design.late.as_ref().and_then(|late| late.first[row]).map(|first| &history[first]);
            let missed = |column: usize| missed.map_or((0.0, 0.0), |missed| (missed.0, missed.1[column]));
            let score = |column: usize| {
                let (rate_missed, mean_missed) = missed(column);
                match &toll {
                    Some(toll) if design.events[row] => {
                        let rate = before.0 + toll.dying.0 - rate_missed;
                        let mean = before.1[column] + toll.dying.1[column] - mean_missed;
                        x[column] - toll.mean[column] - hazards[row] * (x[column] * rate - mean)
                    }
                    _ => {
                        let (rate, mean) = (passed.0 - rate_missed, passed.1[column] - mean_missed);
                        -hazards[row] * (x[column] * rate - mean)
                    }
                }
            };
            scores.push((0..design.columns).map(|column| design.weights[row] * score(column)).collect());
        }
    }
    scores
}

/// The covariance of the coefficients when lives of one cluster (without clusters: each life its own) may depend on each other: Σ over
/// clusters of the square of what each shifts the coefficients by (the sandwich estimator).
pub(super) fn sandwich(
    design: &Design,
    maximum: &Maximum,
    ties: Ties,
    clusters: Option<&[u32]>,
) -> Array2<f64> {
    let scores = scores(design, &maximum.beta, ties);
    let mut of_cluster: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (score, row) in scores.iter().zip(&design.order) {
        let cluster = clusters.map_or(*row, |clusters| clusters[*row] as usize);
        let sum = of_cluster.entry(cluster).or_insert_with(|| vec![0.0; design.columns]);
        sum.iter_mut().zip(score).for_each(|(sum, part)| *sum += part);
    }
    let mut sandwich = Array2::zeros((design.columns, design.columns));
    for score in of_cluster.values() {
        let shift = times(maximum.covariance.view(), score);
        sandwich.indexed_iter_mut().for_each(|((i, j), sum)| *sum += shift[i] * shift[j]);
    }
    sandwich
}
