//! An outcome, as a memory takes it in: the feedback (reward) of a decision, with the attribution of what caused it.
//!
//! The result of the episode is in R net of costs, ticks are the world's. Abstentions come as well, with the result of the trade on paper,
//! so that a memory may learn from what wasn't done. Only the best candidate that was turned down makes one, and one at a time.

use super::{Voice, VoiceSource};
use crate::episode::Episode;
use morta_base::Tick;

/// A feedback message to a memory: a transition, the advice before it, and its attribution.
#[derive(Clone, Copy, Debug)]
pub struct Experience<'a> {
    /// The episode: a trade, or an abstention with the result of the trade on paper.
    pub episode: &'a Episode,
    /// The named voices of the advice before the decision; none for an abstention.
    pub why: &'a [Voice],
    /// Items of memory each of which tipped the decision: without it, the decision is another.
    pub influential: &'a [VoiceSource],
    /// The tick at which it ended: now.
    pub now: Tick,
}
