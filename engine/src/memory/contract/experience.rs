//! An outcome as it is handed to a memory.

use super::{Voice, VoiceSource};
use crate::episode::Episode;
use morta_base::Tick;

/// Something a golem lived through, and what its memory had to do with it.
#[derive(Clone, Copy, Debug)]
pub struct Experience<'a> {
    /// What happened: a trade, or what staying out of one came to.
    pub episode: &'a Episode,
    /// Who spoke before the decision, as its advice named them; nobody for what was stayed out of.
    pub why: &'a [Voice],
    /// Items of memory without any one of which the decision would have been another.
    pub influential: &'a [VoiceSource],
    /// When it ended: now.
    pub now: Tick,
}
