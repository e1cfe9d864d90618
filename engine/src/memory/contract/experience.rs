//! An outcome, as a memory takes it in: the feedback (reward) of a decision, with the attribution of what caused it.
//!
//! The result of the episode is in R net of costs, ticks are the world's. Abstentions come as well, with the result that the trade would
//! have had, so that a memory may learn from what wasn't done.

use super::{Voice, VoiceSource};
use crate::episode::Episode;
use morta_base::Tick;

/// An experience of a golem, and the part that its memory had in it. A feedback message: transition, advice and attribution.
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
