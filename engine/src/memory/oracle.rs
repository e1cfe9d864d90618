//! The upper bound: it sees the market's true regime and the law in force, and knows what each strategy is worth under both. While a
//! law comes into force gradually, it takes the mean of what they are worth under the two, weighted as the laws are.

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
    /// By law.
    worth: Vec<WorthTable>,
}

impl Oracle {
    /// An oracle of a world in which the strategies are worth this much under each of its laws; there is one at least.
    pub fn new(worth: Vec<WorthTable>) -> Self {
        Self { worth }
    }

    /// What the candidate is truly worth.
    pub fn advise_on(&self, moment: &DecisionContext<'_>, candidate: &Candidate) -> Advice {
        let (row, column) = (moment.true_regime.index(), candidate.strategy.index());
        let expected_r = moment.law.mean(|law| self.worth[usize::from(law)][row][column]);
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
        Self::new(birth.keys.worth.expect("a plan with oracles knows the truth").to_vec())
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
            self.worth = worth.to_vec();
        }
    }
}
