//! The world driven by a plain loop. It is the oracle: actors must produce the same events in the same order.

mod change;
mod parts;
mod snapshot;

pub use change::ChangeError;
pub use parts::Parts;
pub use snapshot::{ResumeError, Snapshot};

use crate::base::{Lineage, Tick};
use crate::dream::DreamScheduler;
use crate::event::Event;
use crate::golem::{Answer, Golem, Moment, Outbox};
use crate::lethe::{BloodstainStore, EarlierBloodstains, MemoryStore, PheromoneField, StoreError};
use crate::market::{Bar, MarketState};
use crate::world::census::BarrierFacts;
use crate::world::services::{self, LetheDesk};
use crate::world::{Broker, Census, CuratorDesk, FaultTarget, Inboxes, Mail, MarketDesk, Plan, TickContext};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a world can't go on.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// A shared service failed.
    #[error("{service} failed at tick {tick}: {reason}")]
    ServiceFailed {
        /// Which.
        service: &'static str,
        /// When.
        tick: Tick,
        /// Why.
        reason: String,
    },
    /// The Lethe's store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One tick that has been lived through.
#[derive(Clone, Debug, PartialEq)]
pub struct LivedTick {
    /// What happened, in order; the last event closes the tick.
    pub events: Vec<Event>,
    /// Golems that stepped.
    pub golems: u64,
}

/// A world and everything in it.
#[derive(Clone, Debug)]
pub struct World<S = MemoryStore> {
    plan: Plan,
    tick: Tick,
    now: TickContext,
    market: MarketDesk,
    curator: CuratorDesk,
    scheduler: DreamScheduler,
    broker: Broker,
    lethe: LetheDesk<S>,
    pheromones: Arc<PheromoneField>,
    census: Census,
    // In boxes: a map's nodes are half empty when keys come in order, and golems are large.
    golems: BTreeMap<Lineage, Box<Golem>>,
    inboxes: Inboxes,
}

impl World {
    /// The world before its first tick, with a Lethe in memory that holds nothing.
    ///
    /// # Panics
    /// When the bars aren't those the plan was made with.
    pub fn new(plan: Plan, bars: Vec<Vec<Bar>>) -> Self {
        Self::begin(plan, bars, &EarlierBloodstains::default(), MemoryStore::default())
    }
}

impl<S: BloodstainStore> World<S> {
    /// The world before its first tick, with a Lethe over a store that holds what earlier runs left and nothing else.
    ///
    /// # Panics
    /// When the bars aren't those the plan was made with.
    pub fn begin(
        plan: Plan,
        bars: Vec<Vec<Bar>>,
        earlier_bloodstains: &EarlierBloodstains,
        store: S,
    ) -> Self {
        let scenario = plan.scenario();
        let state =
            MarketState::new(&scenario.market, plan.seed(), bars).expect("the plan has opened this market");
        let (market, now, _) = MarketDesk::open(state);
        Self {
            tick: 0,
            now,
            market,
            curator: CuratorDesk::new(scenario.curator.clone()),
            scheduler: DreamScheduler::new(scenario.dream.clone()),
            broker: Broker::new(scenario.llm.clone(), plan.seed()),
            lethe: LetheDesk::open(&plan, earlier_bloodstains, store),
            pheromones: Arc::default(),
            census: Census::new(&plan),
            golems: BTreeMap::new(),
            inboxes: Inboxes::default(),
            plan,
        }
    }

    /// The plan it is lived by.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The tick that comes next.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// The register.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The golem of a lineage, if one lives there.
    pub fn golem(&self, lineage: Lineage) -> Option<&Golem> {
        self.golems.get(&lineage).map(Box::as_ref)
    }

    /// Whether there is a tick left and somebody to live it.
    pub fn goes_on(&self) -> bool {
        self.tick < self.plan.scenario().ticks && self.census.has_future()
    }

    /// Lives through one tick and tells of it.
    ///
    /// # Errors
    /// When a shared service fails.
    pub fn live(&mut self) -> Result<LivedTick, WorldError> {
        let tick = self.tick;
        let mut out = Outbox::default();
        for birth in self.census.births(tick) {
            let golem = self.plan.born(birth, &mut out);
            self.golems.insert(golem.id().lineage, Box::new(golem));
        }
        for (lineage, golem) in &mut self.golems {
            let moment = Moment {
                tick,
                seed: self.plan.seed(),
                view: &self.now.view,
                observed: self.now.observed,
                true_regimes: &self.now.true_regimes,
                pheromones: &self.now.pheromones,
                rules: self.plan.rules(golem.cohort()),
            };
            let inbox = self.inboxes.take(golem.id());
            golem.step_guarded(&moment, inbox, self.plan.golem_fault(*lineage, tick), &mut out);
        }
        let golems = self.golems.len() as u64;
        Ok(LivedTick { events: self.close(out)?, golems })
    }

    fn close(&mut self, mut out: Outbox) -> Result<Vec<Event>, WorldError> {
        let tick = self.tick;
        let mail = Mail::sort(std::mem::take(&mut out.letters));
        self.strike(FaultTarget::Market, "the market")?;
        let market = self.market.step(tick, &mail.orders);
        self.strike(FaultTarget::Curator, "the Curator")?;
        let curated = self.curator.step(&mail.curations);
        self.strike(FaultTarget::DreamScheduler, "the dream scheduler")?;
        let dreams = self.scheduler.step(mail.dreams);
        self.strike(FaultTarget::LlmBroker, "the LLM broker")?;
        let inference = self.broker.step(tick, mail.inference);
        self.strike(FaultTarget::StyxLethe, "the Styx Lethe")?;
        let lethe = self.lethe.step(tick, mail.lethe)?;

        let facts = BarrierFacts {
            market: market.ledger,
            in_flight: services::in_flight(&market.answers),
            bloodstains: self.lethe.len(),
        };
        // Answers to golems that have died since are dropped; those that carry money never are, because the dying wait.
        self.inboxes = Inboxes::default();
        self.inboxes.add(market.answers);
        self.inboxes.add(curated.answers);
        self.inboxes
            .add(dreams.into_iter().map(|(letter, answer)| (letter, Answer::Dream(answer))).collect());
        self.inboxes
            .add(inference.into_iter().map(|(letter, answer)| (letter, Answer::Inference(answer))).collect());
        self.inboxes.add(lethe.answers);
        self.inboxes.add_news(lethe.news);
        if let Some(pheromones) = lethe.pheromones {
            self.pheromones = pheromones;
        }

        let closed = self.census.close(tick, &out, facts, &self.now, &self.plan);
        for departure in &out.departures {
            self.golems.remove(&departure.golem.lineage);
        }
        let mut events = market.events;
        events.append(&mut out.events);
        events.push(closed);
        self.now = market.next;
        self.now.pheromones = Arc::clone(&self.pheromones);
        self.tick += 1;
        Ok(events)
    }

    fn strike(&self, target: FaultTarget, service: &'static str) -> Result<(), WorldError> {
        let tick = self.tick;
        if self.plan.shared_fault(target, tick) {
            let reason = "fault injected by the scenario".to_owned();
            return Err(WorldError::ServiceFailed { service, tick, reason });
        }
        Ok(())
    }

    /// The run is over: tells the lives of those who outlived it.
    pub fn finish(&self) -> Vec<Event> {
        let last = self.tick.saturating_sub(1);
        let tell = |golem: &Golem| {
            golem.outlive_the_run(last, self.plan.rules(golem.cohort()), &self.now.view.assets)
        };
        self.golems.values().map(Box::as_ref).flat_map(tell).collect()
    }
}
