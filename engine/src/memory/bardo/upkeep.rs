//! Upkeep: entries pay demurrage, are archived or burnt, and make room for others (expiry and eviction of a knowledge base).
//!
//! Confidence runs from 0 to 1, capacities are numbers of entries (500 active and 500 archived by default). An archived entry may come back
//! when outcomes confirm it; a burnt one is gone. Each removal from the active store is an event with its reason (an archive that is full
//! drops its oldest without one, and a new disproof takes the place of an older one on its subject), so that a study can tell forgetting
//! from refutation. Housekeeping (every 50 ticks awake), the Curator's report, dreams, refutations and a received legacy remove entries by
//! it.

use super::Bardo;
use crate::dream::BeliefEntry;
use crate::episode::LeavingReason;
use crate::memory::{EntryMove, MemoryEvent, Way};
use morta_base::{RuleId, Tick};

impl Bardo {
    /// Evicts (archives or burns) the insights for which `leaves` is true.
    pub(super) fn let_go(&mut self, now: Tick, reason: LeavingReason, leaves: impl Fn(&BeliefEntry) -> bool) {
        let left = self.beliefs.take_insights(leaves);
        left.into_iter().for_each(|insight| self.put_away(insight, reason, now));
    }

    /// Forgets the disproofs for which `leaves` is true: outcomes have confirmed the claim after all.
    pub(super) fn forget_refutations(&mut self, leaves: impl Fn(&BeliefEntry) -> bool) {
        for wrong in self.beliefs.take_proved_wrong(leaves) {
            self.report_move(&wrong, Way::Burned(LeavingReason::Contradicted));
        }
    }

    /// Removes one insight.
    pub(super) fn archive_insight(&mut self, id: RuleId, reason: LeavingReason, now: Tick) {
        self.let_go(now, reason, |insight| insight.id == id);
    }

    /// Archives an entry, or burns it if hardly any confidence is left (digest section 12: archived below .1, burnt below .02).
    pub(super) fn put_away(&mut self, entry: BeliefEntry, reason: LeavingReason, now: Tick) {
        let burnt = self.config.demurrage.burns(entry.confidence);
        self.report_move(&entry, if burnt { Way::Burned(reason) } else { Way::Archived(reason) });
        if !burnt {
            self.beliefs.archive(entry, now, self.config.archive_capacity as usize);
        }
    }

    fn report_move(&mut self, entry: &BeliefEntry, way: Way) {
        self.later.events.push(MemoryEvent::EntryMoved(EntryMove::from_entry(entry, way)));
    }

    /// While there are too many active entries, the least trusted insight, rule or disproof leaves (digest section 2: "archive
    /// the lowest confidence" at 500). Claims under test have a bound of their own and stay. Returns the rules that left.
    pub(super) fn make_room(&mut self, now: Tick) -> Vec<BeliefEntry> {
        let mut gone = Vec::new();
        while self.beliefs.active().len() > self.config.capacity as usize {
            let Some(least) = self.least_trusted() else { break };
            if let Some(rule) = self.beliefs.retire(least) {
                self.put_away(rule.clone(), LeavingReason::Capacity, now);
                gone.push(rule);
                continue;
            }
            self.archive_insight(least, LeavingReason::Capacity, now);
            for wrong in self.beliefs.take_proved_wrong(|wrong| wrong.id == least) {
                self.report_move(&wrong, Way::Burned(LeavingReason::Capacity));
            }
        }
        gone
    }

    fn least_trusted(&self) -> Option<RuleId> {
        let entries = self.beliefs.active().iter().filter(|entry| entry.trial().is_none());
        let least = entries.min_by(|a, b| a.confidence.total_cmp(&b.confidence).then(a.id.cmp(&b.id)));
        least.map(|entry| entry.id)
    }
}
