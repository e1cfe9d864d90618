//! The world, driven by a plain loop on one thread. The laboratory begins every run as a `World`; actors take it apart for their threads.
//! Cells of sweeps, runs with checkpoints, steered runs, the past that a branch goes on from, and runs with `--plain`, among others, are
//! lived by the loop here. It is also the oracle: actors must produce the same events in the same order.
//!
//! A tick, in [`World::live`]: golems are born; every golem steps by what all of them saw at the end of the last tick, so that none
//! depends on who stepped before it; their letters go to the shared services (market, Lethe, Curator, scheduler of dreams, broker of
//! models), which serve each in one fixed order; the dead are removed; the [`Barrier`] puts the events in order, delivers answers for the
//! next tick, and closes this one. It is the single-threaded reference implementation (test oracle) of the simulation loop, which can be
//! paused at every barrier. Times are in ticks. Checkpoints are in `snapshot`, interventions at a barrier in `change`, the hand-over to
//! the actors in `parts`.

mod change;
mod parts;
mod snapshot;

pub use change::ChangeError;
pub use parts::Parts;
pub use snapshot::{ResumeError, Snapshot};

use crate::event::Event;
use crate::golem::{Golem, Outbox};
use crate::lethe::{BloodstainStore, EarlierBloodstains, MemoryStore};
use crate::market::Bar;
use crate::world::service::ServiceError;
use crate::world::{Barrier, Census, Plan, Services};
use morta_base::{Lineage, Tick};
use std::collections::BTreeMap;

/// The result of one tick that has been lived through, a step of the simulation: its events, and the number of golems that stepped.
#[derive(Clone, Debug, PartialEq)]
pub struct LivedTick {
    /// Its events, in order; the last one closes the tick.
    pub events: Vec<Event>,
    /// Golems that stepped.
    pub golems: u64,
}

/// A world and everything in it: a simulation with its full state, driven on a single thread.
#[derive(Clone, Debug)]
pub struct World<S = MemoryStore> {
    /// The checked scenario it is lived by.
    plan: Plan,
    /// Its state between two ticks: mailboxes, register, context.
    barrier: Barrier,
    /// The shared services.
    services: Services<S>,
    // In boxes: a map's nodes are half empty when keys come in order, and golems are large.
    golems: BTreeMap<Lineage, Box<Golem>>,
}

impl World {
    /// Makes a world before its first tick, with a Lethe in memory that holds nothing.
    ///
    /// # Panics
    /// When the bars aren't those the plan was made with.
    pub fn new(plan: Plan, bars: Vec<Vec<Bar>>) -> Self {
        Self::begin(plan, bars, &EarlierBloodstains::default(), MemoryStore::default())
    }
}

impl<S: BloodstainStore> World<S> {
    /// Initialises a world before the first tick, with a Lethe over a store that holds the bloodstains of earlier runs and nothing else
    /// (warm start).
    ///
    /// # Panics
    /// When the bars aren't those the plan was made with.
    pub fn begin(
        plan: Plan,
        bars: Vec<Vec<Bar>>,
        earlier_bloodstains: &EarlierBloodstains,
        store: S,
    ) -> Self {
        let (services, now) = Services::open(&plan, bars, earlier_bloodstains, store);
        let barrier = Barrier::open(&plan, now, &services);
        Self { plan, barrier, services, golems: BTreeMap::new() }
    }

    /// The plan it is lived by: the validated configuration of the experiment.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The current tick of the simulation clock: the one that comes next.
    pub fn tick(&self) -> Tick {
        self.barrier.tick()
    }

    /// The census: the register of agents (golems) and of all money.
    pub fn census(&self) -> &Census {
        self.barrier.census()
    }

    /// Looks up the golem (agent) of a lineage slot, if one lives there.
    pub fn golem(&self, lineage: Lineage) -> Option<&Golem> {
        self.golems.get(&lineage).map(Box::as_ref)
    }

    /// Whether the simulation goes on (its loop condition): a tick is left, and a golem that lives or is due to be born.
    pub fn goes_on(&self) -> bool {
        self.barrier.goes_on(&self.plan)
    }

    /// Lives through one tick, one simulation step, and returns its events.
    ///
    /// # Errors
    /// When a shared service fails; the world can't go on then.
    pub fn live(&mut self) -> Result<LivedTick, ServiceError> {
        let tick = self.tick();
        let mut out = Outbox::default();
        for birth in self.barrier.births() {
            let golem = self.plan.born(birth, &mut out);
            self.golems.insert(golem.id().lineage, Box::new(golem));
        }
        let mut inboxes = self.barrier.take_inboxes();
        for (lineage, golem) in &mut self.golems {
            let moment = self.barrier.now().moment(tick, &self.plan, golem.cohort());
            let inbox = inboxes.take(golem.id());
            golem.step_guarded(&moment, inbox, self.plan.golem_fault(*lineage, tick), &mut out);
        }
        let golems = self.golems.len() as u64;
        Ok(LivedTick { events: self.close(out)?, golems })
    }

    /// Runs the simulation loop: lives until this tick comes next or no golem is left ([`Tick::MAX`] is to the end), and hands each tick,
    /// with the world as it is then, to a callback.
    ///
    /// # Errors
    /// As [`World::live`]'s.
    pub fn live_until(
        &mut self,
        until: Tick,
        mut take: impl FnMut(&Self, LivedTick),
    ) -> Result<(), ServiceError> {
        while self.goes_on() && self.tick() < until {
            let lived = self.live()?;
            take(self, lived);
        }
        Ok(())
    }

    fn close(&mut self, mut out: Outbox) -> Result<Vec<Event>, ServiceError> {
        let deliveries = self.barrier.deliver(std::mem::take(&mut out.letters), &self.plan);
        let reports = self.services.serve(self.tick(), deliveries, &self.plan)?;
        for departure in &out.departures {
            self.golems.remove(&departure.golem.lineage);
        }
        Ok(self.barrier.close(out, reports, &self.plan))
    }

    /// Returns the events of lives that the end of the run cuts off: right-censored lifetimes (administrative censoring). It changes
    /// nothing; a driver calls it once, after the last tick.
    pub fn finish(&self) -> Vec<Event> {
        let last = self.tick().saturating_sub(1);
        let assets = &self.barrier.now().view.assets;
        let ends = |golem: &Golem| golem.outlive_the_run(last, self.plan.rules(golem.cohort()), assets);
        self.golems.values().map(Box::as_ref).flat_map(ends).collect()
    }
}
