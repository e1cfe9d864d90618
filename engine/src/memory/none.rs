//! The member `none`: no memory, the baseline that other architectures are usually compared with. It decides by the prior alone, with the
//! same costs and gates, so that a difference from it is memory's. It is the null baseline (ablation of memory).
//!
//! Expectations are in R net of costs: `golem.prior_edge_r` times the absolute strength of the signal, less the cost of the round trip. It
//! explores as every memory that can learn, never sleeps, and leaves nothing at death.

use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use serde::{Deserialize, Serialize};

/// The null baseline (null model), a stateless agent: it remembers nothing.
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
