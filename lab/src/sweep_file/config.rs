//! What a sweep file says.

use crate::measure;
use morta_engine::stats::StatsError;
use morta_engine::stats::multiple::{benjamini_hochberg, holm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Keys of a scenario with their values, as a table.
pub type Settings = BTreeMap<String, toml::Value>;

type AnyTable = BTreeMap<String, serde_json::Value>;

/// A sweep: one scenario, what is changed in it, and in how many worlds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepFile {
    /// Short name; letters, digits, `_`, `-`, `+` and `.`. The folder is named after it.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The scenario that is varied, relative to this file.
    pub scenario: String,
    /// How the values of the axes are combined.
    #[serde(default)]
    pub design: Design,
    /// Points of a Latin hypercube, 2 to 10,000; required for one, and for nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Seed of the Latin hypercube (default 1). It has nothing to do with the worlds' seeds.
    #[serde(default = "one")]
    pub design_seed: u64,
    /// Keys of the scenario that are the same in all arms, as in `dream.enabled = true` or `cohorts.bardo.golems = 8`.
    #[serde(default)]
    #[schemars(with = "AnyTable")]
    pub set: Settings,
    /// The worlds.
    pub seeds: Seeds,
    /// The arms by name; each is combined with all points of the axes.
    #[serde(default)]
    pub arms: Vec<ArmEntry>,
    /// The keys that are varied.
    #[serde(default)]
    pub axes: Vec<Axis>,
    /// The learning curves.
    #[serde(default)]
    pub series: SeriesConfig,
    /// What is kept of each cell besides its measures.
    #[serde(default)]
    pub record: RecordCells,
    /// What was decided before the first cell was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preregistration: Option<Preregistration>,
    /// Variants of this sweep by name, for `--profile`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, Profile>,
}

const fn one() -> u64 {
    1
}

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
}

/// The `[seeds]` table: the worlds. Every arm sees the same ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Seeds {
    /// Seed of the first world (default 1); the others follow by ones.
    #[serde(default = "one")]
    pub first: u64,
    /// How many worlds, 1 to 100,000; with a pre-registration at least 2. `--seeds` overrides it.
    pub count: u64,
}

/// One entry of `[[arms]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmEntry {
    /// Its name in the tables.
    pub name: String,
    /// What it stands for.
    #[serde(default)]
    pub description: String,
    /// Keys of the scenario that it changes.
    #[serde(default)]
    #[schemars(with = "AnyTable")]
    pub set: Settings,
}

/// One entry of `[[axes]]`: a key of the scenario with its values, or the range they are taken from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The key, as `--set` names it.
    pub key: String,
    /// Its name in the names of arms; left out: the last part of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<serde_json::Value>>")]
    pub values: Option<Vec<toml::Value>>,
    /// Least value, instead of `values`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Largest value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// How many values from `low` to `high`, 2 to 1,000; a Latin hypercube needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Whether the values are spread evenly by their logarithms (default false).
    #[serde(default)]
    pub log: bool,
    /// Whether they are rounded to whole numbers (default false).
    #[serde(default)]
    pub integer: bool,
}

/// The `[series]` table: learning curves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SeriesConfig {
    /// Stretches of time a run is divided into, 1 to 1,000 (default 20).
    pub bins: u64,
}

impl Default for SeriesConfig {
    fn default() -> Self {
        Self { bins: 20 }
    }
}

/// The `[record]` table: what is kept of each cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecordCells {
    /// Whether each cell keeps a whole run folder, for `inspect` and `verify` (default false). Such folders are large; the
    /// scenario's `record.events` says whether the event log is in them.
    pub runs: bool,
}

/// The `[preregistration]` table: what was decided before the first cell was run. Nothing in it can be changed once a
/// sweep has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preregistration {
    /// What is expected, and why.
    pub hypothesis: String,
    /// The one measure that decides.
    pub primary: Primary,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// An arm that stands for the best that could be done: tells what share of the gap from the baseline to it the others close.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<String>,
    /// How the results will be judged, in words.
    pub analysis: String,
    /// The test of each comparison, over worlds (default `paired_permutation`).
    #[serde(default)]
    pub test: Test,
    /// What is done about there being several comparisons (default `holm`).
    #[serde(default)]
    pub correction: Correction,
    /// Error rate, above 0 to 0.5 (default 0.05); intervals have a confidence of one minus this.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The smallest difference that would matter, in the unit of the primary measure, above 0.
    pub effect_of_interest: f64,
    /// The chance of seeing such a difference that the number of worlds was chosen for, above 0 and below 1 (default 0.8).
    #[serde(default = "eighty_percent")]
    pub power: f64,
    /// Measures that are looked at too, and decide nothing.
    #[serde(default)]
    pub secondary: Vec<String>,
    /// How survival is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survival: Option<Survival>,
    /// Which cells will be left out, and why; in words.
    #[serde(default)]
    pub exclusions: String,
}

const fn five_percent() -> f64 {
    0.05
}

const fn eighty_percent() -> f64 {
    0.8
}

/// The measure that decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Primary {
    /// Its name; `morta sweep --measures` lists them.
    pub measure: String,
    /// Whether more of it or less is better.
    pub direction: Direction,
    /// The cohort it is taken of (default `all`: everybody).
    #[serde(default = "everybody")]
    pub cohort: String,
}

fn everybody() -> String {
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

/// How survival is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Survival {
    /// Age up to which lives are compared, in ticks, at least 1: the horizon of the restricted mean.
    pub horizon_ticks: u64,
    /// The cohort that is compared (default `all`).
    #[serde(default = "everybody")]
    pub cohort: String,
}

/// One variant under `[profiles]`; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Profile {
    /// What it is for.
    pub description: String,
    /// How many worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<u64>,
    /// Points of a Latin hypercube.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Age up to which lives are compared, in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon_ticks: Option<u64>,
    /// Which of `[[arms]]`, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arms: Option<Vec<String>>,
    /// Keys of the scenario, changed after those of `[set]`.
    #[schemars(with = "AnyTable")]
    pub set: Settings,
    /// Values of axes, by the axis's key.
    #[schemars(with = "BTreeMap<String, Vec<serde_json::Value>>")]
    pub axes: BTreeMap<String, Vec<toml::Value>>,
}
