//! The small vocabulary of a sweep file: values, designs, directions, tests. Its tables are made of these.

use crate::measure;
use crate::scenario_file::spelling::same_path;
use morta_base::keys::{Free, KeyValue};
use morta_stats::StatsError;
use morta_stats::multiple::{benjamini_hochberg, holm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A value of a scenario's key: of any kind, until it is put in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AnyValue(#[schemars(with = "serde_json::Value")] pub toml::Value);

impl KeyValue for AnyValue {
    type Rule = Free;
}

/// Keys of a scenario with their values, as a table.
pub type Settings = BTreeMap<String, AnyValue>;

/// How the values of the axes are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// First values together, then second values together, and so on: all axes have the same number of values.
    #[default]
    List,
    /// Every value of each axis with every value of the others.
    Grid,
    /// The scenario as it is, and each value of each axis alone.
    OneAtATime,
    /// `samples` points that are spread evenly over each axis.
    LatinHypercube,
    /// Trajectories that move one axis after the other through a grid: a screening of many keys, by elementary effects.
    Morris,
    /// Two samples of all axes and mixtures of them: what share of a measure's variance each key makes, alone and together with others.
    Sobol,
}

impl KeyValue for Design {
    type Rule = Free;
}

impl Design {
    /// Whether its points are held against one another along keys rather than with a baseline.
    pub fn is_sensitivity(self) -> bool {
        matches!(self, Self::Morris | Self::Sobol)
    }
}

pub(super) fn everybody() -> String {
    measure::EVERYBODY.to_owned()
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Larger values are better.
    More,
    /// Smaller values are better.
    Less,
}

impl KeyValue for Direction {
    type Rule = Free;
}

/// A test of paired differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// Signs of the differences are exchanged at random.
    #[default]
    PairedPermutation,
    /// Wilcoxon's signed ranks.
    Wilcoxon,
    /// Student's t of the differences.
    T,
}

impl KeyValue for Test {
    type Rule = Free;
}

/// What is done about several comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// Holm's step-down: bounds the chance of any false finding.
    #[default]
    Holm,
    /// Benjamini and Hochberg's step-up: bounds the share of false findings.
    BenjaminiHochberg,
}

impl KeyValue for Correction {
    type Rule = Free;
}

impl Correction {
    /// The p-values of one family, corrected, in their order.
    ///
    /// # Errors
    /// When one isn't from 0 to 1.
    pub fn adjust(self, p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
        match self {
            Self::Holm => holm(p_values),
            Self::BenjaminiHochberg => benjamini_hochberg(p_values),
        }
    }
}

/// A key that two tables of settings both set.
pub(super) fn shared_key(one: &Settings, other: &Settings) -> Option<String> {
    let others = flat_keys(other);
    flat_keys(one).into_iter().find(|key| others.iter().any(|own| same_path(own, key)))
}

/// The dotted keys of nested tables.
pub(super) fn flat_keys(settings: &Settings) -> Vec<String> {
    fn walk(path: &str, value: &toml::Value, found: &mut Vec<String>) {
        match value {
            toml::Value::Table(entries) if !entries.is_empty() => {
                entries.iter().for_each(|(key, value)| walk(&format!("{path}.{key}"), value, found));
            }
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = Vec::new();
    settings.iter().for_each(|(key, value)| walk(key, &value.0, &mut found));
    found
}
