//! What was replayed, and why.

use crate::replay;
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};

/// An episode that was replayed, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    /// The episode.
    pub episode: EpisodeId,
    /// Its replay utility.
    pub utility: f64,
    /// What chose it.
    pub reason: replay::SelectionReason,
    /// Correction for unequal probabilities of being drawn, in (0, 1]; 1 where nothing was drawn by priority.
    #[serde(default = "nothing_to_correct")]
    pub importance_weight: f64,
}

const fn nothing_to_correct() -> f64 {
    1.0
}

impl From<&replay::Selected> for Replayed {
    fn from(selected: &replay::Selected) -> Self {
        let replay::Selected { episode, reason, terms, importance_weight, .. } = *selected;
        Self { episode, utility: terms.utility, reason, importance_weight }
    }
}
