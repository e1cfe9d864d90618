//! An outcome, as a memory takes it in.

use super::{Voice, VoiceSource};
use crate::episode::Episode;
use morta_base::Tick;

/// An experience of a golem, and the part that its memory had in it.
#[derive(Clone, Copy, Debug)]
pub struct Experience<'a> {
    /// The episode: a trade, or an abstention with the result that the trade would have had.
    pub episode: &'a Episode,
    /// The named voices of the advice before the decision; none for an abstention.
    pub why: &'a [Voice],
    /// Items of memory each of which tipped the decision: without it, the decision would have been another.
    pub influential: &'a [VoiceSource],
    /// The tick at which it ended: now.
    pub now: Tick,
}
