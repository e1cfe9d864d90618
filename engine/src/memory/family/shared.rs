//! Keys that every memory of a kind holds.

use crate::dream::config::ConsolidationConfig;
use crate::memory::BardoConfig;
use crate::memory::bardo_owm::BardoOwm;
use std::sync::Arc;

/// One copy for a whole population: a hundred thousand golems would hold as many.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedKeys {
    /// Those of a Bardo.
    pub bardo: Arc<BardoConfig>,
    /// Those of a Bardo that leaves recall to another memory.
    pub silenced: Arc<BardoConfig>,
    /// How conclusions of dreams are tested.
    pub consolidation: Arc<ConsolidationConfig>,
}

impl SharedKeys {
    /// Those of a scenario.
    pub fn of(bardo: &BardoConfig, consolidation: &ConsolidationConfig) -> Self {
        Self {
            bardo: Arc::new(bardo.clone()),
            silenced: Arc::new(BardoOwm::silenced(bardo)),
            consolidation: Arc::new(consolidation.clone()),
        }
    }
}
