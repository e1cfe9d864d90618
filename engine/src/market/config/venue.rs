//! The places where golems trade and the price of trading there: pool, gas, oracle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A constant-product pool and the crowd around it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PoolConfig {
    /// Fee of a swap in bps, paid to liquidity providers. 0 to 1000, default 5.
    pub fee_bps: f64,
    /// Long-run depth of the money side in dollars. 100 to 1e9, default 2000000.
    pub depth_usdc: f64,
    /// Standard deviation of a tick's change of log depth, as outside providers come and go. 0 to 1,
    /// default 0.02.
    pub depth_volatility: f64,
    /// Share by which log depth returns to its long-run level each tick. 0 to 1, default 0.01.
    pub depth_reversion: f64,
    /// Share of the gap between pool and reference price, beyond the fee, that the arbitrageur closes each
    /// tick. 0 to 1, default 0.6; 1 with no fee makes the pool equal to the reference.
    pub arbitrage_rate: f64,
    /// Volume of uninformed traders a tick as a share of depth, at baseline volatility; it grows in
    /// proportion to volatility, earns fees for liquidity and leaves the price alone. 0 to 10, default 0.15.
    pub noise_volume_share: f64,
}

impl Default for PoolConfig {
    fn default() -> Self {
        Self {
            fee_bps: 5.0,
            depth_usdc: 2_000_000.0,
            depth_volatility: 0.02,
            depth_reversion: 0.01,
            arbitrage_rate: 0.6,
            noise_volume_share: 0.15,
        }
    }
}

/// Gas: a log Ornstein–Uhlenbeck process around a base price, times spikes that fade.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GasConfig {
    /// Median price of one transaction in dollars. 0 to 1000, default 0.02.
    pub base_usdc: f64,
    /// Share by which the log of gas returns to its base each tick. 0 to 1, default 0.05.
    pub reversion: f64,
    /// Standard deviation of a tick's change of the log of gas. 0 to 2, default 0.1.
    pub volatility: f64,
    /// Chance of a spike at a tick. 0 to 1, default 0.002.
    pub spike_rate: f64,
    /// Price at the start of a spike as a multiple of what it would be. 1 to 1000, default 8.
    pub spike_multiple: f64,
    /// Share of a spike that fades each tick. 0 to 1, default 0.05.
    pub spike_decay: f64,
}

impl Default for GasConfig {
    fn default() -> Self {
        Self {
            base_usdc: 0.02,
            reversion: 0.05,
            volatility: 0.1,
            spike_rate: 0.002,
            spike_multiple: 8.0,
            spike_decay: 0.05,
        }
    }
}

/// The oracle publishes the reference price late and with an error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OracleConfig {
    /// How many ticks the published price is old. 0 to 10000, default 0.
    pub lag_ticks: u32,
    /// Standard deviation of its error in bps, fresh each tick. 0 to 1000, default 2.
    pub deviation_bps: f64,
}

impl Default for OracleConfig {
    fn default() -> Self {
        Self { lag_ticks: 0, deviation_bps: 2.0 }
    }
}
