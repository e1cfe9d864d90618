//! What a golem falls asleep with.

use crate::dream::imagination::Intensity;
use crate::dream::schedule::trigger::DreamTrigger;
use crate::dream::schedule::{ClockUrgency, PhaseBudgets};
use crate::dream::tier::DreamTier;
use crate::dream::urgency::UrgencyTerms;
use crate::mortality::Phase;
use crate::replay::Uncertainty;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How much of a cycle there is.
    pub enum DreamScope {
        /// All of it.
        Full = "full",
        /// Integration only, without replay or imagination: money is running out.
        ConsolidationOnly = "consolidation_only",
        /// One compressed cycle, a single batch, whose findings go into the testament.
        Emergency = "emergency",
    }
}

/// Why, how and for how much a golem dreams; fixed when it falls asleep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamOrder {
    /// What made it want to.
    pub trigger: DreamTrigger,
    /// Urgency, 0 to 1; 1 for directives and emergencies.
    pub urgency: f64,
    /// What urgency was made of.
    pub terms: UrgencyTerms,
    /// How near its clocks were to their thresholds.
    pub clocks: ClockUrgency,
    /// base · (1 + .5·economic + .3·epistemic + .2·stochastic).
    pub dream_intensity: f64,
    /// How far it has turned to what it can pass on, 0 to 1.
    pub legacy: f64,
    /// How unsure it is of its predictions.
    pub uncertainty: Uncertainty,
    /// Episodes in a replay batch.
    pub batch_size: u32,
    /// How hard it imagines.
    pub intensity: Intensity,
    /// How much of a cycle there is.
    pub scope: DreamScope,
    /// How much its dreams may take.
    pub tier: DreamTier,
    /// Behavioural phase.
    pub behavioural_phase: Phase,
    /// Most the cycle may spend.
    pub budget: Usdc,
    /// The same, divided.
    pub by_phase: PhaseBudgets,
}
