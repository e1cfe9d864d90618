//! The account of a memory: how many of its items were ever used, and how much of its evidence it made itself. Counts have no unit. It is
//! usage telemetry (hit counting) of a memory, with attribution: an outcome that an item itself brought about is no independent evidence
//! (confirmation bias, self-reinforcement).

use super::{MemoryCensus, Voice, VoiceSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Counts of a memory's items. An item is named by the source of its voice. Usage telemetry of memory items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryAccount {
    stored: u64,
    used: BTreeSet<VoiceSource>,
    restated: BTreeSet<VoiceSource>,
    evidence: u64,
    self_evidence: u64,
    /// Items that influenced the decision whose outcome is being taken in.
    #[serde(skip)]
    influential: BTreeSet<VoiceSource>,
}

impl MemoryAccount {
    /// Sets the items that influenced the decision whose outcome is about to be taken in; none when it is over. Sets the attribution of the
    /// current decision.
    pub fn influenced_by(&mut self, items: &[VoiceSource]) {
        self.influential = items.iter().map(|source| source.item()).collect();
    }

    /// Counts an item that is stored for the first time. A counter of writes, with duplicates. A write counter.
    pub fn store(&mut self, item: VoiceSource, restates: bool) {
        self.stored += 1;
        if restates {
            self.restated.insert(item.item());
        }
    }

    /// Counts an item as used: it spoke in a decision that was acted on, was replayed, or another was drawn from it. A counter of reads
    /// (hits). A read counter.
    pub fn call_on(&mut self, item: VoiceSource) {
        self.used.insert(item.item());
    }

    /// Counts every stored item that spoke in a decision that was acted on. A batch of reads (hits). Read counters of one decision.
    pub fn call_on_all(&mut self, why: &[Voice]) {
        let stored = |source: &VoiceSource| !matches!(source, VoiceSource::Gut | VoiceSource::Truth(_));
        self.used.extend(why.iter().map(|voice| voice.source).filter(stored).map(VoiceSource::item));
    }

    /// Counts an outcome for or against an item other than an episode. It is self-fed if the item influenced the decision. A counter of
    /// evidence with self-confirmation.
    pub fn weigh(&mut self, item: VoiceSource) {
        self.evidence += 1;
        self.self_evidence += u64::from(self.influential.contains(&item.item()));
    }

    /// The account so far. A summary of the usage telemetry. Usage statistics.
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
