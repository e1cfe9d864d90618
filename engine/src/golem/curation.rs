//! Upkeep of a waking golem's knowledge: by the Curator, and by housekeeping (scheduled maintenance jobs).
//!
//! Both are for memories that dream and for waking golems; the Curator doesn't come in a sleep window either. It comes every
//! `curator.interval_ticks` (50) of age, half as often in conservation, not from decline on; its report comes back a tick later. A date
//! that falls into sleep is skipped, a deep cycle's too. Housekeeping comes every 50 ticks in every phase. Reports are applied with their
//! events, in an order that digests depend on.

use crate::curator::{CuratorReport, age_discount};
use crate::event::EventKind;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::market::PathPoint;
use crate::memory::{ClockSigns, CuratorVisit};

/// Ticks between two rounds of housekeeping: those between two visits of the Curator by the specs (digest section 3). Demurrage is paid by its own
/// interval, so another value would change when it is paid and not how much.
const HOUSEKEEPING_TICKS: u64 = 50;

impl Golem {
    /// Hands a waking golem's recent trades to the Curator when they are due, which depends on the phase of life.
    pub(super) fn ask_curator(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let curator = &moment.rules.curator;
        let age = moment.tick - self.born;
        let phases = &moment.rules.mortality.phases;
        let Some(interval) = phases.curator_interval(self.phase, curator.interval_ticks) else { return };
        if !curator.enabled || age == 0 || !age.is_multiple_of(interval) {
            return;
        }
        let mortality = &moment.rules.mortality;
        let discount = age_discount(self.epistemics.fitness(mortality), mortality.senescence_threshold);
        // The first cycle in every stretch of that many ticks is a deep one.
        let deep = age / curator.deep_ticks != (age - interval) / curator.deep_ticks;
        let Some(dreamer) = self.memory.dreams_mut() else { return };
        let cycle = age / curator.interval_ticks;
        let visit = CuratorVisit { cycle, deep, age_discount: discount, config: curator };
        if let Some(request) = dreamer.curator_request(visit) {
            self.write(Letter::Curate(request), out);
        }
    }

    /// Carries out the Curator's report, and writes events of it.
    pub(super) fn apply_curator_report(
        &mut self,
        report: CuratorReport,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let Some(dreamer) = self.memory.dreams_mut() else { return };
        let cycle = report.cycle;
        let done = dreamer.apply_curator_report(report, moment.rules.curator.low_below, moment.tick);
        let (insights, counts) = (done.counts.added, Box::new(done.counts));
        self.tell(moment.tick, EventKind::Curated { cycle, insights, counts, tags: done.tags }, out);
        let staged = done.staged.into_iter().map(EventKind::of_staged);
        let displaced = done.displaced.into_iter().map(EventKind::of_displaced);
        staged.chain(displaced).for_each(|kind| self.tell(moment.tick, kind, out));
        self.hear_memory(moment, out);
    }

    /// Lets knowledge pay demurrage and make room, whether there is a Curator or not: an arm without it must not keep everything for ever.
    pub(super) fn housekeeping(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let age = moment.tick - self.born;
        if age == 0 || !age.is_multiple_of(HOUSEKEEPING_TICKS) || self.memory.dreams().is_none() {
            return;
        }
        let balance = self.balance(|asset| PathPoint::from(moment.view.asset(asset)));
        let signs = ClockSigns {
            economic: balance.dollars() / self.endowment.dollars(),
            fitness: self.epistemics.fitness(&moment.rules.mortality),
            phase: self.phase,
        };
        let Some(dreamer) = self.memory.dreams_mut() else { return };
        let rules = dreamer.housekeeping(signs, moment.tick);
        rules.into_iter().map(EventKind::of_retired).for_each(|kind| self.tell(moment.tick, kind, out));
        self.hear_memory(moment, out);
    }
}
