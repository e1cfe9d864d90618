//! Fragments: thoughts from the edge of sleep, put together from several memories.

use crate::episode::Claim;
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};

/// Circumstances, action and outcome, each from another memory, and so something that never happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fragment {
    /// Where the circumstances are from.
    pub context_from: EpisodeId,
    /// Where the action is from.
    pub action_from: EpisodeId,
    /// Where the outcome is from.
    pub outcome_from: EpisodeId,
    /// The claim it suggests.
    pub claim: Claim,
    /// 1 minus its likeness to what is known, 0 to 1. The model leaves this at 0; it is measured against memory.
    pub novelty: f64,
    /// Its likeness to what the drift circles around, 0 to 1; measured.
    pub relevance: f64,
    /// How well its parts go together, 0 to 1; measured.
    pub coherence: f64,
}
