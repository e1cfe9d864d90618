//! Market shocks as a scenario orders them.

use crate::base::Tick;
use crate::market::ShockKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Shocks that come by chance and shocks that are planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ShocksConfig {
    /// Chance of each kind of shock at a tick.
    pub rates: ShockRates,
    /// How long a chance shock lasts, in ticks; its force fades in a straight line. 1 to 100000, default 60.
    pub duration_ticks: u32,
    /// Force of a chance shock: 1 is a typical one. 0 to 10, default 1.
    pub magnitude: f64,
    /// Shocks at known ticks.
    pub scheduled: Vec<ScheduledShock>,
}

impl Default for ShocksConfig {
    fn default() -> Self {
        Self { rates: ShockRates::default(), duration_ticks: 60, magnitude: 1.0, scheduled: Vec::new() }
    }
}

/// Chance of each kind of shock at a tick, anywhere in the market. 0 to 1, all 0 by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ShockRates {
    /// Liquidity leaves the pool.
    pub liquidity_crisis: f64,
    /// The price runs in one direction on heavy volume.
    pub momentum_breakout: f64,
    /// The price is pulled back to its anchor.
    pub mean_reversion: f64,
    /// Transactions become dear.
    pub gas_spike: f64,
    /// The oracle is off to one side.
    pub oracle_deviation: f64,
    /// Forced sales drive the price down and liquidity away.
    pub cascading_liquidation: f64,
    /// Correlation with the first asset breaks down.
    pub correlation_shift: f64,
    /// The regime changes at once.
    pub regime_change: f64,
}

impl ShockRates {
    /// The rate of one kind.
    pub fn of(&self, kind: ShockKind) -> f64 {
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

/// A shock at a known tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduledShock {
    /// The tick at which it begins.
    pub tick: Tick,
    /// What happens; several kinds at once are composed. 1 to 8, each once.
    pub kinds: Vec<ShockKind>,
    /// How long it lasts, in ticks. 1 to 100000, default 60.
    #[serde(default = "default_duration_ticks")]
    pub duration_ticks: u32,
    /// Its force: 1 is a typical one. 0 to 10, default 1.
    #[serde(default = "default_magnitude")]
    pub magnitude: f64,
    /// Symbol of the asset it strikes. Default: all of them.
    #[serde(default)]
    pub asset: Option<String>,
}

fn default_duration_ticks() -> u32 {
    60
}

fn default_magnitude() -> f64 {
    1.0
}
