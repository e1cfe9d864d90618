//! The barrier between two ticks: the delivery of letters, and the closing of a tick. Every driver of a world calls it, the plain loop
//! and the actors alike, so that there is one place in which the order of answers, events and accounts is decided. It is the
//! synchronisation barrier of a bulk synchronous parallel (BSP) simulation, with a conservation check of money in whole micro-dollars.
//! An answer given at a barrier is found in the next tick; the broker may give it several barriers after the question (latency).

use crate::event::Event;
use crate::golem::{Answer, Birth, Letter, Outbox};
use crate::lethe::BloodstainStore;
use crate::world::census::BarrierFacts;
use crate::world::mail::{Letters, Mail};
use crate::world::service::{MarketMove, Reports, Served, ServiceKind};
use crate::world::{Census, Deliveries, Inboxes, Plan, Services, TickContext};
use morta_base::{GolemId, LetterId, Tick, Usdc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The state of a world between two ticks, without its golems and services: mailboxes, agent register, context of the next tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Barrier {
    /// The tick that comes next.
    tick: Tick,
    /// Its context.
    now: TickContext,
    /// Who lives, who is due, and all money.
    census: Census,
    /// Answers that golems find at that tick.
    inboxes: Inboxes,
    /// Services that have something due without a letter.
    at_work: BTreeSet<ServiceKind>,
    /// Bloodstains in the Lethe.
    bloodstains: u32,
}

impl Barrier {
    /// Opens the barrier before tick 0, whose context is `now`.
    pub fn open<S: BloodstainStore>(plan: &Plan, now: TickContext, services: &Services<S>) -> Self {
        let mut barrier = Self {
            tick: 0,
            now,
            census: Census::new(plan),
            inboxes: Inboxes::default(),
            at_work: BTreeSet::new(),
            bloodstains: 0,
        };
        barrier.look_at(services);
        barrier
    }

    /// Reads the state of the services after they were changed by other means than letters: no report comes of that, and the barrier would
    /// go by the old state (resynchronisation).
    pub(super) fn look_at<S: BloodstainStore>(&mut self, services: &Services<S>) {
        self.at_work = services.at_work().collect();
        self.bloodstains = services.styx_lethe.len();
    }

    /// The current tick of the simulation clock: the one that comes next.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// The context of that tick: the shared read-only observation.
    pub fn now(&self) -> &TickContext {
        &self.now
    }

    /// The same to be changed, for interventions between ticks (mutable access).
    pub(super) fn now_mut(&mut self) -> &mut TickContext {
        &mut self.now
    }

    /// The register of the living (agents), of births that are due, and of all money.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// Whether a tick is left and a golem to live it, or one that is due to be born: the loop condition of every driver, a termination
    /// test negated.
    pub fn goes_on(&self, plan: &Plan) -> bool {
        self.tick < plan.scenario().ticks && self.census.has_future()
    }

    /// Takes out the births of the tick, in the order of ids. It must be called once a tick, before golems step, because endowments leave
    /// the treasury with it.
    pub fn births(&mut self) -> Vec<Birth> {
        self.census.births(self.tick)
    }

    /// Takes out the answers that golems find at the tick; the mailboxes are empty afterwards.
    pub fn take_inboxes(&mut self) -> Inboxes {
        std::mem::take(&mut self.inboxes)
    }

    /// Drops the answers of a golem's inbox that `keep` refuses: a filter of its mailbox.
    pub(super) fn retain_answers(&mut self, golem: GolemId, keep: impl Fn(&Answer) -> bool) {
        let mut answers = self.inboxes.take(golem);
        answers.retain(keep);
        self.inboxes.add_news(answers.into_iter().map(|answer| (golem, answer)));
    }

    /// Sorts the letters of a tick by service (message routing), after all golems have stepped. A service without letters, work that is
    /// due or a planned fault gets `None` and isn't woken.
    ///
    /// # Panics
    /// When the letters don't come in letter order.
    pub fn deliver(&self, letters: Vec<(LetterId, Letter)>, plan: &Plan) -> Deliveries {
        let Mail { orders, curations, dreams, inference, lethe } = Mail::sort(letters);
        Deliveries {
            market: self.ask(ServiceKind::Market, orders, plan),
            curator: self.ask(ServiceKind::Curator, curations, plan),
            dream_scheduler: self.ask(ServiceKind::DreamScheduler, dreams, plan),
            llm_broker: self.ask(ServiceKind::LlmBroker, inference, plan),
            styx_lethe: self.ask(ServiceKind::StyxLethe, lethe, plan),
        }
    }

    fn ask<L: Letters>(&self, service: ServiceKind, letters: L, plan: &Plan) -> Option<L> {
        let is_due =
            !letters.is_empty() || self.at_work.contains(&service) || plan.service_fault(service, self.tick);
        is_due.then_some(letters)
    }

    /// Closes (commits) the tick, after all services that were asked have reported: puts their answers into the inboxes of the next tick,
    /// closes the accounts, and moves on. `out` is the golems' outbox, without their letters. Returns the events of the tick, in order;
    /// the last one closes it.
    ///
    /// # Panics
    /// When the market hasn't reported.
    pub fn close(&mut self, mut out: Outbox, reports: Reports, plan: &Plan) -> Vec<Event> {
        // Answers to golems that have died since are dropped; those that carry money never are, because the dying wait.
        self.inboxes = Inboxes::default();
        let reports = reports.in_order();
        // Room for all events of the tick at once: a list that grows is copied and takes new memory at each step.
        let there_are =
            out.events.len() + reports.iter().map(|served| served.report.events.len()).sum::<usize>();
        let (mut events, mut in_flight, mut market) = (Vec::with_capacity(there_are + 1), Usdc::ZERO, None);
        let mut pheromones = Arc::clone(&self.now.pheromones);
        for Served { service, report, has_work } in reports {
            if has_work {
                self.at_work.insert(service)
            } else {
                self.at_work.remove(&service)
            };
            // Money in an answer is in no purse and no longer with the market: uncounted, it would be missing from the tick's sum.
            in_flight += report.answers.iter().map(|(_, answer)| answer.money_in_flight()).sum();
            self.inboxes.add(report.answers);
            self.inboxes.add_news(report.news);
            events.extend(report.events);
            market = market.or(report.market);
            pheromones = report.pheromones.unwrap_or(pheromones);
            self.bloodstains = report.bloodstains.unwrap_or(self.bloodstains);
        }
        let MarketMove { ledger, next } = *market.expect("the market reports at every barrier");
        let facts = BarrierFacts { market: ledger, in_flight, bloodstains: self.bloodstains };
        let closed = self.census.close(self.tick, &out, facts, &self.now, plan);
        events.append(&mut out.events);
        events.push(closed);
        self.now = TickContext { pheromones, ..next };
        self.tick += 1;
        events
    }
}
