//! The keys of the shipped family, at birth and after a change: the scenario's tables and what is shared by reference (dependency
//! injection). Units are those of the tables. Large tables are shared, because every golem of a population would hold a copy; memories from
//! outside the engine get only their own table.

use crate::dream::config::ConsolidationConfig;
use crate::memory::bardo_owm::BardoOwm;
use crate::memory::config::MemoryConfig;
use crate::memory::constant::Policy;
use crate::memory::contract::OwnTable;
use crate::memory::knowledge::Knowledge;
use crate::memory::{BardoConfig, MemoryName};
use std::sync::Arc;

/// The dependency injection context of the shipped family: the inputs of a member besides its birth.
#[derive(Clone, Copy, Debug)]
pub struct MemoryKeys<'a> {
    /// The `[memory]` table.
    pub memory: &'a MemoryConfig,
    /// Knowledge for bounding members.
    pub knowledge: &'a Knowledge,
    /// Keys of which all golems share one copy.
    pub(crate) shared: &'a SharedKeys,
}

impl<'a> MemoryKeys<'a> {
    /// Looks up a plug-in's settings: the table of an architecture from outside the engine.
    pub fn own(&self, name: &MemoryName) -> OwnTable<'a> {
        OwnTable(self.memory.own.get(name.as_str()))
    }
}

/// Shared immutable configuration of memories, by reference-counted pointers (flyweight): one copy, otherwise a hundred thousand golems
/// would hold as many.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedKeys {
    /// Keys of a Bardo.
    pub bardo: Arc<BardoConfig>,
    /// Keys of a Bardo without recall, beside another memory that recalls.
    pub silenced: Arc<BardoConfig>,
    /// How conclusions of dreams are tested.
    pub consolidation: Arc<ConsolidationConfig>,
    /// The policy of `constant`.
    pub constant: Arc<Policy>,
}

impl SharedKeys {
    /// Builds the shared copies (reference-counted) once for a plan, whose assets have these symbols.
    pub(crate) fn from_config(
        memory: &MemoryConfig,
        consolidation: &ConsolidationConfig,
        symbols: &[String],
    ) -> Self {
        let bardo = &memory.bardo;
        Self {
            bardo: Arc::new(bardo.clone()),
            silenced: Arc::new(BardoOwm::silenced(bardo)),
            consolidation: Arc::new(consolidation.clone()),
            constant: Arc::new(Policy::from_table(&memory.constant, symbols)),
        }
    }
}
