//! Chance: a lower bound of skill. It takes whatever speaks and never stays out, so what it makes is what the market gives away.

use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth, Outlook, Split,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use serde::{Deserialize, Serialize};

/// Takes any candidate, each as likely as another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomChoice;

/// The same for all candidates, so that none ranks above another.
const ALIKE: Outlook = Outlook { expected_r: 0.0, held_ticks: Some(0.0) };

impl FamilyMember for RandomChoice {
    fn empty(_: &MemoryBirth<'_>, _: &MemoryKeys<'_>) -> Self {
        Self
    }
}

impl MemoryArchitecture for RandomChoice {
    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let split = Some(Split { gate: Outlook::ALWAYS, choice: ALIKE });
        advice.extend(candidates.iter().map(|candidate| Advice { split, ..Advice::prior(candidate) }));
    }

    fn observe(&mut self, _: &Experience<'_>) {}
}
