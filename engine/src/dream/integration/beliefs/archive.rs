//! The archive: entries that are no longer active. They have no voice there, and return when waking outcomes confirm them again (soft
//! delete with restore, cold storage).
//!
//! Outcomes are in R, confidence runs from 0 to 1. Knowledge of a law that has passed is kept, because laws may come again (recurring
//! concept drift) and relearning costs trades. The memory archives what leaves its active entries with some confidence
//! (`memory::bardo::upkeep`; below .02 it is burnt instead), at most `archive_capacity` entries (500), and tests the archive with every
//! closed trade. Disproofs are never archived: one that leaves the active entries is deleted.

use super::entry::BeliefEntry;
use super::status::{BeliefStage, Status};
use super::store::Beliefs;
use crate::episode::{Context, EntryStanding, StagingConfig};
use crate::market::Strategy;
use morta_base::Tick;

/// The outcome of a trade, against which claims are held: a labelled sample (ground truth) for hypothesis testing. A review of a held
/// position is one as well: its context names the position, and its result is what staying in added. Abstentions are none.
#[derive(Clone, Copy, Debug)]
pub struct TradeOutcome<'a> {
    /// The strategy that was followed.
    pub strategy: Strategy,
    /// The circumstances of the decision.
    pub context: &'a Context,
    /// Its result, in R; of a review, the value of staying in.
    pub realised_r: f64,
}

/// Outcomes, net of contrary ones, that bring an archived entry back. Our choice: more than the two that chance brings easily.
const RESTORE_AFTER: u32 = 3;
/// Confidence it comes back with if it had less. Our choice: no more trust than a new insight of a dream has
/// (`dream.consolidation.insight_confidence`).
const RESTORED_CONFIDENCE: f64 = 0.3;

impl Beliefs {
    /// Archives an entry that has left the active ones (soft delete). An archived one on its subject makes room for it, and of more than
    /// `capacity` the oldest are forgotten.
    pub fn archive(&mut self, entry: BeliefEntry, now: Tick, capacity: usize) {
        self.extract(BeliefStage::Archived, |known| known.claim.same_subject(&entry.claim));
        let status = Status::Archived { kind: entry.nature().kind, since: now, borne_out: 0, evidence: 0.0 };
        self.put(BeliefEntry { status, ..entry });
        let bounds = self.bounds(BeliefStage::Archived);
        let excess = bounds.len().saturating_sub(capacity);
        self.entries.drain(bounds.start..bounds.start + excess);
    }

    /// Holds every archived entry that applies to a trade against its outcome, and takes out those that have been confirmed often enough,
    /// or, by the sequential test, firmly enough (a CUSUM test for recurring concepts).
    pub(crate) fn test_archived(
        &mut self,
        outcome: TradeOutcome<'_>,
        config: &StagingConfig,
    ) -> Vec<BeliefEntry> {
        let (bounds, test) = (self.bounds(BeliefStage::Archived), self.sequential_test(config));
        let back = self.entries.extract_if(bounds, |known| {
            let Status::Archived { borne_out, evidence, .. } = &mut known.status else { return false };
            if !known.belief.claim.applies(outcome.strategy, outcome.context) {
                return false;
            }
            let claim = &known.belief.claim;
            let verdict = config.hearing(claim, outcome.realised_r);
            *borne_out = match verdict.confirms {
                true => *borne_out + 1,
                false => borne_out.saturating_sub(1),
            };
            let Some(test) = test else { return *borne_out >= RESTORE_AFTER };
            // Kept at 0 from below, like the count: an entry that was wrong for long comes back as soon as it holds again. That
            // is the cumulative sum of Page (1954); without the floor, old failures would have to be made up for first.
            *evidence = (*evidence + test.evidence(claim.expected_r, verdict.came_to_r, 1)).max(0.0);
            *evidence >= test.upper()
        });
        back.collect()
    }

    /// Restores (undeletes) an entry that was confirmed in the archive, as a candidate with at least a confidence of .3, unless its subject
    /// has been taken up anew: then it is dropped, because `test_archived` has removed it already. Only insights count as taken up, not rules
    /// in force. It keeps its strength; its clocks start again. Returns the restored entry.
    pub fn restore(&mut self, entry: BeliefEntry, now: Tick) -> Option<&BeliefEntry> {
        if self.insight_on(&entry.claim).is_some() {
            return None;
        }
        let kind = entry.nature().kind;
        let mut belief = entry.into_belief();
        belief.confidence = belief.confidence.max(RESTORED_CONFIDENCE);
        belief.standing = EntryStanding { strength: belief.standing.strength, ..EntryStanding::new(now) };
        self.add_candidate(belief, kind);
        self.insights().last()
    }
}
