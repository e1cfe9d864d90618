//! No memory: the lower bound, what every other architecture is compared with.

use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use serde::{Deserialize, Serialize};

/// Remembers nothing.
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
