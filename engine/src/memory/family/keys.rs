//! The keys that the shipped family is made of, and goes on by when they have changed.

use crate::dream::config::ConsolidationConfig;
use crate::memory::bardo_owm::BardoOwm;
use crate::memory::config::MemoryConfig;
use crate::memory::constant::Policy;
use crate::memory::contract::OwnTable;
use crate::memory::knowledge::Knowledge;
use crate::memory::{BardoConfig, MemoryName};
use std::sync::Arc;

/// What a shipped member is made of besides its birth.
#[derive(Clone, Copy, Debug)]
pub struct MemoryKeys<'a> {
    /// The `[memory]` table.
    pub memory: &'a MemoryConfig,
    /// What is known beforehand, for members that bound the others.
    pub knowledge: &'a Knowledge,
    /// Those of which there is one copy for all golems.
    pub(crate) shared: &'a SharedKeys,
}

impl<'a> MemoryKeys<'a> {
    /// The table of an architecture from outside the engine.
    pub fn own(&self, name: &MemoryName) -> OwnTable<'a> {
        OwnTable(self.memory.own.get(name.as_str()))
    }
}

/// One copy for a whole population: a hundred thousand golems would hold as many.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedKeys {
    /// Keys of a Bardo.
    pub bardo: Arc<BardoConfig>,
    /// Keys of a Bardo that leaves recall to another memory.
    pub silenced: Arc<BardoConfig>,
    /// How conclusions of dreams are tested.
    pub consolidation: Arc<ConsolidationConfig>,
    /// The policy of those that trade by a fixed one.
    pub constant: Arc<Policy>,
}

impl SharedKeys {
    /// Those of a scenario whose assets have these symbols.
    pub fn of(memory: &MemoryConfig, consolidation: &ConsolidationConfig, symbols: &[String]) -> Self {
        let bardo = &memory.bardo;
        Self {
            bardo: Arc::new(bardo.clone()),
            silenced: Arc::new(BardoOwm::silenced(bardo)),
            consolidation: Arc::new(consolidation.clone()),
            constant: Arc::new(Policy::of(&memory.constant, symbols)),
        }
    }
}
