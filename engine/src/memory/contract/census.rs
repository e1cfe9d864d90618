//! What a memory was good for, in numbers.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// A life's account of what its memory was good for. Items are whatever the architecture keeps: episodes, beliefs, nodes, notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryCensus {
    /// Items ever stored.
    pub stored: u64,
    /// Of these, items that never spoke in a decision that was acted on, nor were part of one that did.
    pub unused: u64,
    /// Items that say the same as an item stored before them.
    pub restated: u64,
    /// Items that were unused, or restated another: junk. At least the larger of the two, at most their sum.
    pub junk: u64,
    /// Times an outcome was counted for or against an item other than an episode.
    pub evidence: u64,
    /// Of these, outcomes of decisions that the item itself had tipped: without its voice the golem would have done something else, or
    /// nothing. What memory feeds on that it cooked itself.
    pub self_evidence: u64,
}

impl AddAssign for MemoryCensus {
    fn add_assign(&mut self, other: Self) {
        self.stored += other.stored;
        self.unused += other.unused;
        self.restated += other.restated;
        self.junk += other.junk;
        self.evidence += other.evidence;
        self.self_evidence += other.self_evidence;
    }
}
