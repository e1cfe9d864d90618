//! Succession: the legacy of a golem, and its successor's first tick (inheritance, warm start).
//!
//! Shares and confidence run from 0 to 1, times are in ticks. Knowledge is handed over only under `succession.policy = "continue"` and by a
//! memory that can: not after a fault, and after a death by chance as of the last snapshot (without one nothing). The estate goes to the
//! treasury in any case, and inborn traits pass on by the genome. A successor takes its legacy over in its first tick and not at birth,
//! because it has to read the market's regime first.

use crate::event::EventKind;
use crate::golem::{Departure, Golem, Moment, Outbox};
use crate::memory::legacy::AffectLegacy;
use crate::memory::{Heir, InheritOutcome, SuccessionPolicy};
use crate::mortality::Cause;
use crate::mortality::narrative::NarrativeArc;
use morta_base::Usdc;

/// Share of a life from which a mood counts as part of it; our choice: less than half of the eighth that each of eight equal ones would
/// have.
const NOTABLE_SHARE: f64 = 0.05;

impl Golem {
    /// The departure of a golem: its money and its legacy. A golem that dies of a fault leaves no knowledge, for a panic may have left it half changed; one
    /// that dies suddenly hands over what it knew at its last snapshot, and nothing without one.
    pub(super) fn departure(&self, estate: Usdc, cause: Cause, moment: &Moment<'_>) -> Departure {
        let succession = &moment.rules.succession;
        let faulted = cause == Cause::Fault;
        let put_down = self.mortal.snapshot.as_ref().map(|snapshot| snapshot.tick);
        let lost = faulted || (cause.is_sudden() && put_down.is_none());
        let handed_over = succession.policy == SuccessionPolicy::Continue && !lost;
        let known_by = put_down.filter(|_| cause.is_sudden());
        let memory = self.memory.hands_on().filter(|_| handed_over);
        let legacy = memory.map(|memory| memory.legacy(self.affect_legacy(moment), known_by, succession));
        Departure { golem: self.id, genome: self.genome, estate, faulted, legacy: legacy.map(Box::new) }
    }

    /// The feelings' part of its legacy: the share of the eight moods that it had for at least a twentieth of its life, and whether its
    /// story was one of redemption. Both raise the confidence of its heir's inheritance (digest section 14).
    fn affect_legacy(&self, moment: &Moment<'_>) -> Option<AffectLegacy> {
        let felt = self.affect.summary().filter(|_| moment.rules.daimon.is_on())?;
        let known = felt.share_by_mood.iter().filter(|share| **share >= NOTABLE_SHARE).count();
        Some(AffectLegacy {
            diversity: known as f64 / felt.share_by_mood.len() as f64,
            redemptive: self.mortal.story.arc() == NarrativeArc::Redemptive,
        })
    }

    /// Takes over the legacy in a successor's first tick.
    pub(super) fn receive_legacy(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Some(legacy) = self.handed_over.take() else { return };
        let thresholds = self.genome.regime_thresholds(&moment.rules.golem);
        let regime = thresholds.classify(moment.view.asset(0));
        let heir = Heir { generation: self.id.generation, regime, now: moment.tick };
        let from = legacy.from;
        let received = match self.memory.hands_on_mut() {
            Some(memory) => memory.receive_legacy(*legacy, &heir, &moment.rules.succession),
            None => InheritOutcome::default(),
        };
        let kind = EventKind::LegacyReceived {
            from,
            scars: received.scars,
            candidates: received.candidates,
            staged: received.staged.len() as u32,
            defaults: received.defaults.len() as u32,
            anti: received.anti,
        };
        self.tell(moment.tick, kind, out);
        self.report_received(received, moment, out);
        self.hear_memory(moment, out);
    }

    /// Writes events of inherited entries that are in force or under test from now on, and of those displaced by them.
    pub(super) fn report_received(&self, received: InheritOutcome, moment: &Moment<'_>, out: &mut Outbox) {
        let admitted = received.defaults.into_iter().map(EventKind::of_admitted);
        let staged = received.staged.into_iter().map(EventKind::of_staged);
        let displaced = received.displaced.into_iter().map(EventKind::of_displaced);
        admitted.chain(staged).chain(displaced).for_each(|kind| self.tell(moment.tick, kind, out));
    }

    /// The addition of youth to the exploration rate (digest section 14: +.2 for 100 ticks): a young golem tries things out, whatever it inherited, so
    /// that an heir differs from others by its inheritance alone. No consequence was found of heirs alone exploring, as the digest has it
    /// (`scenarios/sensitivity/knobs.toml`).
    pub(super) fn exploration_bonus(&self, moment: &Moment<'_>) -> f64 {
        let succession = &moment.rules.succession;
        let young = moment.tick - self.born < succession.exploration_ticks;
        if young { succession.exploration_bonus } else { 0.0 }
    }
}
