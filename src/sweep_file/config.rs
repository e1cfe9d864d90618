//! What a sweep file says.

use crate::measure;
use morta_engine::base::Checker;
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

/// Most worlds of a sweep.
pub const SEEDS_MAX: u64 = 100_000;

impl SweepFile {
    /// Everything about the values that can't be, but for what depends on the scenario.
    pub fn check(&self, check: &mut Checker) {
        let mut top = check.table("");
        top.demand(is_name(&self.name), "name", &self.name, NAME_REMEDY);
        let hypercube = self.design == Design::LatinHypercube;
        if let Some(samples) = self.samples {
            top.whole("samples", samples, 2, 10_000);
            top.demand(
                hypercube,
                "samples",
                samples,
                "only design = \"latin-hypercube\" has samples: leave it out",
            );
        } else if hypercube {
            top.demand(false, "samples", "nothing", "say how many points the Latin hypercube has");
        }
        let nothing = self.arms.is_empty() && self.axes.is_empty();
        top.demand(!nothing, "arms", "[]", "there is nothing to compare: name [[arms]] or [[axes]]");
        top.demand(
            self.design == Design::List || !self.axes.is_empty(),
            "design",
            "without axes",
            "name the [[axes]] that are combined, or leave the design out",
        );
        let mut seeds = check.table("seeds");
        let least = if self.preregistration.is_some() { 2 } else { 1 };
        seeds.demand(
            (least..=SEEDS_MAX).contains(&self.seeds.count),
            "count",
            self.seeds.count,
            match least {
                2 => format!("must be from 2 to {SEEDS_MAX}: arms are compared over worlds, and one world shows nothing"),
                _ => format!("must be from 1 to {SEEDS_MAX}"),
            },
        );
        seeds.whole("first", self.seeds.first, 0, i64::MAX as u64 - SEEDS_MAX);
        self.check_arms(check);
        self.check_axes(check);
        check.table("series").whole("bins", self.series.bins, 1, 1_000);
        if let Some(registered) = &self.preregistration {
            registered.check(check);
        }
    }

    fn check_arms(&self, check: &mut Checker) {
        for (index, arm) in self.arms.iter().enumerate() {
            let mut table = check.table(&format!("arms.{index}"));
            table.demand(is_name(&arm.name), "name", &arm.name, NAME_REMEDY);
            let twice = self.arms[..index].iter().any(|other| other.name == arm.name);
            table.demand(!twice, "name", &arm.name, "another arm has this name already");
        }
    }

    fn check_axes(&self, check: &mut Checker) {
        for (index, axis) in self.axes.iter().enumerate() {
            let mut table = check.table(&format!("axes.{index}"));
            let twice = self.axes[..index].iter().any(|other| other.key == axis.key);
            table.demand(!twice, "key", &axis.key, "another axis varies this key already");
            let fixed = self.arms.iter().find(|arm| flat_keys(&arm.set).contains(&axis.key));
            let arm = fixed.map_or("", |arm| &arm.name);
            table.demand(fixed.is_none(), "key", &axis.key, format!("arm {arm} sets this key already"));
            if let Some(name) = &axis.name {
                table.demand(is_name(name), "name", name, NAME_REMEDY);
            }
            axis.check(&mut table, self.design);
        }
        let lengths: Vec<usize> = self.axes.iter().map(Axis::len).collect();
        if self.design == Design::List && lengths.iter().any(|length| *length != lengths[0]) {
            let shown: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let remedy = "the axes of a list need the same number of values each: use design = \"grid\" to combine all";
            check.table("").demand(false, "design", format!("axes of {} values", shown.join(", ")), remedy);
        }
    }
}

impl Axis {
    /// How many values it has, without those of a hypercube.
    pub fn len(&self) -> usize {
        self.values.as_ref().map_or(self.steps.unwrap_or(0) as usize, Vec::len)
    }

    fn check(&self, table: &mut morta_engine::base::TableChecker<'_>, design: Design) {
        let range = self.low.is_some() || self.high.is_some();
        if let Some(values) = &self.values {
            table.demand(!range, "low", "with values", "give values, or low and high, not both");
            table.demand(
                (1..=1_000).contains(&values.len()),
                "values",
                values.len(),
                "give 1 to 1000 values",
            );
            return;
        }
        let (Some(low), Some(high)) = (self.low, self.high) else {
            table.demand(false, "values", "nothing", "give values, or low and high");
            return;
        };
        table.demand(low.is_finite(), "low", low, "must be a number");
        table.demand(high.is_finite() && high > low, "high", high, "must be a number above low");
        table.demand(
            !self.log || low > 0.0,
            "low",
            low,
            "must be above 0 for values spread by their logarithms",
        );
        match self.steps {
            Some(steps) => table.whole("steps", steps, 2, 1_000),
            None if design == Design::LatinHypercube => {}
            None => table.demand(false, "steps", "nothing", "say how many values from low to high there are"),
        }
    }
}

impl Preregistration {
    fn check(&self, check: &mut Checker) {
        let mut table = check.table("preregistration");
        table.demand(
            !self.hypothesis.trim().is_empty(),
            "hypothesis",
            "\"\"",
            "say what is expected, and why",
        );
        table.demand(
            !self.analysis.trim().is_empty(),
            "analysis",
            "\"\"",
            "say how the results will be judged",
        );
        table.demand(
            self.alpha > 0.0 && self.alpha <= 0.5,
            "alpha",
            self.alpha,
            "must be above 0 and at most 0.5",
        );
        table.above("effect_of_interest", self.effect_of_interest, 0.0);
        table.demand(
            self.power > 0.0 && self.power < 1.0,
            "power",
            self.power,
            "must be above 0 and below 1",
        );
        let primary = &self.primary.measure;
        let mut known = |key: &str, name: &str| {
            let remedy = measure::no_such(name);
            table.demand(measure::find(name).is_some(), key, format!("\"{name}\""), remedy);
        };
        known("primary.measure", primary);
        for (index, name) in self.secondary.iter().enumerate() {
            known(&format!("secondary.{index}"), name);
        }
        if let Some(survival) = &self.survival {
            table.table("survival").whole("horizon_ticks", survival.horizon_ticks, 1, 1_000_000_000);
        }
    }
}

/// The dotted keys of nested tables.
pub fn flat_keys(settings: &Settings) -> Vec<String> {
    fn walk(path: &str, value: &toml::Value, found: &mut Vec<String>) {
        match value {
            toml::Value::Table(entries) if !entries.is_empty() => {
                entries.iter().for_each(|(key, value)| walk(&format!("{path}.{key}"), value, found));
            }
            _ => found.push(path.to_owned()),
        }
    }
    let mut found = Vec::new();
    settings.iter().for_each(|(key, value)| walk(key, value, &mut found));
    found
}

const NAME_REMEDY: &str =
    "use 1 to 64 letters, digits, '_', '-', '+' or '.', beginning with a letter or digit";

fn is_name(name: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c);
    (1..=64).contains(&name.len())
        && name.chars().all(good)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}
