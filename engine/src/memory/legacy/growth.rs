//! Growth: whether an heir went its own way from its inheritance (digest section 14, M07 and M13). Counts are of entries; the distance runs
//! from 0 to 2. In cultural evolution this is the ratchet effect: adding to what was inherited without losing it. It is worked out at the
//! end of a life for the table of lives and measures of sweeps, and changes nothing in the world; a life that inherited no lesson has none,
//! nor one that ended by a fault.

use super::HeldRule;
use serde::{Deserialize, Serialize};

/// A comparison of two generations: what a life has learned beyond its inheritance, at its end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Entries inherited, from any source.
    pub inherited: u32,
    /// Own entries with a voice at the end: active insights, rules, and disproofs.
    pub novel: u32,
    /// Inherited entries with more confirming than contradicting outcomes in this life.
    pub validated: u32,
    /// Inherited entries with more contradicting than confirming outcomes.
    pub contradicted: u32,
    /// Inherited entries with at least one contradicting outcome.
    pub questioned: u32,
    /// 1 − the cosine between its playbook and its predecessor's, 0 to 2.
    pub playbook_distance: f64,
}

/// Least values of a life that went its own way (digest section 14: divergence ≥ .15, novel ≥ 5, invalidated ≥ 3, questioned ≥ 10
/// %).
const MIN_DISTANCE: f64 = 0.15;
const MIN_NOVEL: u32 = 5;
const MIN_INVALIDATED: u32 = 3;
const MIN_QUESTIONED: f64 = 0.10;

impl Growth {
    /// The ratchet effect, a score of cumulative culture: .5·novel/inherited + .3·validated/inherited − .2·contradicted/inherited, with at
    /// least 1 inherited (digest section 14, M07).
    pub fn ratchet(&self) -> f64 {
        let inherited = f64::from(self.inherited.max(1));
        (0.5 * f64::from(self.novel) + 0.3 * f64::from(self.validated) - 0.2 * f64::from(self.contradicted))
            / inherited
    }

    /// Whether the life stayed too close to its predecessor's (mere copying): its playbook less than .15 away, or fewer than 5 entries of
    /// its own, or fewer than 3 inherited ones found wrong, or less than a tenth of them questioned.
    pub fn low_divergence(&self) -> bool {
        let questioned = f64::from(self.questioned) / f64::from(self.inherited.max(1));
        self.playbook_distance < MIN_DISTANCE
            || self.novel < MIN_NOVEL
            || self.contradicted < MIN_INVALIDATED
            || questioned < MIN_QUESTIONED
    }
}

/// The cosine distance of two playbooks (rule sets) as sparse vectors, 1 − the cosine: every subject is a dimension, confidence · expected
/// R the coordinate. Two empty ones have a distance of 0, an empty and another one 1. (The digest names a distance and leaves it undefined;
/// confidence · R is the weight with which a rule moves decisions.)
pub fn playbook_distance(ours: &[HeldRule], theirs: &[HeldRule]) -> f64 {
    let worth = |rule: &HeldRule| rule.confidence * rule.claim.expected_r;
    let norm = |rules: &[HeldRule]| rules.iter().map(|rule| worth(rule) * worth(rule)).sum::<f64>().sqrt();
    let shared = |rule: &HeldRule| {
        theirs
            .iter()
            .find(|other| other.claim.same_subject(&rule.claim))
            .map_or(0.0, |other| worth(rule) * worth(other))
    };
    let scale = norm(ours) * norm(theirs);
    match (norm(ours) > 0.0, norm(theirs) > 0.0) {
        (true, true) => 1.0 - ours.iter().map(shared).sum::<f64>() / scale,
        (false, false) => 0.0,
        _ => 1.0,
    }
}
