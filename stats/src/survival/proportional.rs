//! Whether hazards are proportional: do the scaled Schoenfeld residuals of a Cox model drift with time (Grambsch & Therneau 1994)?
//!
//! The statistic is the one of `lifelines.statistics.proportional_hazard_test`, and of R's `cox.zph` before survival 3.0. With
//! `rank`, lifelines numbers tied deaths in the order of the rows; here they share their mean rank, as in R, so that the order
//! of rows doesn't matter.
//!
//! It is the proportional hazards test of a Cox model. A p-value near 0 says that a hazard ratio changes with time, so that one
//! number for it would mislead. A time transform scales the times: the rank of a death, or one minus the Kaplan-Meier survival. The
//! command for survival tables runs it after each Cox model, on both scales of time.

use crate::distribution::chi_square_upper;
use crate::error::StatsError;
use crate::ranks::midranks;
use crate::summary::{is_constant, mean};
use crate::survival::cox::{CoxData, CoxFit};
use crate::survival::kaplan_meier::KaplanMeier;
use morta_base::dot::dot;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The scale of time on which a drift of residuals is looked for (time transform).
    pub enum TimeTransform {
        /// The rank of a death among the deaths.
        Rank = "rank",
        /// One minus the Kaplan-Meier survival of all lives.
        KaplanMeier = "kaplan_meier",
    }
}

/// The Schoenfeld test of one column (covariate) for proportional hazards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnDrift {
    /// The column.
    pub column: String,
    /// The statistic, with one degree of freedom.
    pub chi_square: f64,
    /// p-value; a small one says that the column's effect changes with time.
    pub p: f64,
}

/// The tests of proportional hazards: that of all columns (global), and one for each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProportionalHazards {
    /// The scale of time.
    pub transform: TimeTransform,
    /// Each column by itself.
    pub columns: Vec<ColumnDrift>,
    /// All of them together.
    pub chi_square: f64,
    /// Number of columns.
    pub degrees_of_freedom: u32,
    /// p-value of all together.
    pub p: f64,
}

/// Tests the assumption of proportional hazards of a fitted model, on the data it was fitted to.
///
/// # Errors
/// When the model has other columns than the data, or all deaths fall on one time.
pub fn proportional_hazards(
    data: &CoxData,
    fit: &CoxFit,
    transform: TimeTransform,
) -> Result<ProportionalHazards, StatsError> {
    let residuals = fit.schoenfeld_residuals(data)?;
    let times: Vec<f64> = residuals.iter().map(|residual| residual.time).collect();
    let transformed = match transform {
        TimeTransform::Rank => midranks(&times).0,
        TimeTransform::KaplanMeier => {
            let curve = KaplanMeier::from_lifetimes(data.lifetimes(), 0.95)?;
            times.iter().map(|time| 1.0 - curve.survival_at(*time)).collect()
        }
    };
    if is_constant(&transformed) {
        return Err(StatsError::Constant("the time of the events".to_owned()));
    }
    let centre = mean(&transformed);
    let away: Vec<f64> = transformed.iter().map(|time| time - centre).collect();
    let squares = dot(&away, &away);
    let columns = fit.coefficients.len();
    let mut drift = vec![0.0; columns];
    for (residual, away) in residuals.iter().zip(&away) {
        drift.iter_mut().zip(&residual.values).for_each(|(sum, value)| *sum += away * value);
    }
    let factor = residuals.len() as f64 / squares;
    let of_column = |(index, row): (usize, &Vec<f64>)| {
        let slope = dot(row, &drift);
        let chi_square = factor * slope * slope / row[index];
        let column = fit.coefficients[index].column.clone();
        ColumnDrift { column, chi_square, p: chi_square_upper(chi_square, 1) }
    };
    let quadratic: f64 = fit.covariance.iter().zip(&drift).map(|(row, outer)| outer * dot(row, &drift)).sum();
    let chi_square = factor * quadratic;
    Ok(ProportionalHazards {
        transform,
        columns: fit.covariance.iter().enumerate().map(of_column).collect(),
        chi_square,
        degrees_of_freedom: columns as u32,
        p: chi_square_upper(chi_square, columns as u32),
    })
}
