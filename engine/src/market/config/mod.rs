//! The scenario's `[market]` table as it is written, key by key: the configuration of a market simulator (price processes, liquidity pool,
//! gas, oracle, shocks and concept drift).
//!
//! [`MarketConfig::check`] finds values that can't be used, and only a configuration without problems may be made into a world; what
//! depends on recorded bars is checked when the market is made. Units and ranges are declared with each key. `impact` chooses between price
//! takers and market impact. Of a world under way a branch may change pool, gas, oracle, shocks and drift. Assets, impact, embedding,
//! clock, warm-up and the start (`start_within_bars`, `start_every_bars`) are refused (`world::change`), because history has followed them.
//! With price impact prices are endogenous; without it golems are price takers.

mod check;
mod crisis;
mod drift;
mod shocks;
mod source;
mod venue;

pub use check::ASSETS_MAX;
pub(crate) use check::{DEPTH_UNITS_MAX, DEPTH_UNITS_MIN};
pub use crisis::CrisisConfig;
pub use drift::{BASE_LAW, DriftConfig, LawChangeConfig, LawConfig, LawCourse, LawRegimes, LawTrend};
pub use shocks::{ScheduledShock, ShockRates, ShocksConfig};
pub use source::{
    AssetConfig, AssetSource, RecordingConfig, RegimeEffect, RegimeOverride, RegimeOverrides, SyntheticConfig,
};
pub use venue::{GasConfig, OracleConfig, PoolConfig};

use morta_base::{Purpose, WorldSeed, keys};

morta_base::words! {
    /// Whether golems' trades move the market.
    #[derive(Default)]
    pub enum Impact: Key {
        /// Trades change the pool's reserves: golems feel one another through the price.
        #[default]
        Endogenous = "endogenous",
        /// Fills are computed against the pool, which stays as it was: golems can't influence one another through
        /// the market, and may be stepped many ticks ahead.
        PriceTaker = "price_taker",
    }
}

keys! {
    /// The market of a scenario.
    pub struct MarketConfig {
        /// `endogenous`: golems' trades move the pool; `price_taker`: they don't.
        impact: Impact = Impact::default();
        /// Length of the feature vector a golem sees of each asset: 16, 32 (also 4 ticks ago) or 64 (also 4, 16 and 64
        /// ticks ago).
        embedding_dimensions: u32 = 32, in 16..=64, "features";
        /// Simulated time of tick 0, in seconds since 1970-01-01 UTC (by default 2020-01-01), for worlds without
        /// replayed bars, which bring their own times.
        start_time_s: i64 = 1_577_836_800, in -62_135_596_800..=253_402_300_799, "seconds";
        /// Simulated seconds a tick lasts in worlds without replayed bars.
        tick_seconds: u32 = 40, in 1..=86_400, "seconds";
        /// Ticks (or bars) of history before tick 0, from which the first features are computed.
        warmup_ticks: u32 = 128, in 0..=100_000, "ticks";
        /// Recorded bars are used from one of the first so many on, by the world's seed, so that worlds of one
        /// recording live through other stretches of it; all assets begin at the same bar. 0: always from the first.
        start_within_bars: u64 = 0, in 0..=10_000_000, "bars";
        /// Where it isn't 0: worlds begin at multiples of so many bars up to `start_within_bars`, one after the other by their seeds, and not
        /// anywhere. Consecutive seeds then live through stretches that don't overlap, as long as ticks and warm-up aren't longer than this.
        #[serde(skip_serializing_if = "is_zero")]
        start_every_bars: u64 = 0, in 0..=10_000_000, "bars";
        /// The assets traded.
        assets: Vec<AssetConfig> = Vec::new(), len 1..=ASSETS_MAX as usize;
        /// The on-chain pools, one for each asset, all alike.
        pool: PoolConfig = PoolConfig::default();
        /// The price of a transaction.
        gas: GasConfig = GasConfig::default();
        /// The price oracle.
        oracle: OracleConfig = OracleConfig::default();
        /// Market shocks, by chance and by plan.
        shocks: ShocksConfig = ShocksConfig::default();
        /// A law that drifts: what pays changes.
        drift: DriftConfig = DriftConfig::default();
    }
    also fits_together;
}

/// A scenario without the key is written as before there was one, so that what is named after its bytes keeps its name.
fn is_zero(bars: &u64) -> bool {
    *bars == 0
}

impl MarketConfig {
    /// The start offset into a recording, in bars before the warm-up: anywhere from 0 to `start_within_bars` at random by the seed, or,
    /// stratified, where the seed stands among the multiples of `start_every_bars`. It is 0 by default.
    pub fn first_bar(&self, seed: WorldSeed) -> u64 {
        match self.start_every_bars {
            0 => seed.world(Purpose::FirstBar, 0, 0).below(self.start_within_bars as usize + 1) as u64,
            every => seed.0 % (self.start_within_bars / every + 1) * every,
        }
    }
}
