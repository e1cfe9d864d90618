//! Events inside a memory: they are written to the log, appraised, or passed on to the siblings they concern (event dispatch, observer).
//! Their order within a moment is fixed by kind, since the digest of a log depends on it. The golem drains them after a trade, a dream, the
//! Curator's report, housekeeping and a legacy; what other changes cause (an abstention, a sibling's lesson, a draw) waits for the next of
//! these.

use crate::daimon::Happening;
use crate::dream::BeliefEntry;
use crate::episode::StagingVerdict;
use crate::event::EventKind;
use crate::golem::{Golem, Moment, Outbox};
use crate::memory::{MemoryEvent, ProvedWrong};

impl Golem {
    /// Drains the events of its memory since the last time. A memory can't write to the log by itself: it knows no outbox.
    pub(super) fn hear_memory(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let mut events = self.memory.drain_events();
        // Stable: events of one kind stay in the order they happened.
        events.sort_by_key(MemoryEvent::log_order);
        for event in events {
            match event {
                MemoryEvent::ProvedWrong(ProvedWrong { id, claim, found_r, confidence }) => {
                    self.tell(moment.tick, EventKind::ProvedWrong { id, claim, found_r, confidence }, out);
                }
                MemoryEvent::EntryMoved(moved) => {
                    self.tell(moment.tick, EventKind::EntryMoved(moved), out);
                }
                MemoryEvent::DreamValidated(validation) => {
                    self.tell(moment.tick, EventKind::DreamValidated(validation), out);
                }
                MemoryEvent::ClaimDecided { staged, verdict } => {
                    self.appraise_verdict(&staged, verdict, moment, out);
                }
                MemoryEvent::LinkLearned(link) => {
                    self.tell(moment.tick, EventKind::LinkLearned(link), out);
                }
                MemoryEvent::LinkLost(link) => self.tell(moment.tick, EventKind::LinkLost(link), out),
                MemoryEvent::BorneOut { giver, claim } => self.clade_state.note_borne_out(giver, claim),
            }
        }
    }

    /// Appraises the end of a claim's test, as a dream's if it was dreamt, and writes its event.
    fn appraise_verdict(
        &mut self,
        staged: &BeliefEntry,
        verdict: StagingVerdict,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let dreamt = staged.dream.is_some();
        let happening = match verdict {
            StagingVerdict::Promoted if dreamt => Some(Happening::DreamConfirmed),
            StagingVerdict::Promoted => Some(Happening::RuleValidated),
            StagingVerdict::Refuted if dreamt => Some(Happening::DreamRefuted),
            StagingVerdict::Refuted => Some(Happening::RuleContradicted),
            // These two move no mood: the claim left the test without a finding about it.
            StagingVerdict::Expired | StagingVerdict::Displaced => None,
        };
        if let Some(happening) = happening {
            self.appraise(happening, moment, out);
        }
        let kind = EventKind::of_decided(staged.clone(), verdict);
        self.tell(moment.tick, kind, out);
    }
}
