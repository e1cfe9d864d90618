//! The member `random`, a lower bound of skill. It takes any candidate that signals and never chooses to stay out, so its result is what
//! the market gives away: without this bound, a market that pays every trade would look like skill. It is a random policy baseline.
//!
//! Expectations are in R and equal for all candidates, whose draw is then uniform, gut feelings aside (`[daimon]`). Candidates that cost
//! more than `golem.max_cost_r` don't reach it. Its luck is the golem's stream of choices, so a run repeats.

use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth, Outlook, Split,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use serde::{Deserialize, Serialize};

/// A uniform random policy (noise trader): it takes any candidate, each with the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomChoice;

/// The same outlook for all candidates: one that ranked above another would be drawn more often.
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
