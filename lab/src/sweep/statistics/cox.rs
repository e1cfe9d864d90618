//! Columns of a table as covariates, and the Cox proportional hazards model fitted to them. Text columns become
//! indicators (dummy variables, one-hot encoding). The assumption of proportional hazards is tested by
//! Schoenfeld residuals, with ranks and with Kaplan-Meier as the transformation of time. A reference level is named in the report,
//! because every ratio is relative to it. A model that can't be fitted is reported with its reason and is no error.
//! `morta stats survival` asks for it when there are groups or `--covariates`; it is shown beside the curves.

use super::groups::Names;
use crate::io::error::{At as _, Error, Result};
use crate::io::table_file::{CellKind, TableFile};
use morta_stats::survival::Lifetimes;
use morta_stats::survival::cox::{Covariate, CoxData, CoxFit, CoxOptions, fit};
use morta_stats::survival::proportional::{ProportionalHazards, TimeTransform, proportional_hazards};
use morta_stats::{Computed, StatsError};
use serde::Serialize;
use std::sync::Arc;

/// Most columns of a model.
const COLUMNS_MAX: usize = 200;

/// Cox regression result: the model, and the test of its proportional hazards assumption.
#[derive(Debug, Serialize)]
pub struct CoxReport {
    /// Text columns with the level that their indicator columns are relative to.
    pub reference_levels: Vec<ReferenceLevel>,
    /// Which column the clusters are, if any.
    pub cluster: Option<String>,
    /// The fitted model.
    pub model: Computed<CoxFit>,
    /// Tests of proportional hazards, one for each transformation of time.
    pub proportional_hazards: Vec<Computed<ProportionalHazards>>,
}

/// The reference category of a text column: the level that has no dummy variable of its own.
#[derive(Debug, Serialize)]
pub struct ReferenceLevel {
    /// The text column.
    pub column: String,
    /// The level that the others are relative to.
    pub level: String,
}

/// Cox regression of a table on some of its columns. `baseline` is the column of groups with its reference level: that column becomes
/// indicators (dummy variables) even if it holds numbers. Other text columns are relative to their first level by name.
///
/// # Errors
/// When a column is missing, a text column has one level or more than 50, or the covariates make more than 200 columns.
pub(super) fn report(
    table: &TableFile,
    lifetimes: Lifetimes,
    columns: &[&str],
    baseline: Option<(&str, &str)>,
    cluster: Option<&str>,
    options: &CoxOptions,
) -> Result<CoxReport> {
    let mut covariates = Vec::new();
    let mut reference_levels = Vec::new();
    for column in columns {
        let is_group = baseline.is_some_and(|(group, _)| group == *column);
        if table.kind(column) == CellKind::Text || is_group {
            let level = baseline.filter(|_| is_group).map(|(_, level)| level);
            let labels = table.labels(column)?;
            let names = Names::from_labels(table.name(), column, &labels, level)?;
            let indicator = |level: &String| Covariate {
                name: format!("{column}={level}"),
                values: labels.iter().map(|label| f64::from(u8::from(**label == **level))).collect(),
            };
            covariates.extend(names.others().iter().map(indicator));
            reference_levels
                .push(ReferenceLevel { column: (*column).to_owned(), level: names.baseline().to_owned() });
        } else {
            covariates.push(Covariate { name: (*column).to_owned(), values: table.numbers(column)? });
        }
    }
    if covariates.len() > COLUMNS_MAX {
        let count = covariates.len();
        return Err(Error::invalid(format!(
            "--covariates make {count} columns, and the most is {COLUMNS_MAX}"
        )));
    }
    let clusters = cluster.map(|column| table.labels(column).map(|labels| numbered(&labels))).transpose()?;
    let data = CoxData::new(lifetimes, covariates, clusters).at(table.name())?;
    let fitted = fit(&data, options);
    let drift = |transform| -> Result<ProportionalHazards, StatsError> {
        proportional_hazards(&data, fitted.as_ref().map_err(Clone::clone)?, transform)
    };
    let transforms = [TimeTransform::Rank, TimeTransform::KaplanMeier];
    let proportional_hazards = transforms.map(|transform| drift(transform).into()).into();
    let cluster = cluster.map(str::to_owned);
    Ok(CoxReport { reference_levels, cluster, model: fitted.into(), proportional_hazards })
}

fn numbered(labels: &[Arc<str>]) -> Vec<u32> {
    let mut known: Vec<&Arc<str>> = labels.iter().collect();
    known.sort_unstable();
    known.dedup();
    let place = |label: &Arc<str>| known.binary_search(&label).expect("every label is known");
    labels.iter().map(|label| place(label) as u32).collect()
}
