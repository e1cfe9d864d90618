//! What a sweep file says of a sensitivity analysis: which measures are asked about, and how many points the design has.

mod design;

pub use design::{BaseRow, Choice, DesignPoint, Rows, SensitivityDesign, Step};

use super::config::{AnyValue, Axis, Design, SweepFile, everybody};
use crate::measure;
use morta_base::TableChecker;
use morta_base::keys;
use morta_stats::sensitivity::saltelli::FACTORS_MAX;

/// Most measures of one analysis.
const MEASURES_MAX: usize = 16;
/// Trajectories, where the file doesn't say: as many as screenings usually have.
const USUAL_TRAJECTORIES: u64 = 10;
/// Levels of the grid, where the file doesn't say.
const USUAL_LEVELS: u64 = 4;

keys! {
    /// The `[sensitivity]` table, for the designs `morris` and `sobol`: which keys move which measures.
    pub struct SensitivityConfig {
        /// The measures; `morta sweep --measures` lists them.
        measures: Vec<String>, len 1..=MEASURES_MAX;
        /// The cohort they are taken of (by default `all`: everybody).
        #[serde(default = "everybody")]
        cohort: String;
        /// Trajectories of `morris` (by default 10). Each has one point more than there are axes, and tells of every axis once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trajectories: Option<u64>, in 2..=1_000, "trajectories";
        /// Levels of the grid of `morris` (by default 4); an even number. A step goes half of them up or down.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        levels: Option<u64>, in 2..=64, "levels";
        /// Base samples of `sobol`, which requires them; a power of two. Each has two points more than there are axes, with second-order indices
        /// twice as many axes and two.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base_samples: Option<u64>, in 4..=4_096, "samples";
        /// Whether `sobol` tells of pairs of keys too.
        #[serde(default)]
        second_order: bool;
    }
    also is_known;
}

impl SensitivityConfig {
    pub(super) fn is_known(&self, table: &mut TableChecker<'_>) {
        for (index, name) in self.measures.iter().enumerate() {
            let key = format!("measures.{index}");
            let known = measure::find(name).is_some();
            table.demand(known, &key, format!("\"{name}\""), measure::no_such(name));
            let twice = self.measures[..index].contains(name);
            table.demand(!twice, &key, format!("\"{name}\""), "it is named already: leave one out");
        }
        if let Some(levels) = self.levels {
            let remedy = "must be an even number, so that all levels are equally likely";
            table.demand(levels.is_multiple_of(2), "levels", levels, remedy);
        }
        if let Some(samples) = self.base_samples {
            let near = samples.next_power_of_two();
            let remedy =
                format!("must be a power of two, to fill the ranges evenly: use {} or {near}", near / 2);
            table.demand(samples.is_power_of_two(), "base_samples", samples, remedy);
        }
    }

    /// Trajectories of `morris`.
    pub fn trajectories(&self) -> u64 {
        self.trajectories.unwrap_or(USUAL_TRAJECTORIES)
    }

    /// Levels of the grid of `morris`.
    pub fn levels(&self) -> u64 {
        self.levels.unwrap_or(USUAL_LEVELS)
    }
}

impl Design {
    /// Whether its points are held against one another along keys rather than with a baseline.
    pub fn is_sensitivity(self) -> bool {
        matches!(self, Self::Morris | Self::Sobol)
    }
}

impl SweepFile {
    /// What is asked of a sensitivity analysis; `None` where the design is another.
    pub fn sensitivity(&self) -> Option<&SensitivityConfig> {
        self.sensitivity.as_ref().filter(|_| self.design.is_sensitivity())
    }

    /// Most points that the design has; points that come to the same are lived once.
    pub(super) fn sensitivity_points(&self) -> usize {
        let axes = self.axes.len();
        let Some(config) = self.sensitivity() else { return 0 };
        let (rows, each) = match (self.design, config.second_order) {
            (Design::Morris, _) => (config.trajectories(), axes + 1),
            (_, false) => (config.base_samples.unwrap_or(0), axes + 2),
            (_, true) => (config.base_samples.unwrap_or(0), 2 * axes + 2),
        };
        (rows as usize).saturating_mul(each)
    }

    pub(super) fn check_sensitivity(&self, table: &mut TableChecker<'_>) {
        let (morris, sobol) = (self.design == Design::Morris, self.design == Design::Sobol);
        let Some(config) = &self.sensitivity else {
            let remedy = "say which measures are asked about: sensitivity = { measures = [\"...\"] }";
            table.demand(!morris && !sobol, "sensitivity", "nothing", remedy);
            return;
        };
        if !morris && !sobol {
            let remedy = "only design = \"morris\" and design = \"sobol\" have it: leave it out";
            table.demand(false, "sensitivity", "with another design", remedy);
            return;
        }
        let alone =
            "a sensitivity analysis varies keys and nothing else: put what all points share into [set]";
        table.demand(self.arms.is_empty(), "arms", "with a sensitivity analysis", alone);
        let untested = "a sensitivity analysis explores, and has no baseline: leave it out, and confirm what it finds in worlds of their own";
        table.demand(
            self.preregistration.is_none(),
            "preregistration",
            "with a sensitivity analysis",
            untested,
        );
        let most = "has at most 128 axes, for the sequence it is made of has 256 dimensions: screen with \"morris\" first";
        table.demand(
            !sobol || self.axes.len() <= FACTORS_MAX,
            "design",
            format!("{} axes", self.axes.len()),
            most,
        );
        let mut own = table.table("sensitivity");
        for (key, given, belongs, design) in [
            ("trajectories", config.trajectories.is_some(), morris, "morris"),
            ("levels", config.levels.is_some(), morris, "morris"),
            ("base_samples", config.base_samples.is_some(), sobol, "sobol"),
            ("second_order", config.second_order, sobol, "sobol"),
        ] {
            let remedy = format!("only design = \"{design}\" has it: leave it out");
            own.demand(belongs || !given, key, "with another design", remedy);
        }
        let given = config.base_samples.is_some();
        own.demand(
            !sobol || given,
            "base_samples",
            "nothing",
            "say how many base samples there are, such as 64",
        );
        for (index, axis) in self.axes.iter().enumerate() {
            axis.check_moves(&mut table.table(&format!("axes.{index}")));
        }
    }
}

impl Axis {
    /// Where it is moved, in words: the ends of a range, or the values.
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

    /// An axis that can't be moved tells nothing.
    fn check_moves(&self, table: &mut TableChecker<'_>) {
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
