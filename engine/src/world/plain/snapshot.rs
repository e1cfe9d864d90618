//! A world at a barrier, as plain data: what a checkpoint keeps, and what a world can be resumed from.

use super::World;
use crate::base::{Lineage, Tick};
use crate::dream::DreamScheduler;
use crate::golem::Golem;
use crate::lethe::{MemoryStore, PheromoneField};
use crate::market::Bar;
use crate::memory::family::ReviveError;
use crate::world::{Broker, Census, CuratorDesk, Inboxes, LetheDesk, MarketDesk, Plan, TickContext};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that changes in a world, between two ticks. The bars of replayed assets are left out: whoever resumes brings
/// them again.
#[derive(Clone, Debug, Deserialize)]
pub struct Snapshot {
    tick: Tick,
    now: TickContext,
    market: MarketDesk,
    curator: CuratorDesk,
    scheduler: DreamScheduler,
    broker: Broker,
    lethe: LetheDesk<MemoryStore>,
    pheromones: PheromoneField,
    census: Census,
    golems: BTreeMap<Lineage, Box<Golem>>,
    inboxes: Inboxes,
}

/// The same, still in its world; the fields must stay those of [`Snapshot`].
#[derive(Serialize)]
struct Borrowed<'a> {
    tick: Tick,
    now: &'a TickContext,
    market: &'a MarketDesk,
    curator: &'a CuratorDesk,
    scheduler: &'a DreamScheduler,
    broker: &'a Broker,
    lethe: &'a LetheDesk<MemoryStore>,
    pheromones: &'a PheromoneField,
    census: &'a Census,
    golems: &'a BTreeMap<Lineage, Box<Golem>>,
    inboxes: &'a Inboxes,
}

/// Why a world can't be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The bars aren't those the snapshot was taken with.
    #[error("the prices have changed since the snapshot was taken")]
    OtherBars,
    /// The bytes are no world.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
    /// A memory in it is of an architecture that the plan's registry can't make whole again.
    #[error(transparent)]
    Memory(#[from] ReviveError),
    /// The snapshot was taken in a world of another seed.
    #[error("the snapshot is of another world")]
    OtherWorld,
}

impl World {
    /// The world written down, for [`Snapshot::read`].
    ///
    /// # Panics
    /// Never: a world is plain data.
    pub fn written_down(&self) -> Vec<u8> {
        let borrowed = Borrowed {
            tick: self.tick,
            now: &self.now,
            market: &self.market,
            curator: &self.curator,
            scheduler: &self.scheduler,
            broker: &self.broker,
            lethe: &self.lethe,
            pheromones: self.pheromones.as_ref(),
            census: &self.census,
            golems: &self.golems,
            inboxes: &self.inboxes,
        };
        postcard::to_allocvec(&borrowed).expect("a world is plain data")
    }

    /// The world as it was when the snapshot was taken; it goes on as if nothing had happened.
    ///
    /// # Errors
    /// When the snapshot is of another seed, its bars were others, or the plan's registry lacks an architecture that golems remember with.
    pub fn resume(plan: Plan, bars: Vec<Vec<Bar>>, snapshot: Snapshot) -> Result<Self, ResumeError> {
        let Snapshot {
            tick,
            now,
            mut market,
            curator,
            mut scheduler,
            mut broker,
            lethe,
            pheromones,
            census,
            mut golems,
            inboxes,
        } = snapshot;
        if market.seed() != plan.seed() {
            return Err(ResumeError::OtherWorld);
        }
        if !market.rebind(bars) {
            return Err(ResumeError::OtherBars);
        }
        for golem in golems.values_mut() {
            golem.revive_memory(plan.memories())?;
        }
        scheduler.rebind(plan.scenario().dream.clone());
        broker.rebind(plan.scenario().llm.clone());
        Ok(Self {
            plan,
            tick,
            now,
            market,
            curator,
            scheduler,
            broker,
            lethe,
            pheromones: Arc::new(pheromones),
            census,
            golems,
            inboxes,
        })
    }
}

impl Snapshot {
    /// Reads what was written down.
    ///
    /// # Errors
    /// When the bytes are no world of this build.
    pub fn read(bytes: &[u8]) -> Result<Self, ResumeError> {
        postcard::from_bytes(bytes).map_err(|error| ResumeError::Damaged(error.to_string()))
    }

    /// The tick that comes next.
    pub fn tick(&self) -> Tick {
        self.tick
    }
}
