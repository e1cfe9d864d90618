//! Market shocks as a scenario orders them: by chance, at a probability a tick, or planned at a tick (stress test, exogenous events).
//!
//! Durations are in ticks; a magnitude of 1 is a typical shock. Rates are Bernoulli arrival rates, all 0 by default; a chance shock strikes
//! one asset, drawn anew each time. Planned shocks are scheduled events. A planned shock strikes all assets unless it names one. Gas has
//! one price for all assets, so a gas spike is felt by all whichever it strikes. Crises strike all assets; at a scheduled tick of theirs
//! the signs begin, and the crash comes after them, if it comes. The effects of each kind are in `market::shock::effects`. Planned shocks
//! are known beforehand to the tables of `market::truth` and to the models of `as_read`. A sweep measures `adaptation_ticks` by the first
//! of them.

use super::CrisisConfig;
use crate::market::ShockKind;
use morta_base::Tick;
use morta_base::keys;

keys! {
    /// Shocks that come by chance and shocks that are planned.
    pub struct ShocksConfig {
        /// Chance of each kind of shock at a tick.
        rates: ShockRates = ShockRates::default();
        /// How long a chance shock lasts, in ticks; its force fades in a straight line.
        duration_ticks: u32 = 60, in 1..=100_000, "ticks";
        /// Force of a chance shock: 1 is a typical one.
        magnitude: f64 = 1.0, in 0.0..=10.0, "strength";
        /// Shocks at known ticks.
        scheduled: Vec<ScheduledShock> = Vec::new(), len 0..=10_000;
        /// Rare crises that faint signs announce.
        crisis: CrisisConfig = CrisisConfig::default();
    }
}

keys! {
    /// Chance of each kind of shock at a tick, anywhere in the market. 0 to 1, all 0 by default.
    #[derive(Copy)]
    pub struct ShockRates {
        /// Liquidity leaves the pool.
        liquidity_crisis: f64 = 0.0, in 0.0..=1.0, "probability";
        /// The price runs in one direction on heavy volume.
        momentum_breakout: f64 = 0.0, in 0.0..=1.0, "probability";
        /// The price is pulled back to its anchor.
        mean_reversion: f64 = 0.0, in 0.0..=1.0, "probability";
        /// Transactions become dear.
        gas_spike: f64 = 0.0, in 0.0..=1.0, "probability";
        /// The oracle is off to one side.
        oracle_deviation: f64 = 0.0, in 0.0..=1.0, "probability";
        /// Forced sales drive the price down and liquidity away.
        cascading_liquidation: f64 = 0.0, in 0.0..=1.0, "probability";
        /// Correlation with the first asset breaks down.
        correlation_shift: f64 = 0.0, in 0.0..=1.0, "probability";
        /// The regime changes at once.
        regime_change: f64 = 0.0, in 0.0..=1.0, "probability";
    }
}

impl ShockRates {
    /// The arrival rate of one kind: a Bernoulli probability a tick for the whole market, not for each asset.
    pub fn rate(&self, kind: ShockKind) -> f64 {
        match kind {
            ShockKind::LiquidityCrisis => self.liquidity_crisis,
            ShockKind::MomentumBreakout => self.momentum_breakout,
            ShockKind::MeanReversion => self.mean_reversion,
            ShockKind::GasSpike => self.gas_spike,
            ShockKind::OracleDeviation => self.oracle_deviation,
            ShockKind::CascadingLiquidation => self.cascading_liquidation,
            ShockKind::CorrelationShift => self.correlation_shift,
            ShockKind::RegimeChange => self.regime_change,
        }
    }
}

keys! {
    /// A shock at a known tick.
    pub struct ScheduledShock {
        /// The tick at which it begins.
        tick: Tick, in 0.., "ticks";
        /// What happens, each kind once; several kinds at once are composed.
        kinds: Vec<ShockKind>, len 1..=8;
        /// How long it lasts, in ticks.
        #[serde(default = "default_duration_ticks")]
        duration_ticks: u32, in 1..=100_000, "ticks";
        /// Its force: 1 is a typical one.
        #[serde(default = "default_magnitude")]
        magnitude: f64, in 0.0..=10.0, "strength";
        /// Symbol of the asset it strikes. Default: all of them.
        #[serde(default)]
        asset: Option<String>;
    }
}

// The defaults of chance shocks, so that a planned shock of which only tick and kinds are given is a typical one.
fn default_duration_ticks() -> u32 {
    60
}

fn default_magnitude() -> f64 {
    1.0
}
