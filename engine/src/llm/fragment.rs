//! Fragments: ideas from the edge of sleep, put together from several memories (dream architecture, "DaliInterrupt"). They are
//! combinational creativity: a cheap source of hypotheses that no episode suggests.
//!
//! Novelty, relevance and coherence run from 0 to 1; the claim is in R.

use crate::episode::Claim;
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};

/// Circumstances, action and outcome, each from another memory: a combination that never happened. A recombined hypothesis with its
/// sources.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fragment {
    /// Source of the circumstances.
    pub context_from: EpisodeId,
    /// Source of the action.
    pub action_from: EpisodeId,
    /// Source of the outcome.
    pub outcome_from: EpisodeId,
    /// The claim it suggests.
    pub claim: Claim,
    /// 1 minus its likeness to known claims, 0 to 1. The model leaves it at 0; it is measured against memory, because a model
    /// would rate its own ideas.
    pub novelty: f64,
    /// Its likeness to the keyword, 0 to 1; computed from memory.
    pub relevance: f64,
    /// Coherence of its parts, 0 to 1; computed from memory.
    pub coherence: f64,
}
