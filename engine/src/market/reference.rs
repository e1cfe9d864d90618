//! An asset's reference price, synthetic or replayed: what it is worth outside the pool.

use crate::market::Regime;
use crate::market::replayed::ReplayedPrice;
use crate::market::shock::ShockEffects;
use crate::market::synthetic::SyntheticPrice;
use morta_base::WorldSeed;
use serde::{Deserialize, Serialize};

/// The reference at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReferenceTick {
    /// Dollars a unit.
    pub price: f64,
    /// Highest price since the last tick.
    pub high: f64,
    /// Lowest price since the last tick.
    pub low: f64,
    /// Half the bid-ask spread, as a fraction.
    pub half_spread: f64,
    /// The tick's noise in standard deviations; correlated assets share the first asset's.
    pub innovation: f64,
    /// Volatility now over its long-run level.
    pub volatility_multiple: f64,
    /// Volume now over its usual level.
    pub volume_multiple: f64,
}

/// Where an asset's reference price comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "a world has at most 16 of them")]
pub(crate) enum Reference {
    Synthetic(SyntheticPrice),
    Replayed(ReplayedPrice),
}

impl Reference {
    /// Price before the first step.
    pub fn price(&self) -> f64 {
        match self {
            Self::Synthetic(process) => process.price(),
            Self::Replayed(replay) => replay.price(),
        }
    }

    /// Half spread before the first step.
    pub fn half_spread(&self) -> f64 {
        match self {
            Self::Synthetic(process) => process.half_spread(),
            Self::Replayed(replay) => replay.half_spread(),
        }
    }

    /// The true regime: of a synthetic price the Markov state, of a replayed one a label by hindsight.
    pub fn regime(&self) -> Regime {
        match self {
            Self::Synthetic(process) => process.regime(),
            Self::Replayed(replay) => replay.regime(),
        }
    }

    /// Moves on one tick.
    pub fn advance(
        &mut self,
        seed: WorldSeed,
        part: u32,
        step: u64,
        effects: &ShockEffects,
        common: Option<f64>,
    ) -> ReferenceTick {
        match self {
            Self::Synthetic(process) => process.advance(seed, part, step, effects, common),
            Self::Replayed(replay) => replay.advance(seed, part, step, effects),
        }
    }
}
