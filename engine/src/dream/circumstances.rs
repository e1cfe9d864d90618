//! The circumstances of a golem when it falls asleep: a snapshot of state for a whole dream, so that the dream is a function of one moment.
//!
//! Money is in dollars, prices in dollars a unit, tick length in seconds. The golem takes it when its petition is granted (`golem::sleep`).
//! A snapshot is taken because a dream lasts many ticks and its parts would otherwise reason about different markets. What the view lends
//! besides, memory and replay context, is read anew at each step.

use crate::dream::schedule::{DreamScope, PhaseBudgets};
use crate::dream::tier::DreamTier;
use crate::episode::{Context, ThreatKind};
use crate::llm::OpenPosition;
use crate::mortality::Phase;
use crate::replay::Uncertainty;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// An immutable snapshot of a golem's circumstances when it falls asleep. It holds for the whole dream, because a dreamer perceives
/// nothing.
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
    /// Dangers of which siblings have left a strong pheromone.
    pub smelled: Vec<ThreatKind>,
}
