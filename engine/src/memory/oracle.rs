//! The upper bound: it sees the market's true regime and knows what each strategy is worth in it.

use crate::episode::Provenance;
use crate::market::{Regime, Strategy};
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};
use serde::{Deserialize, Serialize};

/// Expected R-multiple, net of costs, by true regime and strategy.
pub type WorthTable = [[f64; Strategy::COUNT]; Regime::COUNT];

/// Knows the truth; shared knowledge, so it neither learns nor bequeaths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Oracle {
    worth: WorthTable,
}

impl Oracle {
    /// An oracle of a world in which the strategies are worth this much.
    pub fn new(worth: WorthTable) -> Self {
        Self { worth }
    }

    /// The truth is another one from now on.
    pub fn rebind(&mut self, worth: WorthTable) {
        self.worth = worth;
    }

    /// What the candidate is truly worth.
    pub fn advise(&self, moment: &DecisionContext<'_>, candidate: &Candidate) -> Advice {
        let expected_r = self.worth[moment.true_regime.index()][candidate.strategy.index()];
        let source = VoiceSource::Truth(moment.true_regime);
        Advice {
            expected_r,
            confidence: 1.0,
            why: vec![Voice { source, provenance: Provenance::Own, weight: 1.0, expected_r }],
            ..Advice::prior(candidate)
        }
    }
}
