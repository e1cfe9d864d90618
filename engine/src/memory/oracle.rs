//! The upper bound: it sees the market's true regime and knows what each strategy is worth in it.

use crate::base::Tick;
use crate::episode::Provenance;
use crate::market::{Regime, Strategy};
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth, MemoryKeys, Voice,
    VoiceSource,
};
use crate::memory::family::FamilyMember;
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

    /// What the candidate is truly worth.
    pub fn advise_on(&self, moment: &DecisionContext<'_>, candidate: &Candidate) -> Advice {
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

impl FamilyMember for Oracle {
    const KNOWS_TRUTH: bool = true;

    /// # Panics
    /// When the plan doesn't know the truth ([`crate::world::Plan::with_truth`]).
    fn empty(birth: &MemoryBirth<'_>) -> Self {
        Self::new(*birth.keys.worth.expect("a plan with oracles knows the truth"))
    }
}

impl MemoryArchitecture for Oracle {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| self.advise_on(moment, candidate)));
    }

    /// It knows already.
    fn observe(&mut self, _: &Experience<'_>) {}

    fn rebind(&mut self, keys: MemoryKeys<'_>, _: Tick) {
        if let Some(worth) = keys.worth {
            self.worth = *worth;
        }
    }
}
