//! The inputs of a newborn memory: identity, seed, parameters and the world's dimensions (constructor arguments, factory input).
//!
//! Money is in dollars, risk and position size are shares from 0 to 1, ticks in seconds. A memory may depend on nothing but this and its
//! keys at birth, so that the same scenario makes the same memory. Only architectures registered from outside the engine have a table
//! `memory.own.NAME`; those of the engine get theirs from the `MemoryKeys` besides.

use morta_base::{GolemId, WorldSeed};
use serde::de::DeserializeOwned;

/// A raw, untyped configuration table of a plug-in, as JSON: an architecture's own `[memory.own.NAME]`, where the scenario has one.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTable<'a>(pub Option<&'a serde_json::Value>);

impl OwnTable<'_> {
    /// Parses (deserialises) the plug-in's parameters from the table into a typed struct; the default without one.
    ///
    /// # Errors
    /// When the table hasn't the expected shape; the line says why.
    pub fn parameters<T: DeserializeOwned + Default>(&self) -> Result<T, String> {
        let read = |table: &serde_json::Value| serde_json::from_value(table.clone());
        self.0.map_or_else(|| Ok(T::default()), read).map_err(|error| error.to_string())
    }
}

/// The constructor parameters of a memory (dependency injection): everything that an empty one may be made from, its golem and the world
/// that it is to remember.
#[derive(Clone, Copy, Debug)]
pub struct MemoryBirth<'a> {
    /// Whose memory it is.
    pub golem: GolemId,
    /// The world's seed, for architectures that draw lots. A memory that keeps it draws from [`WorldSeed::golem_part`] with
    /// [`Purpose::OwnMemory`](morta_base::Purpose::OwnMemory) by golem and tick, and from nothing else: a counter of its own
    /// would make its luck depend on the order of calls.
    pub seed: WorldSeed,
    /// The name the architecture is registered under.
    pub name: &'a str,
    /// The architecture's own table.
    pub own: OwnTable<'a>,
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
    /// Parses (deserialises) the parameters of its own table `[memory.own.NAME]`; the default where the scenario has none.
    ///
    /// # Errors
    /// As [`OwnTable::parameters`]. A plan reports them before any golem lives.
    pub fn parameters<T: DeserializeOwned + Default>(&self) -> Result<T, String> {
        self.own.parameters()
    }
}
