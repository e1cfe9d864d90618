//! Market shocks: eight primitives, alone or composed, planned or by chance, with consequences in the simulated market; and crises with
//! signs.
//!
//! A shock strikes with its full force and fades in a straight line until its duration is over; a crisis doesn't fade, and goes by stages.
//! Several shocks at once are composed, as the replay spec's primitives are: multiples multiply, drifts and biases add. Magnitudes are 1
//! for a typical shock, times are in ticks. The field calls them exogenous shocks or stress scenarios; they give golems rare circumstances
//! to learn, and dreams threats to rehearse. The kinds are a taxonomy of stress scenarios.

mod calendar;
mod crisis;
mod effects;

pub(crate) use calendar::Shocks;
pub use crisis::{CrisisEvent, CrisisStage};
pub(crate) use effects::ShockEffects;

use crate::market::AssetIndex;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The eight primitives (replay spec, compositional primitives).
    pub enum ShockKind: Key {
        /// Liquidity leaves: depth falls to a fifth, spreads widen fivefold, arbitrage halves.
        LiquidityCrisis = "liquidity_crisis",
        /// The price runs one way, half a standard deviation a tick, on three times the volume.
        MomentumBreakout = "momentum_breakout",
        /// The price is pulled to its anchor by a tenth of the distance a tick, with less noise.
        MeanReversion = "mean_reversion",
        /// Gas costs ten times as much.
        GasSpike = "gas_spike",
        /// The oracle is off by 1.5 % to one side.
        OracleDeviation = "oracle_deviation",
        /// Forced sales: the price falls by 0.8 standard deviations a tick with twice the noise, and depth halves.
        CascadingLiquidation = "cascading_liquidation",
        /// Correlation with the first asset vanishes (and turns round beyond magnitude 1).
        CorrelationShift = "correlation_shift",
        /// Another regime begins at once; a replayed price drifts away instead.
        RegimeChange = "regime_change",
    }
}

/// A market shock that began, with its magnitude and duration: an exogenous event for the event log. Golems aren't informed of it and feel
/// it by its effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShockEvent {
    /// The first tick at which it is felt.
    pub tick: Tick,
    /// The primitives that strike together.
    pub kinds: Vec<ShockKind>,
    /// The asset it strikes; `None` for all. Gas belongs to no asset.
    pub asset: Option<AssetIndex>,
    /// Its length in ticks.
    pub duration_ticks: u32,
    /// Its force at the start; 1 is a typical one.
    pub magnitude: f64,
    /// +1 or −1: the side to which prices run or oracles err.
    pub direction: i8,
}
