//! The small vocabulary of a sweep file: values (a newtype of any TOML value), designs, directions, tests. Among its words are, as
//! statistical tests, the sign-flip permutation test, the paired t-test, the Wilcoxon signed-rank test, and against multiple comparisons
//! Holm's correction (family-wise) and Benjamini-Hochberg's (false discovery rate). A direction says whether to maximize or minimize
//! (higher is better, lower is better); the tests of a difference are two-sided all the same. They are words and no numbers in the file,
//! so that a registration can be read by anybody. Designs (experimental design) are a list, one-at-a-time, full factorial,
//! Latin hypercube, Morris and Sobol.

use crate::run::scenario_file::spelling::same_path;
use crate::sweep::measure;
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

/// Keys of a scenario with their values, as a table (map of overrides).
pub type Settings = BTreeMap<String, AnyValue>;

morta_base::words! {
    /// How the values of the axes are combined.
    #[derive(Default)]
    pub enum Design: Key {
        /// First values together, then second values together, and so on: all axes have the same number of values.
        #[default]
        List = "list",
        /// Every value of each axis with every value of the others.
        Grid = "grid",
        /// The scenario as it is, and each value of each axis alone.
        OneAtATime = "one-at-a-time",
        /// `samples` points that are spread evenly over each axis.
        LatinHypercube = "latin-hypercube",
        /// Trajectories that move one axis after the other through a grid: a screening of many keys, by elementary effects.
        Morris = "morris",
        /// Two samples of all axes and mixtures of them: what share of a measure's variance each key makes, alone and together with others.
        Sobol = "sobol",
    }
}

impl Design {
    /// Whether it is a sensitivity analysis (Morris or Sobol), whose points are compared along keys. Such a sweep has no baseline, because
    /// no point is a control.
    pub(crate) fn is_sensitivity(self) -> bool {
        matches!(self, Self::Morris | Self::Sobol)
    }
}

pub(super) fn everybody() -> String {
    measure::EVERYBODY.to_owned()
}

morta_base::words! {
    /// Which way is better.
    pub enum Direction: Key {
        /// Larger values are better.
        More = "more",
        /// Smaller values are better.
        Less = "less",
    }

    /// A test of paired differences.
    #[derive(Default)]
    pub enum Test: Key {
        /// Signs of the differences are exchanged at random.
        #[default]
        PairedPermutation = "paired_permutation",
        /// Wilcoxon's signed ranks.
        Wilcoxon = "wilcoxon",
        /// Student's t of the differences.
        T = "t",
    }

    /// What is done about several comparisons.
    #[derive(Default)]
    pub enum Correction: Key {
        /// Holm's step-down: bounds the chance of any false finding.
        #[default]
        Holm = "holm",
        /// Benjamini and Hochberg's step-up: bounds the share of false findings.
        BenjaminiHochberg = "benjamini_hochberg",
    }
}

impl Test {
    /// The display name of the statistical test, in reports and sentences.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::PairedPermutation => "paired sign-flip permutation test",
            Self::Wilcoxon => "Wilcoxon signed-rank test",
            Self::T => "paired t test",
        }
    }
}

impl Correction {
    /// The display name of the multiple testing correction.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Holm => "Holm",
            Self::BenjaminiHochberg => "Benjamini and Hochberg",
        }
    }

    /// Abbreviates the correction's name, for a column header.
    pub const fn in_brief(self) -> &'static str {
        match self {
            Self::Holm => "Holm",
            Self::BenjaminiHochberg => "BH",
        }
    }

    /// Corrects the p-values of one family, in their order (adjusted p-values).
    ///
    /// # Errors
    /// When one isn't from 0 to 1.
    pub fn adjust(self, p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
        match self {
            Self::Holm => holm(p_values),
            Self::BenjaminiHochberg => benjamini_hochberg(p_values),
        }
    }

    /// The error rate at which each comparison of a family is judged, and one less it the level of its interval: of `alpha`, what the step
    /// leaves at which the comparison was rejected, or at which the procedure ended (per-comparison error rates). Holm: α / (m − j) after j
    /// rejections. Benjamini and Hochberg: α·r / m for r rejections, which bounds the false coverage rate (Benjamini & Yekutieli 2005).
    /// Families of a sweep are judged by it, and by Holm's the arms of a user's table (`morta stats compare`).
    pub(crate) fn error_rates(self, corrected: &[f64], alpha: f64) -> Vec<f64> {
        let count = corrected.len();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| corrected[*a].total_cmp(&corrected[*b]));
        let rejected = corrected.iter().filter(|p| **p <= alpha).count();
        let mut rates = vec![alpha; count];
        for (place, index) in order.into_iter().enumerate() {
            rates[index] = match self {
                Self::Holm => alpha / (count - place.min(rejected)) as f64,
                Self::BenjaminiHochberg => alpha * rejected.max(1) as f64 / count as f64,
            };
        }
        rates
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
