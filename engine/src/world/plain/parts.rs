//! A world taken apart, for whoever drives it by other means.

use super::World;
use crate::base::{Lineage, Tick};
use crate::dream::DreamScheduler;
use crate::golem::Golem;
use crate::lethe::PheromoneField;
use crate::world::{Broker, Census, CuratorDesk, Inboxes, LetheDesk, MarketDesk, Plan, TickContext};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything a world is made of, at a barrier.
#[derive(Debug)]
pub struct Parts<S> {
    /// The plan it is lived by.
    pub plan: Plan,
    /// The tick that comes next.
    pub tick: Tick,
    /// What everybody is told of it.
    pub now: TickContext,
    /// The market.
    pub market: MarketDesk,
    /// The Curator.
    pub curator: CuratorDesk,
    /// Who may dream.
    pub scheduler: DreamScheduler,
    /// Inference.
    pub broker: Broker,
    /// The Lethe.
    pub lethe: LetheDesk<S>,
    /// What can be smelled.
    pub pheromones: Arc<PheromoneField>,
    /// Who lives and who is due to be born.
    pub census: Census,
    /// The living.
    pub golems: BTreeMap<Lineage, Box<Golem>>,
    /// Answers on their way.
    pub inboxes: Inboxes,
}

impl<S> World<S> {
    /// Takes the world apart.
    pub fn into_parts(self) -> Parts<S> {
        let Self {
            plan,
            tick,
            now,
            market,
            curator,
            scheduler,
            broker,
            lethe,
            pheromones,
            census,
            golems,
            inboxes,
        } = self;
        Parts {
            plan,
            tick,
            now,
            market,
            curator,
            scheduler,
            broker,
            lethe,
            pheromones,
            census,
            golems,
            inboxes,
        }
    }
}
