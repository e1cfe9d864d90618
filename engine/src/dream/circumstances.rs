//! How things stand when a golem falls asleep.

use crate::dream::schedule::{DreamScope, PhaseBudgets};
use crate::dream::tier::DreamTier;
use crate::episode::{Context, ThreatKind};
use crate::mortality::Phase;
use crate::replay::{OpenPosition, Uncertainty};
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// How things stand when a golem falls asleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    /// How rich the dream is.
    pub tier: DreamTier,
    /// How much of a cycle there is.
    pub scope: DreamScope,
    /// Most each phase may spend.
    pub by_phase: PhaseBudgets,
    /// Behavioural phase.
    pub phase: Phase,
    /// How unsure the golem is of its predictions.
    pub uncertainty: Uncertainty,
    /// The first asset's circumstances.
    pub context: Context,
    /// The first asset's price, dollars a unit.
    pub price: f64,
    /// Gas for one transaction.
    pub gas: Usdc,
    /// Open positions.
    pub positions: Vec<OpenPosition>,
    /// Seconds in a tick.
    pub tick_seconds: f64,
    /// Dangers that siblings have left a strong pheromone of.
    pub smelled: Vec<ThreatKind>,
}
