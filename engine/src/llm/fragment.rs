//! Fragments: ideas from the edge of sleep, put together from several memories (dream architecture, "DaliInterrupt"). They are
//! combinational creativity: a cheap source of hypotheses that no episode suggests.
//!
//! Only dreams of the tier `hardened`, and none that only consolidates, have the onset that makes them. The claim is in R: half of what the
//! outcome's episode made, for the action's strategy in the context's regime. Novelty, relevance and coherence run from 0 to 1. The
//! dream's onset fills them in after the model's reply. The observer, a second question to a model, scores each fragment from 0 to 1 with
//! these three before it; one whose score is above .10 by default (`onset::config`) is kept. A kept one becomes a hypothesis of low
//! confidence (.10 to .20 by default), because nothing has tested it.

use crate::episode::{Claim, ContextPattern};
use crate::llm::EpisodeBrief;
use crate::llm::reader::HINDSIGHT_DISCOUNT;
use morta_base::EpisodeId;
use serde::{Deserialize, Serialize};

/// A recombination: circumstances, action and outcome, each from another memory; a hypothesis of something that never happened, with scores
/// of novelty, relevance and coherence.
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
    /// Its likeness to the keyword, or without one to the present regime: 0, .5 or 1.
    pub relevance: f64,
    /// Coherence of its parts, 0 to 1: the mean cosine similarity of the three markets, scaled from −1..1.
    pub coherence: f64,
}

impl Fragment {
    /// Puts together where one memory was, what was done in another, and half of how a third ended.
    pub(super) fn of(context: &EpisodeBrief, action: &EpisodeBrief, outcome: &EpisodeBrief) -> Self {
        let pattern = ContextPattern::from_regime(context.context.regime);
        Self {
            context_from: context.id,
            action_from: action.id,
            outcome_from: outcome.id,
            claim: Claim::of_worth(action.strategy, pattern, HINDSIGHT_DISCOUNT * outcome.realised_r),
            novelty: 0.0,
            relevance: 0.0,
            coherence: 0.0,
        }
    }
}
