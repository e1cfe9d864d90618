//! The `[sensitivity]` table: measures, trajectories and levels of Morris screening, base samples of Sobol indices (Saltelli sampling). In
//! each world Morris costs at most `trajectories · (keys + 1)` cells, and Sobol `base_samples · (keys + 2)`, or `base_samples · (2 keys +
//! 2)` with second-order indices; points with equal values are lived once. The number of base samples is a power of two, because a Sobol
//! sequence fills a cube evenly only then. `morta sensitivity` makes this table from its flags, and names 64 base samples by default.

use crate::sweep::sweep_file::name::demand_measure;
use crate::sweep::sweep_file::value::everybody;
use morta_base::TableChecker;
use morta_base::keys;

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
            demand_measure(table, &key, name);
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

    /// The number of Morris trajectories, as written or by default.
    pub fn trajectories(&self) -> u64 {
        self.trajectories.unwrap_or(USUAL_TRAJECTORIES)
    }

    /// The number of levels of the Morris grid, as written or by default.
    pub fn levels(&self) -> u64 {
        self.levels.unwrap_or(USUAL_LEVELS)
    }
}
