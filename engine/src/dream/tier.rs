//! Tiers of dreams: their batch sizes, and the model for each kind of question (model routing by cost and quality).
//!
//! Sizes are numbers of episodes. A lightweight dream (`core`, the default) uses the small model for everything, since its whole budget is
//! a fraction of a cent (dream architecture, compute budget). Tiers are service levels: lightweight, i.e. cheap, and rich dreams
//! (`hardened`). The model named here is the best; for want of money a smaller one is asked (`account::grade`), and a golem below the rung
//! `sound` of the credit ladder is never served by the large one in a dream (`golem::sleep`). A tier decides the model tier of each
//! question.

use crate::llm::Tier;
use crate::replay::{self, ReplayConfig, Uncertainty};

/// Episodes of one question in lightweight dreams (dream architecture, compute budget: "NREM compressed replay (5 episodes)").
const CORE_BATCH: usize = 5;

morta_base::words! {
    /// How rich dreams are.
    #[derive(Default)]
    pub enum DreamTier: Key {
        /// Lightweight: compressed replay, one counterfactual, integration; all on the small model.
        #[default]
        Core = "core",
        /// Rich: everything.
        Hardened = "hardened",
    }
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DreamOperation {
    /// Letting go, and judging what came of it; keeping one thing in mind on waking.
    Edge,
    /// Replay, threats, reappraisal, consolidation.
    Reading,
    /// Counterfactuals and creative work.
    Imagining,
}

impl DreamTier {
    /// The mini-batch size, i.e. the episodes in a replay batch: five in lightweight dreams at most, by uncertainty in rich ones.
    pub fn batch_size(self, uncertainty: Uncertainty, config: &ReplayConfig) -> usize {
        let size = replay::batch_size(uncertainty, config);
        match self {
            Self::Core => size.min(CORE_BATCH),
            Self::Hardened => size,
        }
    }

    /// The model that is to answer, if there is money (dream architecture, "Cost" of each phase). In lightweight dreams and at
    /// the edges of rich ones it is the small model; in rich ones the middling model reads and the large one imagines, because
    /// replay extracts patterns from structured data and needs no deep reasoning.
    pub(crate) const fn model(self, operation: DreamOperation) -> Tier {
        match (self, operation) {
            (Self::Core, _) | (Self::Hardened, DreamOperation::Edge) => Tier::T0,
            (Self::Hardened, DreamOperation::Imagining) => Tier::T2,
            (Self::Hardened, DreamOperation::Reading) => Tier::T1,
        }
    }

    /// The model that is to read a batch: the large one only for a complex batch of a very unsure golem. The specs' table of
    /// intensity has the large model for every very unsure golem, their text on replay only for episodes of many steps; with both
    /// conditions neither is violated.
    pub(crate) fn reader(self, batch_is_complex: bool, uncertainty: Uncertainty) -> Tier {
        match (self, uncertainty) {
            (Self::Hardened, Uncertainty::High) if batch_is_complex => Tier::T2,
            _ => self.model(DreamOperation::Reading),
        }
    }
}
