//! The census of a memory: its use, in numbers. Counts tell whether what is stored is ever used (hit rate), how much of it is redundant,
//! and how far the memory confirms itself (self-reinforcement). They have no unit and add up over golems. A memory without an account has
//! zeros. It is read at the end of a life or of the run, for the table of lives and measures of sweeps among others.

use serde::{Deserialize, Serialize};

/// Usage statistics of a life's memory: stored, unused, duplicate, self-confirmed. An item is whatever the architecture keeps: an episode,
/// a belief, a node, a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryCensus {
    /// Items ever stored.
    pub stored: u64,
    /// Of these, items that never spoke in a decision that was acted on, were never replayed, and from which no other item was drawn.
    pub unused: u64,
    /// Items that repeat an item stored before them.
    pub restated: u64,
    /// Items that were unused or repeat another: junk. At least the larger of the two numbers, at most their sum.
    pub junk: u64,
    /// Times an outcome was counted for or against an item other than an episode.
    pub evidence: u64,
    /// Of these, outcomes of decisions that the item itself had tipped: without its voice the golem decides differently.
    /// A memory whose evidence is mostly of this kind confirms itself.
    pub self_evidence: u64,
}

crate::sums::sums!(MemoryCensus { stored, unused, restated, junk, evidence, self_evidence });
