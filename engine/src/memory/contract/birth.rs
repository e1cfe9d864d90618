//! What a memory is made from, and the keys it goes on by.

use crate::dream::config::ConsolidationConfig;
use crate::memory::config::MemoryConfig;
use crate::memory::family::SharedKeys;
use crate::memory::knowledge::Knowledge;
use morta_base::{GolemId, WorldSeed};
use serde::de::DeserializeOwned;

/// The keys that memories hold; also those a memory of a world goes on by when its keys have changed.
#[derive(Clone, Copy, Debug)]
pub struct MemoryKeys<'a> {
    /// The `[memory]` table.
    pub memory: &'a MemoryConfig,
    /// How conclusions of dreams are tested.
    pub consolidation: &'a ConsolidationConfig,
    /// What is known beforehand, for members that bound the others.
    pub knowledge: &'a Knowledge,
}

/// Everything an empty memory may be made from: whose it is, and the world it is to remember.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBirth<'a> {
    /// Whose memory it is.
    pub golem: GolemId,
    /// The world's seed, for architectures that draw lots: a memory that keeps it draws from
    /// [`WorldSeed::golem_part`] with [`Purpose::OwnMemory`](morta_base::Purpose::OwnMemory) by golem and tick, and from nothing else.
    pub seed: WorldSeed,
    /// The name the architecture is registered under.
    pub name: &'a str,
    /// The scenario's keys.
    pub keys: MemoryKeys<'a>,
    /// Those of them of which there is one copy for all golems.
    pub(crate) shared: &'a SharedKeys,
    /// Length of the market's embeddings.
    pub embedding_dimensions: u32,
    /// Seconds in a tick, above 0.
    pub tick_seconds: f64,
    /// Balance at birth, dollars.
    pub endowment_usdc: f64,
    /// Share of the balance that is usually risked at the stop of a trade.
    pub risk_per_trade: f64,
    /// Largest stake as a share of the balance.
    pub max_position_share: f64,
    /// Symbols of the assets, in the order of their indices.
    pub symbols: &'a [String],
}

impl MemoryBirth<'_> {
    /// The architecture's own table `[memory.own.NAME]`; the default where the scenario has none.
    ///
    /// # Errors
    /// When the table doesn't have the shape asked for; the line says why.
    pub fn parameters<T: DeserializeOwned + Default>(&self) -> Result<T, String> {
        match self.keys.memory.own.get(self.name) {
            Some(table) => serde_json::from_value(table.clone()).map_err(|error| error.to_string()),
            None => Ok(T::default()),
        }
    }
}
