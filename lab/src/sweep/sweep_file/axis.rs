//! Axes: the keys of the scenario that a sweep varies, with their values or the range they are taken from. They are the factors of a
//! design of experiments. A factor level may set several keys (a named preset), because a setting is seldom one key. An axis has either
//! `values`, or `levels`, or a parameter range from `low` to `high`; mixtures of these are refused before a scenario is read.

use super::name::{NAME_REMEDY, demand_name, is_name};
use super::value::{AnyValue, Design, Settings, flat_keys};
use morta_base::TableChecker;
use morta_base::keys;

/// Most values of an axis, and most that a profile puts in their place.
pub(super) const VALUES_MAX: usize = 1_000;
keys! {
    /// One of the `levels` of an axis: several keys of the scenario under one name.
    pub struct AxisLevel {
        /// Its name; it becomes part of the names of arms.
        name: String;
        /// What it stands for.
        #[serde(default)]
        description: String;
        /// Keys of the scenario that it changes.
        #[serde(default)]
        set: Settings;
    }
}

keys! {
    /// One entry of `[[axes]]`: a key of the scenario with its values, or the range they are taken from.
    #[derive(Default)]
    pub struct Axis {
        /// The key, as `--set` names it; of an axis with `levels`, which name their own keys, a word for what is varied.
        key: String;
        /// Its name in the names of arms; left out: as many last parts of the key as tell it from other axes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>;
        /// The values.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        values: Option<Vec<AnyValue>>, len 1..=VALUES_MAX;
        /// Named levels that change several keys each, instead of `values`.
        // Not as axes of their own: keys that only mean something together would be varied apart.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        levels: Option<Vec<AxisLevel>>, len 1..=VALUES_MAX;
        // A range, because designs that draw their points (Morris, Sobol') have no list of values.
        /// Least value, instead of `values`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        low: Option<f64>, in f64::MIN..=f64::MAX, "the key's unit";
        /// Largest value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        high: Option<f64>, in f64::MIN..=f64::MAX, "the key's unit";
        /// How many values from `low` to `high`; designs that draw their points need none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steps: Option<u64>, in 2..=1_000, "values";
        /// Whether the values are spread evenly by their logarithms.
        #[serde(default)]
        log: bool;
        /// Whether they are rounded to whole numbers.
        #[serde(default)]
        integer: bool;
    }
    also is_named;
}

impl Axis {
    /// The number of levels: its values, i.e. those that are written, or the `steps` of a range. A range without steps has 0, because its
    /// design (Latin hypercube, Morris, Sobol) draws the values.
    pub(crate) fn value_count(&self) -> usize {
        let named = self.levels.as_ref().map(Vec::len);
        named.or_else(|| self.values.as_ref().map(Vec::len)).unwrap_or(self.steps.unwrap_or(0) as usize)
    }

    /// The keys of the scenario that it varies.
    pub(super) fn keys(&self) -> Vec<String> {
        let Some(levels) = &self.levels else { return vec![self.key.clone()] };
        let mut keys: Vec<String> = levels.iter().flat_map(|level| flat_keys(&level.set)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    pub(super) fn is_named(&self, table: &mut TableChecker<'_>) {
        if let Some(name) = &self.name {
            table.demand(is_name(name), "name", name, NAME_REMEDY);
        }
    }

    pub(super) fn check_values(&self, table: &mut TableChecker<'_>, design: Design) {
        if let Some(levels) = &self.levels {
            let others = self.values.is_some() || self.low.is_some() || self.high.is_some();
            table.demand(
                !others,
                "levels",
                "with values or a range",
                "give levels, or values, or low and high",
            );
            for (index, level) in levels.iter().enumerate() {
                let mut table = table.table(&format!("levels.{index}"));
                demand_name(&mut table, &level.name);
                let twice = levels[..index].iter().any(|other| other.name == level.name);
                table.demand(!twice, "name", &level.name, "another level has this name already");
            }
            return;
        }
        if self.values.is_some() {
            let range = self.low.is_some() || self.high.is_some();
            table.demand(!range, "low", "with values", "give values, or low and high, not both");
            return;
        }
        let (Some(low), Some(high)) = (self.low, self.high) else {
            table.demand(false, "values", "nothing", "give values, or low and high");
            return;
        };
        table.demand(high > low, "high", high, "must be a number above low");
        table.demand(
            !self.log || low > 0.0,
            "low",
            low,
            "must be above 0 for values spread by their logarithms",
        );
        let draws = design == Design::LatinHypercube || design.is_sensitivity();
        if self.steps.is_none() && !draws {
            table.demand(false, "steps", "nothing", "say how many values from low to high there are");
        }
    }

    /// Writes its range for people: the ends, or the comma-joined values or names of levels.
    pub fn shown(&self) -> String {
        if let Some(levels) = &self.levels {
            return levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>().join(", ");
        }
        if let Some(values) = &self.values {
            let word = |value: &AnyValue| value.0.as_str().map_or_else(|| value.0.to_string(), str::to_owned);
            return values.iter().map(word).collect::<Vec<_>>().join(", ");
        }
        format!("{} to {}", self.low.unwrap_or(0.0), self.high.unwrap_or(0.0))
    }

    /// Refuses an axis with a single value: its effect is 0/0.
    pub(super) fn check_moves(&self, table: &mut TableChecker<'_>) {
        if self.levels.is_some() || self.values.is_some() {
            let key = if self.levels.is_some() { "levels" } else { "values" };
            table.demand(
                self.value_count() >= 2,
                key,
                "one of them",
                "must be two or more to be moved between",
            );
            return;
        }
        if let (true, Some(low), Some(high)) = (self.integer, self.low, self.high) {
            let remedy = "must leave two whole numbers or more from low on";
            table.demand(high.floor() > low.ceil() || high <= low, "high", high, remedy);
        }
    }
}
