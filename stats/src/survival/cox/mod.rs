//! The proportional hazards model of Cox (1972): hazard = baseline(t)·exp(x·β), by partial likelihood. Coefficients are natural logarithms
//! of hazard ratios (log hazard ratio) per unit of their column, above 0 where the column raises the hazard; times keep the caller's unit.
//! It is Cox proportional hazards regression for right-censored lifetimes. The baseline hazard cancels in the partial likelihood, so that
//! its form needn't be known. The command for survival tables fits it, with covariates from columns and groups; sweeps don't. Data are
//! sorted and scaled in `design` (`late` for late entries), the fit is in `likelihood` and `newton`, robust errors in `residuals`.

mod concordance;
mod design;
mod late;
mod likelihood;
mod newton;
mod residuals;

pub use residuals::SchoenfeldResidual;

use crate::distribution::{chi_square_upper, normal_quantile, normal_two_sided};
use crate::error::{Computed, StatsError};
use crate::matrix::Cholesky;
use crate::summary::{Interval, check, check_share, is_constant};
use crate::survival::Lifetimes;
use design::Design;
use morta_base::dot::dot;
use morta_base::math::exp;
use ndarray::Array2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A numeric covariate (explanatory variable) of a Cox model, with a value for each life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Covariate {
    /// Its name.
    pub name: String,
    /// Its values, in the order of the lives.
    pub values: Vec<f64>,
}

/// The data that a Cox regression is fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoxData {
    /// Durations, events, entries and weights.
    lifetimes: Lifetimes,
    /// At least one, each of as many values as there are lives.
    covariates: Vec<Covariate>,
    /// The cluster of each life; `None` where lives are independent.
    clusters: Option<Vec<u32>>,
}

impl CoxData {
    /// Checks and keeps lives, covariates and clusters. Lives of one cluster, such as a world or a lineage, may depend on each other;
    /// standard errors then are robust against that (cluster-robust).
    ///
    /// # Errors
    /// When there are no covariates, one is constant, not finite or of another length than the lives, or there are fewer than two
    /// clusters.
    pub fn new(
        lifetimes: Lifetimes,
        covariates: Vec<Covariate>,
        clusters: Option<Vec<u32>>,
    ) -> Result<Self, StatsError> {
        if covariates.is_empty() {
            return Err(StatsError::TooFew { subject: "covariates".to_owned(), found: 0, needed: 1 });
        }
        let expected = lifetimes.count();
        let length = |subject: &str, found: usize| {
            let wrong = StatsError::LengthsDiffer { subject: subject.to_owned(), found, expected };
            if found == expected { Ok(()) } else { Err(wrong) }
        };
        for covariate in &covariates {
            length(&covariate.name, covariate.values.len())?;
            check(&covariate.name, &covariate.values, 1)?;
            if is_constant(&covariate.values) {
                return Err(StatsError::Constant(format!("column `{}`", covariate.name)));
            }
        }
        if let Some(clusters) = &clusters {
            length("clusters", clusters.len())?;
            let found = clusters.iter().collect::<BTreeSet<_>>().len();
            if found < 2 {
                return Err(StatsError::TooFew { subject: "clusters".to_owned(), found, needed: 2 });
            }
        }
        Ok(Self { lifetimes, covariates, clusters })
    }

    /// The lives (survival data) that the model is fitted to.
    pub fn lifetimes(&self) -> &Lifetimes {
        &self.lifetimes
    }
}

morta_base::words! {
    /// What to do with deaths at one time (tie handling, Efron or Breslow).
    #[derive(Default)]
    pub enum Ties {
        /// Efron (1977): those who die at one time leave the risk set bit by bit. Close to exact, and the default.
        #[default]
        Efron = "efron",
        /// Breslow (1974): all of them are at risk for each other's death. Draws coefficients towards 0 when ties are many.
        Breslow = "breslow",
    }
}

/// Options of a Cox regression: tie handling and the confidence level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoxOptions {
    /// Deaths at one time.
    pub ties: Ties,
    /// Confidence level of intervals, in (0, 1).
    pub level: f64,
}

impl Default for CoxOptions {
    fn default() -> Self {
        Self { ties: Ties::Efron, level: 0.95 }
    }
}

/// The regression coefficient of one column, its effect on the hazard (log hazard ratio).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficient {
    /// The column.
    pub column: String,
    /// β, the log hazard ratio for one unit of the column.
    pub coefficient: f64,
    /// exp β.
    pub hazard_ratio: f64,
    /// From the information of the likelihood.
    pub standard_error: f64,
    /// The sandwich estimate of Lin & Wei (1989) over clusters, or over lives when they have weights and no clusters; z, p and the interval then rest on it.
    pub robust_standard_error: Option<f64>,
    /// β in standard errors (Wald z-statistic).
    pub z: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// Interval of the hazard ratio.
    pub hazard_ratio_interval: Interval,
}

/// A chi-square test of a whole model (likelihood ratio, Wald or score test).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelTest {
    /// The statistic.
    pub chi_square: f64,
    /// Number of columns.
    pub degrees_of_freedom: u32,
    /// p-value.
    pub p: f64,
}

/// A fitted Cox regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoxFit {
    /// Lives.
    pub lives: u64,
    /// Deaths.
    pub events: u64,
    /// Clusters, if the lives are in any.
    pub clusters: Option<u64>,
    /// How deaths at one time were handled.
    pub ties: Ties,
    /// One for each column.
    pub coefficients: Vec<Coefficient>,
    /// Log partial likelihood.
    pub log_likelihood: f64,
    /// The same with all coefficients 0.
    pub null_log_likelihood: f64,
    /// Twice what the columns add to the log likelihood; assumes independent lives.
    pub likelihood_ratio_test: ModelTest,
    /// Wald test of all coefficients, with the robust covariance when there are clusters or weights; unknown when there are too few of them
    /// for so many columns.
    pub wald_test: Computed<ModelTest>,
    /// Harrell's C: the chance that of two comparable lives the one of the higher hazard ends first; ties count half.
    pub concordance: Computed<f64>,
    /// Newton iterations.
    pub iterations: u32,
    /// Covariance of the coefficients from the information.
    pub covariance: Vec<Vec<f64>>,
    /// The sandwich over clusters, or over weighted lives.
    pub robust_covariance: Option<Vec<Vec<f64>>>,
}

impl CoxFit {
    fn beta(&self) -> Vec<f64> {
        self.coefficients.iter().map(|coefficient| coefficient.coefficient).collect()
    }

    /// Computes the Schoenfeld residuals: for each death, by ascending time, by how much its columns exceed what was expected of a death
    /// then.
    ///
    /// # Errors
    /// When the model has other columns than the data.
    pub fn schoenfeld_residuals(&self, data: &CoxData) -> Result<Vec<SchoenfeldResidual>, StatsError> {
        let (found, expected) = (data.covariates.len(), self.coefficients.len());
        if found != expected {
            return Err(StatsError::LengthsDiffer { subject: "columns".to_owned(), found, expected });
        }
        let design = Design::from_data(data);
        Ok(residuals::schoenfeld(&design, &design.standardised(&self.beta()), self.ties))
    }
}

/// Fits a Cox regression by maximum partial likelihood.
///
/// # Errors
/// When no life ended in the event, a column is constant, depends on others or separates, or the level is not within (0, 1).
pub fn fit(data: &CoxData, options: &CoxOptions) -> Result<CoxFit, StatsError> {
    check_share("level", options.level)?;
    let lives = &data.lifetimes;
    if lives.event_count() == 0 {
        return Err(StatsError::NoEvents);
    }
    let design = Design::from_data(data);
    let maximum = newton::climb(&design, data, options.ties)?;
    let beta = design.in_units(&maximum.beta);
    let covariance = design.covariance_in_units(maximum.covariance.clone());
    let is_robust = data.clusters.is_some() || lives.weights().is_some();
    let robust_covariance = is_robust.then(|| {
        let clusters = data.clusters.as_deref();
        design.covariance_in_units(residuals::sandwich(&design, &maximum, options.ties, clusters))
    });
    let used = robust_covariance.as_ref().unwrap_or(&covariance);
    let columns = beta.len() as u32;
    let gain = 2.0 * (maximum.log_likelihood - maximum.null_log_likelihood);
    let risk: Vec<f64> = design.linear_predictors(&maximum.beta);
    let coefficient = |index: usize| {
        let robust = robust_covariance.as_ref().map(|covariance| covariance[[index, index]].sqrt());
        let standard_error = covariance[[index, index]].sqrt();
        let name = data.covariates[index].name.clone();
        coefficient(name, beta[index], standard_error, robust, options.level)
    };
    Ok(CoxFit {
        lives: lives.count() as u64,
        events: lives.event_count() as u64,
        clusters: data.clusters.as_ref().map(|of| of.iter().collect::<BTreeSet<_>>().len() as u64),
        ties: options.ties,
        coefficients: (0..beta.len()).map(coefficient).collect(),
        log_likelihood: maximum.log_likelihood,
        null_log_likelihood: maximum.null_log_likelihood,
        likelihood_ratio_test: model_test(gain.max(0.0), columns),
        wald_test: wald(used, &beta).into(),
        concordance: concordance::concordance(&design, &risk).into(),
        iterations: maximum.iterations,
        covariance: rows(&covariance),
        robust_covariance: robust_covariance.as_ref().map(rows),
    })
}

/// A matrix as it is serialised: row by row.
fn rows(matrix: &Array2<f64>) -> Vec<Vec<f64>> {
    matrix.rows().into_iter().map(|row| row.to_vec()).collect()
}

fn coefficient(
    column: String,
    beta: f64,
    standard_error: f64,
    robust: Option<f64>,
    level: f64,
) -> Coefficient {
    let used = robust.unwrap_or(standard_error);
    let half = normal_quantile(0.5 + level / 2.0) * used;
    // A ratio beyond what a float can hold is reported as the largest float: infinity is no JSON number.
    let ratio = |x: f64| exp(x).min(f64::MAX);
    // A sandwich of 0 (every cluster's pull cancels) leaves no doubt, not an undefined one.
    let z = if used > 0.0 { beta / used } else { f64::MAX.copysign(beta) };
    Coefficient {
        column,
        coefficient: beta,
        hazard_ratio: ratio(beta),
        standard_error,
        robust_standard_error: robust,
        z,
        p: normal_two_sided(z),
        hazard_ratio_interval: Interval { low: ratio(beta - half), high: ratio(beta + half), level },
    }
}

fn model_test(chi_square: f64, columns: u32) -> ModelTest {
    ModelTest { chi_square, degrees_of_freedom: columns, p: chi_square_upper(chi_square, columns) }
}

/// βᵀ·V⁻¹·β, on the scale of the standard errors so that units don't matter to what counts as singular.
fn wald(covariance: &Array2<f64>, beta: &[f64]) -> Result<ModelTest, StatsError> {
    let errors: Vec<f64> = (0..beta.len()).map(|i| covariance[[i, i]].sqrt()).collect();
    if errors.contains(&0.0) {
        return Err(StatsError::SingularSandwich);
    }
    let scaled = |(i, j): (usize, usize)| covariance[[i, j]] / (errors[i] * errors[j]);
    let correlation = Array2::from_shape_fn(covariance.raw_dim(), scaled);
    let factors = Cholesky::new(correlation.view(), |_| 1e-10).map_err(|_| StatsError::SingularSandwich)?;
    let z: Vec<f64> = beta.iter().zip(&errors).map(|(beta, error)| beta / error).collect();
    Ok(model_test(dot(&z, &factors.solve(&z)), beta.len() as u32))
}
