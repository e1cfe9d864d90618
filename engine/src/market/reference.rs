//! An asset's reference price, synthetic or replayed: the price outside the pool, which golems can't move (exogenous price process,
//! fundamental price).
//!
//! Prices are in dollars a unit, half spreads are fractions. Nothing is traded at it: arbitrage draws the pool to it, and the oracle
//! publishes it. Exogeneity makes runs of different memories comparable: whatever golems do, the reference goes the same way.

use crate::market::Regime;
use crate::market::reference_tick::ReferenceTick;
use crate::market::replayed::ReplayedPrice;
use crate::market::shock::ShockEffects;
use crate::market::synthetic::SyntheticPrice;
use morta_base::WorldSeed;
use serde::{Deserialize, Serialize};

/// A price process behind one interface (static dispatch by enum): where an asset's reference price comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "a world has at most 16 of them")]
pub(crate) enum Reference {
    Synthetic(SyntheticPrice),
    Replayed(ReplayedPrice),
}

impl Reference {
    /// The price at the current tick, or the initial price before the first step.
    pub(crate) fn price(&self) -> f64 {
        match self {
            Self::Synthetic(process) => process.price(),
            Self::Replayed(replay) => replay.price(),
        }
    }

    /// The half bid-ask spread, as a fraction of the price, for a pool before the first step; later ones are in each tick's report.
    pub(crate) fn half_spread(&self) -> f64 {
        match self {
            Self::Synthetic(process) => process.half_spread(),
            Self::Replayed(replay) => replay.half_spread(),
        }
    }

    /// The latent regime (ground truth): of a synthetic price the Markov state, of a replayed one a label by hindsight.
    pub(crate) fn regime(&self) -> Regime {
        match self {
            Self::Synthetic(process) => process.regime(),
            Self::Replayed(replay) => replay.regime(),
        }
    }

    /// One simulation step of the fundamental price, by a tick.
    pub(crate) fn advance(
        &mut self,
        seed: WorldSeed,
        part: u32,
        step: u64,
        effects: &ShockEffects,
        common: Option<f64>,
    ) -> ReferenceTick {
        match self {
            Self::Synthetic(process) => process.advance(seed, part, step, effects, common),
            // Recordings of the same hours bring their correlation with them, so no common noise is added.
            Self::Replayed(replay) => replay.advance(seed, part, step, effects),
        }
    }
}
