//! The schema of a sweep file: scenario, axes, arms, seeds, record, pre-registration (hypothesis, primary endpoint or primary outcome). It
//! is the experiment configuration of a parameter sweep. An arm (treatment arm) is a treatment by its overrides of scenario keys; seeds are
//! the random seeds of worlds (replicates, a seed range); `[record]` says whether each run folder is kept for persistence;
//! `[preregistration.survival]` names the survival horizon of the restricted mean survival time; a profile is a set of overrides, as for a
//! smoke test; `[question]` is a research question of an exploratory analysis; `[series]` says in how many time bins learning curves are
//! drawn (number of bins). The file is read once and never changed while a sweep is run. The registration is part of the file, because one
//! that is written elsewhere can be changed afterwards. `--resume` refuses a sweep of which any key (profile and `--seeds` applied), the
//! scenario, the data or the build differs from the one that the folder was begun with; other comments or spacing in the file make no
//! difference.

use super::axis::{Axis, VALUES_MAX};
use super::contrasts::{ContrastEntry, MapTable, Rung};
use super::rule::Rule;
use super::sensitivity::config::SensitivityConfig;
use super::value::{AnyValue, Correction, Design, Direction, Settings, Test, everybody};
use crate::io::error::Error;
use morta_base::keys;
use morta_stats::looks::Spending;
use std::collections::BTreeMap;
use std::path::Path;

/// Most worlds of a sweep.
pub(super) const SEEDS_MAX: u64 = 100_000;
/// Most rungs of a ladder.
const RUNGS_MAX: usize = 32;
/// Most looks before the end.
const LOOKS_MAX: usize = 20;
/// Most contrasts.
const CONTRASTS_MAX: usize = 64;

keys! {
    /// A sweep: one scenario, what is changed in it, and in how many worlds.
    // By default empty, and valid only once it has a scenario, worlds and axes: those of a command line fill it in.
    #[derive(Default)]
    pub struct SweepFile {
        /// Short name; letters (A to Z, a to z), digits, `_`, `-`, `+` and `.`. The folder is named after it.
        name: String;
        /// What it is for.
        #[serde(default)]
        description: String;
        /// The scenario that is varied, relative to this file.
        scenario: String;
        /// How the values of the axes are combined.
        #[serde(default)]
        design: Design;
        /// Points of a Latin hypercube; required for one, and for nothing else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        samples: Option<u64>, in 2..=10_000, "points";
        /// Seed of the points that a design draws (by default 1). It has nothing to do with the worlds' seeds.
        #[serde(default = "one")]
        design_seed: u64, in 0.., "seed";
        /// Keys of the scenario that are the same in all arms, as in `dream.enabled = true` or `cohorts.bardo.golems =
        /// 8`.
        #[serde(default)]
        set: Settings;
        /// The worlds.
        seeds: Seeds;
        /// The arms by name; each is combined with all points of the axes.
        #[serde(default)]
        arms: Vec<ArmEntry>, len 0..=usize::MAX;
        /// The keys that are varied.
        #[serde(default)]
        axes: Vec<Axis>, len 0..=usize::MAX;
        /// The masking ladder: what else could do the same work. Every arm is run on every rung.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ladder: Vec<Rung>, len 0..=RUNGS_MAX;
        /// Pairs of arms that are held against each other on every rung; left out where there is a ladder: every arm against the baseline.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        contrasts: Vec<ContrastEntry>, len 0..=CONTRASTS_MAX;
        /// A contrast at every point of two axes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        map: Option<MapTable>;
        /// Which keys move which measures; required for the designs `morris` and `sobol`, and for nothing else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sensitivity: Option<SensitivityConfig>;
        /// The learning curves.
        #[serde(default)]
        series: SeriesConfig;
        /// What is kept of each cell besides its measures.
        #[serde(default)]
        record: RecordCells;
        /// What is looked at where nothing is registered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<Question>;
        /// What was decided before the first cell was run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        preregistration: Option<Preregistration>;
        /// Variants of this sweep by name, for `--profile`.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        profiles: BTreeMap<String, Profile>;
    }
    also fits_together;
}

impl SweepFile {
    /// The decision rule, if one was registered.
    pub fn rule(&self) -> Option<&Rule> {
        self.preregistration.as_ref()?.rule.as_ref()
    }

    /// Writes the sweep file as TOML, for a folder: in the current one (an empty path) the scenario is named as it was, elsewhere by its
    /// whole path.
    ///
    /// # Errors
    /// When the scenario's path can't be found out.
    pub fn text(&self, folder: &Path) -> crate::io::error::Result<String> {
        let mut file = self.clone();
        if !folder.as_os_str().is_empty() {
            file.scenario = std::fs::canonicalize(&file.scenario)?.display().to_string();
        }
        toml::to_string(&file)
            .map_err(|error| Error::failed(format!("the sweep can't be written as TOML: {error}")))
    }
}

const fn one() -> u64 {
    1
}

keys! {
    /// The `[seeds]` table: the worlds. Every arm sees the same ones.
    #[derive(Default)]
    pub struct Seeds {
        /// Seed of the first world (by default 1); the others follow by ones.
        #[serde(default = "one")]
        first: u64, in 0..=i64::MAX as u64 - SEEDS_MAX, "seed";
        /// How many worlds; with a pre-registration at least 2. `--seeds` overrides it.
        count: u64, in 1..=SEEDS_MAX, "worlds";
    }
}

keys! {
    /// One entry of `[[arms]]`.
    pub struct ArmEntry {
        /// Its name in the tables.
        name: String;
        /// What it stands for.
        #[serde(default)]
        description: String;
        /// Keys of the scenario that it changes.
        #[serde(default)]
        set: Settings;
    }
    also is_named;
}

keys! {
    /// The `[series]` table: learning curves.
    pub struct SeriesConfig {
        /// Stretches of time a run is divided into.
        bins: u64 = 20, in 1..=1_000, "stretches";
    }
}

keys! {
    /// The `[record]` table: what is kept of each cell.
    pub struct RecordCells {
        /// Whether each cell keeps a whole run folder, for `inspect` and `verify`. Such folders are large; the
        /// scenario's `record.events` says whether the event log is in them.
        runs: bool = false;
    }
}

keys! {
    /// The `[preregistration]` table: what was decided before the first cell was run. Nothing in it can be changed once
    /// a sweep has begun.
    pub struct Preregistration {
        /// What is expected, and why.
        hypothesis: String;
        /// The one measure that decides.
        primary: Primary;
        /// The arm that the others are compared with.
        baseline: String;
        /// An arm that stands for the best that could be done: tells what share of the gap to it the others close. The gap begins at the
        /// baseline; where that is one of the arms `none`, `random` and `constant`, at the best of those there are in the measure's mean.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ceiling: Option<String>;
        /// How the results will be judged, in words.
        analysis: String;
        /// The test of each comparison, over worlds.
        #[serde(default)]
        test: Test;
        /// What is done about there being several comparisons.
        #[serde(default)]
        correction: Correction;
        /// Error rate (by default 0.05); intervals have a confidence of one minus this.
        #[serde(default = "five_percent")]
        alpha: f64, in above(0.0).to(0.5), "probability";
        /// Numbers of worlds after which it is looked at before the end, increasing: the sweep stops at the first look that settles every
        /// comparison with the baseline. The end is always the last look.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        looks: Vec<u64>, in 2..=SEEDS_MAX, "worlds", len 0..=LOOKS_MAX;
        /// How the error rate is spent over the looks.
        #[serde(default, skip_serializing_if = "is_usual")]
        spending: Spending;
        /// The smallest difference that would matter.
        // Asked for beforehand, because a size chosen after the figures would make any of them matter.
        effect_of_interest: f64, in above(0.0).to(1e12), "the measure's unit";
        /// The chance of seeing such a difference that the number of worlds was chosen for, below 1 (by default 0.8).
        #[serde(default = "eighty_percent")]
        power: f64, in above(0.0).to(1.0), "probability";
        /// Measures that are looked at too, and decide nothing.
        #[serde(default)]
        secondary: Vec<String>, len 0..=usize::MAX;
        /// How survival is measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        survival: Option<Survival>;
        /// What counts as support over several criteria.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<Rule>;
        /// Which cells will be left out, and why; in words.
        #[serde(default)]
        exclusions: String;
    }
    also is_complete;
}

fn is_usual(spending: &Spending) -> bool {
    *spending == Spending::default()
}

const fn five_percent() -> f64 {
    0.05
}

const fn eighty_percent() -> f64 {
    0.8
}

keys! {
    /// The measure that decides.
    pub struct Primary {
        /// Its name; `morta sweep --measures` lists them.
        measure: String;
        /// Whether more of it or less is better.
        direction: Direction;
        /// The cohort it is taken of (by default `all`: everybody).
        #[serde(default = "everybody")]
        cohort: String;
    }
}

keys! {
    /// The `[question]` table: what a sweep without a registration is about. It decides nothing.
    pub struct Question {
        /// The measure; `morta sweep --measures` lists them.
        measure: String;
        /// The cohort it is taken of.
        #[serde(default = "everybody")]
        cohort: String;
        /// The smallest difference that would matter.
        // Asked for beforehand, because a size chosen after the figures would make any of them matter.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matters: Option<f64>, in above(0.0).to(1e12), "the measure's unit";
    }
    also is_known;
}

keys! {
    /// How survival is measured.
    pub struct Survival {
        /// Age up to which lives are compared: the horizon of the restricted mean.
        horizon_ticks: u64, in 1..=1_000_000_000, "ticks";
        /// The cohort that is compared.
        #[serde(default = "everybody")]
        cohort: String;
    }
}

keys! {
    /// One variant under `[profiles]`; what is left out stays as it is.
    pub struct Profile {
        /// What it is for.
        description: String = String::new();
        /// How many worlds.
        #[serde(skip_serializing_if = "Option::is_none")]
        seeds: Option<u64> = None, in 1..=SEEDS_MAX, "worlds";
        /// Points of a Latin hypercube.
        #[serde(skip_serializing_if = "Option::is_none")]
        samples: Option<u64> = None, in 2..=10_000, "points";
        /// Trajectories of `morris`.
        #[serde(skip_serializing_if = "Option::is_none")]
        trajectories: Option<u64> = None, in 2..=1_000, "trajectories";
        /// Base samples of `sobol`.
        #[serde(skip_serializing_if = "Option::is_none")]
        base_samples: Option<u64> = None, in 4..=4_096, "samples";
        /// Age up to which lives are compared.
        #[serde(skip_serializing_if = "Option::is_none")]
        horizon_ticks: Option<u64> = None, in 1..=1_000_000_000, "ticks";
        /// Which of `[[arms]]`, by name.
        #[serde(skip_serializing_if = "Option::is_none")]
        arms: Option<Vec<String>> = None, len 0..=usize::MAX;
        /// Which rungs of the ladder, by name.
        #[serde(skip_serializing_if = "Option::is_none")]
        ladder: Option<Vec<String>> = None, len 0..=usize::MAX;
        /// Keys of the scenario, changed after those of `[set]`.
        set: Settings = Settings::default();
        /// Values of axes, by the axis's key; of levels their names.
        axes: BTreeMap<String, Vec<AnyValue>> = BTreeMap::new(), len 1..=VALUES_MAX;
    }
}
