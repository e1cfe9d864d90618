//! The door to the staging buffer. Dreams, the Curator and the dead all come through it.

use super::Mind;
use super::config::ConsolidationConfig;
use crate::base::{RuleId, Tick};
use crate::episode::{Claim, StagedClaim, Staging};

/// What became of a claim that was to be tested.
#[derive(Clone, Debug, PartialEq)]
pub enum Tested {
    /// It is under test, or waits for the gate where no test is required.
    Staged {
        /// It.
        claim: Box<StagedClaim>,
        /// A weaker one that had to make room.
        displaced: Option<Box<StagedClaim>>,
    },
    /// A claim on its subject, or one in much the same words, is under test or in force: this one.
    Known(RuleId),
    /// It is known to be wrong, by this.
    Denied(RuleId),
    /// The buffer is full of stronger ones.
    NoRoom,
}

/// Puts a claim to the test, unless it has been said in much the same words, waits for the gate already, or is known to be wrong
/// and firmly enough. It takes the number of the next rule.
pub fn put_to_test(
    staged: StagedClaim,
    mind: &mut Mind<'_>,
    now: Tick,
    config: &ConsolidationConfig,
) -> Tested {
    let claim = staged.claim;
    let denial = mind.anti.iter().find(|anti| {
        let trust = mind.ageing.effective(&anti.standing, &anti.nature(), anti.confidence, now);
        anti.denies(&claim) && trust >= config.denied_from
    });
    if let Some(denial) = denial {
        return Tested::Denied(denial.id);
    }
    let said =
        |known: &Claim| !known.same_subject(&claim) && known.similarity(&claim) > config.dedup_similarity;
    let waiting = mind.staging.claims().iter().map(|other| (other.id, other.claim));
    let passed = mind.validated.iter().map(|other| (other.id, other.claim));
    let rules = mind.playbook.rules().iter().map(|rule| (rule.id, rule.claim));
    if let Some((id, _)) = passed.clone().find(|(_, other)| other.same_subject(&claim)) {
        return Tested::Known(id);
    }
    if let Some((id, _)) = waiting.chain(passed).chain(rules).find(|(_, other)| said(other)) {
        return Tested::Known(id);
    }
    if !config.validation_required {
        *mind.next_rule += 1;
        mind.validated.push(staged.clone());
        return Tested::Staged { claim: Box::new(staged), displaced: None };
    }
    let displaced = match mind.staging.stage(staged.clone(), config.max_staged_revisions) {
        Staging::Merged => {
            let known = mind.staging.claims().iter().find(|other| other.claim.same_subject(&claim));
            return Tested::Known(known.expect("it was merged into one on its subject").id);
        }
        Staging::TurnedAway => return Tested::NoRoom,
        Staging::Added => None,
        Staging::Displaced(left) => Some(left),
    };
    *mind.next_rule += 1;
    Tested::Staged { claim: Box::new(staged), displaced }
}
