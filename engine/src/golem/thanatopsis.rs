//! The last rites: acceptance, settling, review, legacy (digest section 13); and the snapshots that sudden deaths fall back to. Budgets are
//! in dollars, intervals in ticks. It is a graceful shutdown sequence with checkpoints for a crash. `clocks` begins it; each tick advances
//! it by at most one wait, and it can't be stopped. Bloodstains cost `lethe.deposit_usdc` each out of the budget of the legacy; what is
//! left of the purse is the estate. Snapshots are for mortals with the stochastic clock on whose memory draws bloodstains, at an interval
//! by rung, if they can pay; without one a sudden death leaves no knowledge. A fault begins no rites, and one during them ends them at
//! once: `death_initiated` and some phases stand in the log by then, a testament never does.

use crate::episode::Context;
use crate::event::{EventKind, ExitReason};
use crate::golem::clocks::Vitals;
use crate::golem::life_review::{ReviewOutcome, ReviewState};
use crate::golem::mortal::{LastRites, Snapshot};
use crate::golem::state::Activity;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::lethe::bloodstain::PositionAtDeath;
use crate::lethe::{Bequest, Bloodstain, Deposit};
use crate::market::PathPoint;
use crate::mortality::{Cause, DyingPhase};
use morta_base::{BloodstainId, Usdc};

impl Golem {
    /// Whether it is closing its affairs (graceful shutdown): it opens nothing more, and its clocks are no longer read.
    pub fn is_dying(&self) -> bool {
        matches!(self.activity, Activity::Dying(_))
    }

    /// Begins the last rites. Dying can't be reversed: a golem that recovered while settling would have closed its positions for nothing.
    pub(super) fn begin_to_die(
        &mut self,
        cause: Cause,
        vitals: &Vitals,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let config = &moment.rules.mortality.thanatopsis;
        let reserve = self.mortal.reserve;
        let pressure = self.pressure(vitals, moment);
        let position = self.position_now(moment);
        let funds = config.funds(vitals.balance, reserve, pressure);
        let budget = config.budget(funds, u32::from(position.is_some()));
        let context = self.circumstances_now(moment);
        let kind = EventKind::DeathInitiated {
            cause,
            balance: vitals.balance,
            reserve,
            fitness: vitals.fitness,
            hazard: self.hazard(vitals.fitness, moment),
            vitality: vitals.vitality,
            rung: self.mortal.rung,
            stage: self.epistemics.stage(),
            pressure,
            context,
            position,
            readings: self.mortal.readings.oldest_first(),
        };
        self.tell(moment.tick, kind, out);
        let (began, vitality) = (moment.tick, vitals.vitality);
        let phase = DyingPhase::Acceptance;
        let rites = LastRites {
            began,
            phase,
            budget,
            vitality,
            context,
            position,
            review_state: ReviewState::NotYet,
            review_outcome: ReviewOutcome::default(),
        };
        self.mortal.rites = Some(Box::new(rites));
        self.die_in_sleep(cause, moment, out);
        self.report_phase(phase, budget.total(), moment, out);
    }

    /// Closes an open position; without one, reviews its life, leaves testament and bloodstains, and departs. Chance leaves no time
    /// for acceptance.
    pub(super) fn close_affairs(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Activity::Dying(cause) = self.activity else {
            unreachable!("only the dying close their affairs")
        };
        let rites = self.mortal.rites.as_mut().expect("who dies has begun to");
        let accepting = moment.rules.mortality.thanatopsis.acceptance_ticks;
        if !cause.is_sudden() && moment.tick < rites.began + accepting {
            return;
        }
        // Each return from here on is a wait of one tick.
        let budget = rites.budget;
        if std::mem::replace(&mut rites.phase, DyingPhase::Settle) == DyingPhase::Acceptance {
            self.report_phase(DyingPhase::Settle, budget.settle, moment, out);
        }
        if self.order_out.is_some() {
            return;
        }
        if self.position.is_some() {
            if self.is_worth_closing(budget.settle, moment) {
                self.order_close(ExitReason::Death, moment, out);
                return;
            }
            self.strand(moment, out);
        }
        if !self.advance_review(cause, moment, out) {
            self.pass_on(cause, moment, out);
        }
    }

    /// Writes the testament, leaves bloodstains and the last letters, and departs.
    fn pass_on(&mut self, cause: Cause, moment: &Moment<'_>, out: &mut Outbox) {
        let rites = self.mortal.rites.take().expect("who dies has begun to");
        let budget = rites.budget;
        let testament = self.testament(cause, &rites, moment);
        self.report_phase(DyingPhase::Legacy, budget.legacy, moment, out);
        self.tell(moment.tick, EventKind::TestamentWritten(Box::new(testament)), out);
        self.mortal.rites = Some(rites);
        self.leave_bloodstains(cause, budget.legacy, moment, out);
        self.announce_death(cause, moment, out);
        for inheritance in self.inheritance().to_vec() {
            self.tell(moment.tick, EventKind::InheritanceSettled(inheritance), out);
        }
        self.report_gate(moment.tick, out);
        let record = self.record(moment.tick, Some(cause), moment.rules, &moment.view.assets);
        self.tell(moment.tick, EventKind::LifeEnded(Box::new(record)), out);
        let estate = self.purse.empty();
        out.departures.push(self.departure(estate, cause, moment));
    }

    pub(super) fn report_phase(
        &self,
        phase: DyingPhase,
        budget: Usdc,
        moment: &Moment<'_>,
        out: &mut Outbox,
    ) {
        let tier = self.mortal.rites.as_ref().map(|rites| rites.budget.tier);
        self.tell(moment.tick, EventKind::DyingPhase { phase, tier, budget }, out);
    }

    pub(super) fn circumstances_now(&self, moment: &Moment<'_>) -> Context {
        Context::read(moment.view, 0, &self.genome.regime_thresholds(&moment.rules.golem))
    }

    fn position_now(&self, moment: &Moment<'_>) -> Option<PositionAtDeath> {
        let position = self.position.as_ref()?;
        let candidate = &position.decision.candidate;
        Some(PositionAtDeath {
            asset: candidate.asset,
            strategy: candidate.strategy,
            side: candidate.side,
            stake: position.exposure.stake,
            open_r: position.open_r(PathPoint::from(moment.view.asset(candidate.asset))),
        })
    }

    /// Triage: closing pays unless it costs more gas than the budget of settling and more than it brings.
    fn is_worth_closing(&self, budget: Usdc, moment: &Moment<'_>) -> bool {
        let position = self.position.as_ref().expect("there is something to close");
        let asset = position.decision.candidate.asset;
        let gas = moment.view.gas;
        // A hedged position is closed by saying so.
        position.quantity.0 == 0
            || gas <= budget
            || position.value(PathPoint::from(moment.view.asset(asset))) > gas
    }

    /// Gives up a position that the market won't take back or that isn't worth closing; its value is lost, and reported.
    pub(super) fn strand(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let Some(position) = self.position.take() else { return };
        let candidate = position.decision.candidate;
        let value = position.value(PathPoint::from(moment.view.asset(candidate.asset)));
        self.mortal.stranded += value;
        let kind = EventKind::ValueStranded { asset: candidate.asset, strategy: candidate.strategy, value };
        self.tell(moment.tick, kind, out);
    }

    /// Leaves bloodstains, as many as the budget of the legacy pays for, in the order of its bequests.
    fn leave_bloodstains(&mut self, cause: Cause, budget: Usdc, moment: &Moment<'_>, out: &mut Outbox) {
        let lethe = &moment.rules.lethe;
        if !lethe.enabled {
            return;
        }
        let bequests = self.bequest(cause);
        let price = Usdc::from_dollars(lethe.deposit_usdc);
        let affordable = match price {
            Usdc::ZERO => bequests.len(),
            price => (budget.min(self.purse.total()).0.max(0) / price.0) as usize,
        };
        let here = self.circumstances_now(moment);
        let mut bloodstains = Vec::new();
        for (bequest, number) in bequests.into_iter().take(affordable).zip(0..) {
            // A scar is left where it was received. A lesson comes from many places, so it is left where its giver died.
            let (context, embedding) = match &bequest {
                Bequest::Scar(episode) => (episode.context, episode.embedding.clone()),
                Bequest::Lesson(_) => (here, moment.view.asset(0).embedding.clone()),
            };
            self.pay_lethe(price, out);
            let bloodstain = Bloodstain {
                id: BloodstainId { golem: self.id, number },
                cause,
                died: moment.tick,
                age: moment.tick - self.born,
                vitality: self.vitality,
                context,
                embedding,
                bequest,
            };
            self.tell(moment.tick, EventKind::BloodstainLeft(Box::new(bloodstain.clone())), out);
            bloodstains.push(bloodstain);
        }
        self.tally.left = bloodstains.len() as u32;
        if !bloodstains.is_empty() {
            self.write(Letter::Deposit(Deposit { bloodstains }), out);
        }
    }

    /// Takes a snapshot of lessons and scars when it is due, if a sudden death is possible, its memory draws bloodstains, and the money for
    /// it is there. The interval bounds the loss of a sudden death (digest section 13, M03).
    pub(super) fn take_snapshot(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.mortality;
        let threatened = moment.rules.mortal && config.stochastic_clock && self.draws_bloodstains();
        if !threatened || moment.tick < self.mortal.snapshot_due {
            return;
        }
        let ladder = &config.economic.ladder;
        let Some(interval) = config.thanatopsis.snapshot_interval(self.mortal.rung, ladder) else { return };
        self.mortal.snapshot_due = moment.tick + interval;
        let price = Usdc::from_dollars(config.thanatopsis.snapshot_usdc);
        if self.purse.total() - self.mortal.reserve < price {
            return;
        }
        self.pay_compute(price, out);
        self.mortal.snapshots += 1;
        let earlier = self.mortal.snapshot.take().map_or(Vec::new(), |snapshot| snapshot.bequests);
        let bequests = self.memory.bequeaths().map_or(Vec::new(), |memory| memory.renew_bequests(earlier));
        self.mortal.snapshot = Some(Box::new(Snapshot { tick: moment.tick, bequests }));
    }
}
