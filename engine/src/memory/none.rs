//! The member `none`: no memory, the lower bound that every other architecture is compared with. It decides by the prior alone,
//! with the same costs and gates, so that a difference from it is memory's. Expectations are in R net of costs. It is the null baseline
//! (ablation of memory).

use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use serde::{Deserialize, Serialize};

/// Remembers nothing. The null baseline: a stateless agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoMemory;

impl FamilyMember for NoMemory {
    fn empty(_: &MemoryBirth<'_>, _: &MemoryKeys<'_>) -> Self {
        Self
    }
}

impl MemoryArchitecture for NoMemory {
    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(Advice::prior));
    }

    fn observe(&mut self, _: &Experience<'_>) {}
}
