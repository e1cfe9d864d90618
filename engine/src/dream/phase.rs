//! The phases of a dream, with the share of the budget of each, and the model at whose price the log counts its tokens (sleep stages, NREM
//! and REM). Budgets are in dollars; the order of the phases is the order of the cycle. Shares are set beforehand (`schedule::allocation`),
//! so that no phase spends another's money; what a phase leaves over is not carried on.

use crate::dream::schedule::PhaseBudgets;
use crate::dream::tier::DreamOperation;
use morta_base::Usdc;

morta_base::words! {
    /// The phases of a dream. A sleep stage, the state of the dream's state machine.
    pub enum DreamPhase {
        /// The edge of sleep; rich dreams only.
        Onset = "onset",
        /// Replay.
        Nrem = "nrem",
        /// Imagination.
        Rem = "rem",
        /// Consolidation.
        Integration = "integration",
        /// Waking up; rich dreams only.
        Return = "return",
    }
}

impl DreamPhase {
    /// The kind of most of its questions, whose model sets its price of a token.
    pub(crate) const fn operation(self) -> DreamOperation {
        match self {
            Self::Onset | Self::Return => DreamOperation::Edge,
            Self::Nrem | Self::Integration => DreamOperation::Reading,
            Self::Rem => DreamOperation::Imagining,
        }
    }

    /// The phase's part of a cycle's budget, dollars: the budget share of the sleep stage.
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
