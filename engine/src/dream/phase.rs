//! The phases of a dream, and what each may spend.

use crate::dream::schedule::PhaseBudgets;
use morta_base::Usdc;
use serde::{Deserialize, Serialize};

/// The phases of a dream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamPhase {
    /// The edge of sleep; rich dreams only.
    Onset,
    /// Replay.
    Nrem,
    /// Imagination.
    Rem,
    /// Consolidation.
    Integration,
    /// Waking up; rich dreams only.
    Return,
}

impl DreamPhase {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [Self::Onset, Self::Nrem, Self::Rem, Self::Integration, Self::Return];

    /// Its part of a cycle's budget.
    pub const fn allowance(self, budgets: &PhaseBudgets) -> Usdc {
        match self {
            Self::Onset => budgets.onset,
            Self::Nrem => budgets.nrem,
            Self::Rem => budgets.rem,
            Self::Integration => budgets.integration,
            Self::Return => budgets.hypnopompic_return,
        }
    }
}
