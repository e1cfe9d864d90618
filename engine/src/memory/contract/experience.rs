//! An outcome, as a memory takes it in: the feedback (reward) of a decision, with the attribution of what caused it.
//!
//! The result of the episode is in R net of costs, ticks are the world's. Abstentions come as well, so that a memory may learn from what
//! wasn't done: their result is 0 R, and what the trade made on paper is in their surprise and regret. Only the best candidate that was
//! turned down makes one, and one at a time. By `mortality.phases.encoding` (on by default) golems in Conservation take in only those of at
//! least .5 R surprise, weaker ones none. A trade that the venue closed in a dream comes on waking, because a sleeper learns nothing.

use super::{Voice, VoiceSource};
use crate::episode::Episode;
use morta_base::Tick;

/// A feedback message to a memory for learning: a transition with its outcome, the advice before it, and its attribution.
#[derive(Clone, Copy, Debug)]
pub struct Experience<'a> {
    /// The episode: a trade, or an abstention, whose result is 0 R.
    pub episode: &'a Episode,
    /// The named voices of the advice before the decision; none for an abstention.
    pub why: &'a [Voice],
    /// Items of memory each of which tipped the decision: without it, the decision is another.
    pub influential: &'a [VoiceSource],
    /// Now: the tick at which the episode ended (`episode.closed`), or a later one where the golem slept through its end.
    pub now: Tick,
}
