//! The staging gate: claims of dreams, of the Curator and of the dead pass through it before they are tested (input validation of the
//! knowledge base).
//!
//! Similarity and confidence run from 0 to 1. It turns away duplicates, known errors and what there is no room for, so that waking tests,
//! which are scarce, are spent on what is open. Claims of siblings pass it too. A disproof whose trust has aged below a half stops nothing.
//! Without `dream.consolidation.validation_required` a claim goes past the test to the admission gate.

use super::Mind;
use super::beliefs::{Belief, BeliefEntry, Staging, Status};
use super::config::ConsolidationConfig;
use crate::episode::{Claim, Promotion};
use morta_base::{RuleId, Tick};

/// The fate of a claim that was to be tested: the outcome of deduplication and admission to testing.
#[derive(Clone, Debug, PartialEq)]
pub enum StagingResult {
    /// It is under test, or awaits admission where no test is required.
    Staged {
        /// The entry as it is now.
        claim: Box<BeliefEntry>,
        /// A weaker one that had to make room.
        displaced: Option<Box<BeliefEntry>>,
    },
    /// This one makes it redundant: on its subject, and under test or awaiting admission; or very similar to it, and in force or either.
    Known(RuleId),
    /// It is known to be wrong, by this entry.
    Denied(RuleId),
    /// The buffer is full of stronger ones, or claims of its kind aren't tested at all.
    NoRoom,
}

/// Stages a belief, unless a very similar one exists (deduplication), it awaits admission already, or it is known to be wrong firmly
/// enough. The caller makes the belief's id of `mind.next_rule`; the number is used up only if it is staged. `unfinished` means that a
/// predecessor died while testing it: it keeps its place longer when the buffer is full.
pub fn put_to_test(
    belief: Belief,
    unfinished: bool,
    mind: &mut Mind<'_>,
    now: Tick,
    config: &ConsolidationConfig,
) -> StagingResult {
    let claim = belief.claim;
    if !config.kinds.contains(&claim.kind()) {
        return StagingResult::NoRoom;
    }
    if let Some(denial) = denial(&claim, mind, now, config) {
        return StagingResult::Denied(denial);
    }
    if let Some(known) = known(&claim, mind, config) {
        return StagingResult::Known(known);
    }
    let staged = BeliefEntry::under_test(belief, unfinished, now);
    if !config.validation_required {
        *mind.next_rule += 1;
        mind.beliefs.await_admission(staged.clone());
        return StagingResult::Staged { claim: Box::new(staged), displaced: None };
    }
    let room = config.room(staged.source());
    let displaced = match mind.beliefs.stage(staged.clone(), room) {
        Staging::Merged(known) => return StagingResult::Known(known),
        Staging::TurnedAway => return StagingResult::NoRoom,
        Staging::Added => None,
        Staging::Displaced(left) => Some(left),
    };
    *mind.next_rule += 1;
    StagingResult::Staged { claim: Box::new(staged), displaced }
}

/// Effective trust in a claim's being wrong from which it isn't staged again, be it a dream's, the Curator's or a sibling's. Our choice:
/// even odds.
const DENIED_FROM: f64 = 0.5;

/// The entry by which a claim is known to be wrong, if that is trusted enough by now.
fn denial(claim: &Claim, mind: &Mind<'_>, now: Tick, config: &ConsolidationConfig) -> Option<RuleId> {
    let wrong = mind.beliefs.proved_wrong().iter().find(|wrong| {
        let trust = mind.ageing.effective(&wrong.standing, &wrong.nature(), wrong.confidence, now);
        wrong.claim.restates(claim) && trust >= DENIED_FROM && is_as_wrong(claim, wrong, config)
    });
    wrong.map(|wrong| wrong.id)
}

/// Whether the entry speaks of this size too. By the sequential test a claim may be refuted for its size alone, so a claim that
/// is nearer to the mean found than to the size refuted has not been refuted with it.
fn is_as_wrong(claim: &Claim, wrong: &BeliefEntry, config: &ConsolidationConfig) -> bool {
    let Status::ProvedWrong { found_r } = wrong.status() else { return false };
    let (found, refuted) = (found_r - claim.expected_r, wrong.claim.expected_r - claim.expected_r);
    config.staging.promotion == Promotion::Steps || found.abs() >= refuted.abs()
}

/// An existing entry that makes the claim redundant. One on the very subject is no obstacle while it is under test or in force:
/// staging merges into the first, and admission replaces the second. But one that awaits admission can't be tested again.
fn known(claim: &Claim, mind: &Mind<'_>, config: &ConsolidationConfig) -> Option<RuleId> {
    let beliefs = &mind.beliefs;
    let passed = beliefs.awaiting_admission().iter().find(|other| other.claim.same_subject(claim));
    let mut said = beliefs.claims().iter().chain(beliefs.rules()).filter(|other| {
        !other.claim.same_subject(claim) && other.claim.similarity(claim) > config.dedup_similarity
    });
    passed.or_else(|| said.next()).map(|known| known.id)
}
