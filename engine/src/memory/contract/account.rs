//! The account of a memory: how many of its items were ever used, and how much of its evidence it made itself. Counts have no unit.
//!
//! It is usage telemetry (hit counting) of a memory, with attribution: an outcome that an item itself brought about is no independent
//! evidence (confirmation bias, self-reinforcement). It changes no decision; its census goes into the event that ends a life or the run,
//! for tables and measures of sweeps. Before each outcome the family sets which items tipped the decision, and clears them after it.

use super::{MemoryCensus, Voice, VoiceSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Usage telemetry (tracking) of memory items, by sets of ids. An item is named by the source of its voice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryAccount {
    /// Items ever stored.
    stored: u64,
    /// Items that spoke in a decision acted on, were replayed, or from which another was drawn.
    used: BTreeSet<VoiceSource>,
    /// Items that repeat an earlier one.
    restated: BTreeSet<VoiceSource>,
    /// Outcomes counted for or against items other than episodes, and those of them that the item itself had tipped.
    evidence: u64,
    self_evidence: u64,
    /// Items that influenced the decision whose outcome is being taken in.
    #[serde(skip)]
    influential: BTreeSet<VoiceSource>,
}

impl MemoryAccount {
    /// Sets the attribution of the current decision: the items that tipped it, whose outcome is about to be taken in; none when it is over.
    pub fn influenced_by(&mut self, items: &[VoiceSource]) {
        self.influential = items.iter().map(|source| source.item()).collect();
    }

    /// Counts a write: an item that is stored for the first time, and whether it duplicates one that was there.
    pub fn store(&mut self, item: VoiceSource, restates: bool) {
        self.stored += 1;
        if restates {
            self.restated.insert(item.item());
        }
    }

    /// Counts an item as used (usage tracking). It spoke in a decision that was acted on, was replayed, or another was drawn from it.
    pub(crate) fn call_on(&mut self, item: VoiceSource) {
        self.used.insert(item.item());
    }

    /// Counts the reads of one decision: every stored item that spoke in a decision that was acted on.
    pub fn call_on_all(&mut self, why: &[Voice]) {
        let stored = |source: &VoiceSource| !matches!(source, VoiceSource::Gut | VoiceSource::Truth(_));
        self.used.extend(why.iter().map(|voice| voice.source).filter(stored).map(VoiceSource::item));
    }

    /// Counts evidence, an outcome for or against an item other than an episode. It is self-fed if the item influenced the decision.
    pub fn weigh(&mut self, item: VoiceSource) {
        self.evidence += 1;
        self.self_evidence += u64::from(self.influential.contains(&item.item()));
    }

    /// Sums up the usage statistics so far.
    pub fn census(&self) -> MemoryCensus {
        let (used, restated) = (self.used.len() as u64, self.restated.len() as u64);
        let unused = self.stored.saturating_sub(used);
        let both = self.restated.intersection(&self.used).count() as u64;
        MemoryCensus {
            stored: self.stored,
            unused,
            restated,
            junk: (unused + both).min(self.stored),
            evidence: self.evidence,
            self_evidence: self.self_evidence,
        }
    }
}
