//! What a sweep file says of contrasts: pairs of arms that are held against each other in the same worlds, on every rung of a ladder and at
//! every point of a map. They are planned comparisons (planned contrasts, pairwise comparison) and ablations: a rung of the ladder masks a
//! mechanism, a map is a two-dimensional grid of one contrast (phase diagram, heat map). They are registered with the file, because a pair
//! that is chosen by its result is no test.

use super::value::{Correction, Settings};
use morta_base::keys;

/// What `x` and `y` of a map call the ladder (keyword of the ablation ladder).
pub(crate) const LADDER: &str = "ladder";

keys! {
    /// One entry of `[[ladder]]`: what else could do the same work, switched on or off. Every arm is run on every rung, in the same worlds.
    pub struct Rung {
        /// Its name; it becomes part of the names of arms.
        name: String;
        /// What is on and what is off.
        #[serde(default)]
        description: String;
        /// Whether the registered comparison is made on this rung; where no rung says so, it is the first.
        #[serde(default)]
        primary: bool;
        /// Keys of the scenario that it changes.
        #[serde(default)]
        set: Settings;
    }
}

keys! {
    /// One entry of `[[contrasts]]`: an arm less another, world by world, on every rung of the ladder.
    pub struct ContrastEntry {
        /// The arm that is of interest.
        treated: String;
        /// The arm that is taken from it.
        control: String;
        /// What the difference tells of.
        #[serde(default)]
        description: String;
        /// The measure; left out: the registered one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measure: Option<String>;
        /// The cohort it is taken of; left out: the registered one, or `all`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cohort: Option<String>;
    }
}

keys! {
    /// The `[map]` table: a contrast at every point of two axes.
    pub struct MapTable {
        /// What runs from left to right: the key or the name of an axis, or `ladder`.
        x: String;
        /// What runs from bottom to top.
        y: String;
        /// Two arms: the one of interest, and the one that is taken from it.
        contrast: Vec<String>, len 2..=2;
        /// The measure; left out: the registered one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measure: Option<String>;
        /// The cohort it is taken of; left out: the registered one, or `all`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cohort: Option<String>;
        /// What is done about there being many cells; left out: as registered, or `holm`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        correction: Option<Correction>;
    }
}

/// A dimension of a map (phase diagram), which its `x` or `y` names: an axis of the grid, or the ablation ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The axis with this number.
    Axis(usize),
    /// The ladder.
    Ladder,
}
