//! Market shocks: eight primitives, alone or composed, planned or by chance, each with a real consequence; and crises with signs.
//!
//! A shock strikes with its full force and fades in a straight line until its duration is over. What several
//! shocks do at once is composed: multiples multiply, drifts and biases add.

mod calendar;
mod crisis;
mod effects;

pub(crate) use calendar::Shocks;
pub use crisis::{CrisisEvent, CrisisStage};
pub(crate) use effects::ShockEffects;

use crate::market::AssetIndex;
use morta_base::Tick;
use morta_base::keys::{Free, KeyValue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The eight primitives (replay spec, compositional primitives).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShockKind {
    /// Liquidity leaves: depth falls to a fifth, spreads widen fivefold, arbitrage halves.
    LiquidityCrisis,
    /// The price runs one way, half a standard deviation a tick, on three times the volume.
    MomentumBreakout,
    /// The price is pulled to its anchor by a tenth of the distance a tick, with less noise.
    MeanReversion,
    /// Gas costs ten times as much.
    GasSpike,
    /// The oracle is off by 1.5 % to one side.
    OracleDeviation,
    /// Forced sales: the price falls by 0.8 standard deviations a tick with twice the noise, and depth halves.
    CascadingLiquidation,
    /// Correlation with the first asset vanishes (and turns round beyond magnitude 1).
    CorrelationShift,
    /// Another regime begins at once; a replayed price drifts away instead.
    RegimeChange,
}

impl KeyValue for ShockKind {
    type Rule = Free;
}

impl ShockKind {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All of them, in the order used everywhere.
    pub const ALL: [Self; Self::COUNT] = [
        Self::LiquidityCrisis,
        Self::MomentumBreakout,
        Self::MeanReversion,
        Self::GasSpike,
        Self::OracleDeviation,
        Self::CascadingLiquidation,
        Self::CorrelationShift,
        Self::RegimeChange,
    ];

    /// Its place in [`ShockKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LiquidityCrisis => "liquidity_crisis",
            Self::MomentumBreakout => "momentum_breakout",
            Self::MeanReversion => "mean_reversion",
            Self::GasSpike => "gas_spike",
            Self::OracleDeviation => "oracle_deviation",
            Self::CascadingLiquidation => "cascading_liquidation",
            Self::CorrelationShift => "correlation_shift",
            Self::RegimeChange => "regime_change",
        }
    }
}

/// A shock that began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShockEvent {
    /// The first tick at which it is felt.
    pub tick: Tick,
    /// The primitives that strike together.
    pub kinds: Vec<ShockKind>,
    /// The asset it strikes; `None` for all. Gas belongs to no asset.
    pub asset: Option<AssetIndex>,
    /// How long it lasts.
    pub duration_ticks: u32,
    /// Its force at the start; 1 is a typical one.
    pub magnitude: f64,
    /// +1 or −1: the side to which prices run or oracles err.
    pub direction: i8,
}
