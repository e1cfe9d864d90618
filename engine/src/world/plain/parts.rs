//! A world taken apart, for drivers other than the plain loop (actors move the parts to threads; benches, a load test and the interview
//! of a memory take single parts). Nothing is converted: the parts are those of the world at a barrier. So a run can go on under another
//! driver with the same events.

use super::World;
use crate::golem::Golem;
use crate::world::{Barrier, Plan, Services};
use morta_base::Lineage;
use std::collections::BTreeMap;

/// The parts of a world, at a barrier: its state decomposed by owner, for a hand-over to other drivers.
#[derive(Debug)]
pub struct Parts<S> {
    /// The plan it is lived by.
    pub plan: Plan,
    /// The barrier that it has reached.
    pub barrier: Barrier,
    /// The shared services.
    pub services: Services<S>,
    /// The living.
    pub golems: BTreeMap<Lineage, Box<Golem>>,
}

impl<S> World<S> {
    /// Takes the world apart, a destructuring by value that consumes it (ownership transfer). Nothing puts the parts together again; a
    /// world is resumed from a snapshot.
    pub fn into_parts(self) -> Parts<S> {
        let Self { plan, barrier, services, golems } = self;
        Parts { plan, barrier, services, golems }
    }
}
