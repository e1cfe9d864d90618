//! A world taken apart, for whoever drives it by other means.

use super::World;
use crate::golem::Golem;
use crate::world::{Barrier, Plan, Services};
use morta_base::Lineage;
use std::collections::BTreeMap;

/// Everything a world is made of, at a barrier.
#[derive(Debug)]
pub struct Parts<S> {
    /// The plan it is lived by.
    pub plan: Plan,
    /// Where it is.
    pub barrier: Barrier,
    /// What golems write to.
    pub services: Services<S>,
    /// The living.
    pub golems: BTreeMap<Lineage, Box<Golem>>,
}

impl<S> World<S> {
    /// Takes the world apart.
    pub fn into_parts(self) -> Parts<S> {
        let Self { plan, barrier, services, golems } = self;
        Parts { plan, barrier, services, golems }
    }
}
