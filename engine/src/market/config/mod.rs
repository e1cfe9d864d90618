//! The scenario's `[market]` table as it is written, key by key. [`MarketConfig::check`] finds every value that
//! can't be used; only a configuration without problems may be made into a world.

mod check;
mod shocks;
mod source;
mod venue;

pub use check::ASSETS_MAX;
pub(crate) use check::{DEPTH_UNITS_MAX, DEPTH_UNITS_MIN};
pub use shocks::{ScheduledShock, ShockRates, ShocksConfig};
pub use source::{
    AssetConfig, AssetSource, RecordingConfig, RegimeEffect, RegimeOverride, RegimeOverrides, SyntheticConfig,
};
pub use venue::{GasConfig, OracleConfig, PoolConfig};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether golems' trades move the market.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Impact {
    /// Trades change the pool's reserves: golems feel one another through the price.
    #[default]
    Endogenous,
    /// Fills are computed against the pool, which stays as it was: golems can't influence one another through
    /// the market, and may be stepped many ticks ahead.
    PriceTaker,
}

/// The market of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MarketConfig {
    /// `endogenous`: golems' trades move the pool; `price_taker`: they don't. Default `endogenous`.
    pub impact: Impact,
    /// Length of the feature vector a golem sees of each asset: 16, 32 (also 4 ticks ago) or 64 (also 4, 16 and
    /// 64 ticks ago). Default 32.
    pub embedding_dimensions: u32,
    /// Simulated time of tick 0, in seconds since 1970-01-01 UTC, for worlds without replayed bars, which bring
    /// their own times. Default 1577836800 (2020-01-01).
    pub start_time_s: i64,
    /// Simulated seconds a tick lasts in worlds without replayed bars. 1 to 86400, default 40.
    pub tick_seconds: u32,
    /// Ticks (or bars) of history before tick 0, from which the first features are computed. 0 to 100000,
    /// default 128.
    pub warmup_ticks: u32,
    /// Recorded bars are used from one of the first so many on, by the world's seed, so that worlds of one recording live through
    /// other stretches of it; all assets begin at the same bar. 0 to 10000000, default 0: always from the first.
    pub start_within_bars: u64,
    /// The assets traded, 1 to 16.
    pub assets: Vec<AssetConfig>,
    /// The on-chain pools, one for each asset, all alike.
    pub pool: PoolConfig,
    /// The price of a transaction.
    pub gas: GasConfig,
    /// The price oracle.
    pub oracle: OracleConfig,
    /// Market shocks, by chance and by plan.
    pub shocks: ShocksConfig,
}

impl Default for MarketConfig {
    fn default() -> Self {
        Self {
            impact: Impact::default(),
            embedding_dimensions: 32,
            start_time_s: 1_577_836_800,
            tick_seconds: 40,
            warmup_ticks: 128,
            start_within_bars: 0,
            assets: Vec::new(),
            pool: PoolConfig::default(),
            gas: GasConfig::default(),
            oracle: OracleConfig::default(),
            shocks: ShocksConfig::default(),
        }
    }
}
