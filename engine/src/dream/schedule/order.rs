//! The order of a dream: its reason, extent and budget, fixed when the golem falls asleep (job specification).
//!
//! Urgency and legacy run from 0 to 1, budgets are in dollars. The golem writes it from its own clocks and the scheduler's grant. Its event
//! says beforehand what the dream may cost and why it takes place, so that a report can be held against it. Tier, scope, phase, uncertainty
//! and budgets act, by way of `Circumstances`; `dream_intensity`, `legacy`, `batch_size` and `intensity` are here for the log and are
//! computed again where they act.

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
    /// How much of a cycle there is. The extent of a job: a full run or a reduced one.
    pub enum DreamScope {
        /// All of it.
        Full = "full",
        /// Integration only, without replay or imagination: money is running out.
        ConsolidationOnly = "consolidation_only",
        /// One compressed cycle, a single batch, whose findings go into the testament.
        Emergency = "emergency",
    }
}

/// The reason, extent and budget of a dream, fixed when the golem falls asleep: a job specification of the sleep cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamOrder {
    /// Its trigger.
    pub trigger: DreamTrigger,
    /// Urgency, 0 to 1: what is left of a directive, 1 in an emergency, and the score at other times.
    pub urgency: f64,
    /// The terms of urgency.
    pub terms: UrgencyTerms,
    /// Urgencies of the three clocks.
    pub clocks: ClockUrgency,
    /// base · (1 + .5·economic + .3·epistemic + .2·stochastic), with the weights of `dream.clocks` as they are by default.
    pub dream_intensity: f64,
    /// Progress of the turn to legacy, 0 to 1.
    pub legacy: f64,
    /// Uncertainty of its predictions.
    pub uncertainty: Uncertainty,
    /// Episodes in a replay batch.
    pub batch_size: u32,
    /// The amount of imagination.
    pub intensity: Intensity,
    /// The extent of the cycle.
    pub scope: DreamScope,
    /// The tier of its dreams.
    pub tier: DreamTier,
    /// Behavioural phase.
    pub behavioural_phase: Phase,
    /// Most the cycle may spend.
    pub budget: Usdc,
    /// The budget by phase.
    pub by_phase: PhaseBudgets,
}
