//! What was believed and proved wrong is remembered as such.

use crate::base::{EpisodeId, GolemId, RuleId, Tick};
use crate::episode::{Claim, EntryKind, EntryNature, Provenance, StagedClaim, Standing};
use serde::{Deserialize, Serialize};

/// A claim that was refuted, or a rule that had to be given up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AntiKnowledge {
    /// The identity the claim had while it was believed.
    pub id: RuleId,
    /// What was believed.
    pub claim: Claim,
    /// What it came to, as a mean R; 0 when that was not handed down.
    pub found_r: f64,
    /// Trust in its being wrong, 0 to 1.
    pub confidence: f64,
    /// Waking outcomes since that spoke against the claim once more.
    pub confirmed: u32,
    /// Waking outcomes since that would have borne the claim out.
    pub contradicted: u32,
    /// How it stands.
    pub standing: Standing,
    /// Who first learned better.
    pub origin: GolemId,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The episodes the claim had been learned from.
    pub learned_from: Vec<EpisodeId>,
}

impl AntiKnowledge {
    /// What is learned from a test that failed, or from a rule that didn't hold. Trust in its being wrong is the share of tests
    /// that spoke against it, by Laplace's rule: (contradicted + 1)/(tests + 2) (our own; no source gives a value).
    pub fn of(staged: &StagedClaim, now: Tick) -> Self {
        Self {
            id: staged.id,
            claim: staged.claim,
            found_r: staged.live_mean_r().unwrap_or(0.0),
            confidence: refuted_by(staged.confirmed, staged.contradicted),
            confirmed: 0,
            contradicted: 0,
            standing: Standing::new(now),
            origin: staged.origin,
            provenance: staged.provenance,
            learned_from: staged.learned_from.clone(),
        }
    }

    /// Whether it denies a claim: the same subject, pointing the same way as what proved wrong.
    pub fn denies(&self, claim: &Claim) -> bool {
        self.claim.same_subject(claim) && (self.claim.expected_r > 0.0) == (claim.expected_r > 0.0)
    }

    /// How it ages.
    pub const fn nature(&self) -> EntryNature {
        let outcomes = (self.confirmed, self.contradicted);
        EntryNature::of(EntryKind::AntiKnowledge, &self.claim, self.provenance, outcomes)
    }
}

/// Share of the tests that spoke against a claim, with one more of either kind: above 0 and below 1.
pub fn refuted_by(confirmed: u32, contradicted: u32) -> f64 {
    (f64::from(contradicted) + 1.0) / (f64::from(confirmed + contradicted) + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three contradictions and no confirmation: 4/5.
    #[test]
    fn trust_in_a_refutation_follows_its_tests() {
        assert_eq!(refuted_by(0, 3), 0.8);
        assert_eq!(refuted_by(0, 0), 0.5);
        assert_eq!(refuted_by(3, 7), 8.0 / 12.0);
    }
}
