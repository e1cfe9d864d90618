//! The store of a golem's beliefs, in the order in which they speak: a knowledge base as one sorted vector with a contiguous slice for each
//! stage.
//!
//! Confidence runs from 0 to 1, outcomes are in R. Reading is open to everybody; writing is by verbs that keep the order, and what puts a
//! rule in force is visible to integration alone. Every stage is one slice, so that advice is a single walk from the front. The store
//! bounds nothing by itself: the staging buffer, the playbook and the memory's upkeep evict.

use super::entry::{Belief, BeliefEntry, Disproof};
use super::status::{BeliefStage, Status};
use crate::episode::{Claim, Context, EntryKind, Evidence, Promotion, SequentialTest, Spread, StagingConfig};
use crate::market::Strategy;
use morta_base::RuleId;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The knowledge base (rule base) of one golem: all its entries.
///
/// Invariant: entries lie sorted by stage, and within a stage in the order of arrival; an entry that changes stage goes to the end of the
/// new one. So every stage is a slice, advice is one walk from the front, and the order of tests, displacements and events (on which
/// digests depend) is that of arrival. Bounds are searched for instead of being stored, so that they can't go stale; a store has a few
/// hundred entries at most, so a search costs less than the error would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beliefs {
    pub(super) entries: Vec<BeliefEntry>,
    /// Spread of outcomes, for the sequential test.
    #[serde(default)]
    spread: Spread,
}

impl Beliefs {
    /// Takes in the result of a trade of this life, for the spread: a sample of the running variance (Welford).
    pub(crate) fn note_outcome(&mut self, realised_r: f64) {
        self.spread.note(realised_r);
    }

    /// The sequential probability ratio test (SPRT) at the present spread, if promotion is by it; `None` by steps, the default.
    pub(crate) fn sequential_test(&self, config: &StagingConfig) -> Option<SequentialTest> {
        let by_size = config.promotion == Promotion::Sequential;
        by_size.then(|| SequentialTest::new(config.sequential, self.spread.variance()))
    }

    /// The playbook, i.e. the active rule base (policy): rules in force, in the order they were admitted.
    pub fn rules(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::InForce)
    }

    /// Claims under test (hypotheses in validation), oldest first.
    pub fn under_test(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::UnderTest)
    }

    /// Claims that have passed their test, in the order they passed it: validated hypotheses in a queue before the admission gate.
    pub(crate) fn awaiting_admission(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::AwaitsAdmission)
    }

    /// All unproven hypotheses: claims under test, then those that have passed.
    pub fn claims(&self) -> &[BeliefEntry] {
        let (under_test, awaiting) =
            (self.bounds(BeliefStage::UnderTest), self.bounds(BeliefStage::AwaitsAdmission));
        &self.entries[under_test.start..awaiting.end]
    }

    /// The semantic memory drawn while awake: waking insights, inherited and restored ones and candidates included.
    pub fn insights(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::Insight)
    }

    /// Disproved claims: falsified hypotheses (negative knowledge, anti-knowledge).
    pub fn proved_wrong(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::ProvedWrong)
    }

    /// Archived entries, oldest first (retired knowledge). Only tests list them; outcomes reach them by `test_archived`.
    pub fn archived(&self) -> &[BeliefEntry] {
        self.slice(BeliefStage::Archived)
    }

    /// All entries that are neither archived nor in quarantine: rules, claims under test, claims that have passed, insights, and disproved
    /// claims. These can affect decisions or warn.
    pub fn active(&self) -> &[BeliefEntry] {
        &self.entries[..self.start_of(BeliefStage::Quarantined)]
    }

    /// Finds a rule by its identity, in a linear search.
    pub fn rule(&self, id: RuleId) -> Option<&BeliefEntry> {
        self.rules().iter().find(|rule| rule.id == id)
    }

    /// Finds the rule on the same subject (condition and action) as a claim, whatever its direction or size.
    pub(crate) fn rule_on(&self, claim: &Claim) -> Option<&BeliefEntry> {
        self.rules().iter().find(|rule| rule.claim.same_subject(claim))
    }

    /// Finds an insight by its identity, in a linear search.
    pub fn insight(&self, id: RuleId) -> Option<&BeliefEntry> {
        self.insights().iter().find(|insight| insight.id == id)
    }

    /// Finds the insight on the same subject (condition and action) as a claim.
    pub(crate) fn insight_on(&self, claim: &Claim) -> Option<&BeliefEntry> {
        self.insights().iter().find(|insight| insight.claim.same_subject(claim))
    }

    /// The rules that apply to a decision: rule matching by precondition (forward chaining).
    pub(crate) fn rules_about(
        &self,
        strategy: Strategy,
        context: Context,
    ) -> impl Iterator<Item = &BeliefEntry> {
        self.rules().iter().filter(move |rule| rule.claim.applies(strategy, &context))
    }

    /// Keeps a waking conclusion, a predecessor's or one from the archive as a candidate, without a voice: an insert in the inactive state.
    pub fn add_candidate(&mut self, belief: Belief, kind: EntryKind) {
        self.put(BeliefEntry { belief, status: Status::Insight { kind, active: false } });
    }

    /// Gives an insight a voice, or silences it (a state toggle). Returns whether there is one of that identity.
    pub(crate) fn set_active(&mut self, id: RuleId, speaks: bool) -> bool {
        let insight =
            self.entries_mut(BeliefStage::Insight).iter_mut().find(|insight| insight.belief.id == id);
        let Some(Status::Insight { active, .. }) = insight.map(|insight| &mut insight.status) else {
            return false;
        };
        *active = speaks;
        true
    }

    /// Holds a new conclusion back, in quarantine (a review queue), until the next Curator cycle; `outcomes` are those for it and against
    /// it, in any life.
    pub(crate) fn quarantine(&mut self, belief: Belief, kind: EntryKind, outcomes: Evidence) {
        self.put(BeliefEntry { belief, status: Status::Quarantined { kind, outcomes } });
    }

    /// Empties the quarantine: drains the review queue, in the order of arrival.
    pub(crate) fn leave_quarantine(&mut self) -> Vec<BeliefEntry> {
        let bounds = self.bounds(BeliefStage::Quarantined);
        self.entries.drain(bounds).collect()
    }

    /// Stores a disproof, in place of an earlier one on its subject: an upsert of a falsification.
    pub(crate) fn prove_wrong(&mut self, Disproof { belief, found_r }: Disproof) {
        self.take_proved_wrong(|known| known.claim.same_subject(&belief.claim));
        self.put(BeliefEntry { belief, status: Status::ProvedWrong { found_r } });
    }

    /// Lends an insight, by its identity, to be changed.
    pub(crate) fn insight_mut(&mut self, id: RuleId) -> Option<&mut Belief> {
        self.insights_mut().find(|insight| insight.id == id)
    }

    /// Lends the insights, in order, to be changed: their content and standing, but not their status, so they stay insights.
    pub fn insights_mut(&mut self) -> impl Iterator<Item = &mut Belief> {
        self.beliefs_mut(BeliefStage::Insight)
    }

    /// Lends the claims under test (hypotheses), and those that have passed, to be changed.
    pub(crate) fn claims_mut(&mut self) -> impl Iterator<Item = &mut Belief> {
        let (under_test, awaiting) =
            (self.bounds(BeliefStage::UnderTest), self.bounds(BeliefStage::AwaitsAdmission));
        self.entries[under_test.start..awaiting.end].iter_mut().map(|entry| &mut entry.belief)
    }

    /// Lends the disproved claims (anti-knowledge) to be changed.
    pub(crate) fn proved_wrong_mut(&mut self) -> impl Iterator<Item = &mut Belief> {
        self.beliefs_mut(BeliefStage::ProvedWrong)
    }

    /// Takes out the insights for which `picks` is true.
    pub(crate) fn take_insights(&mut self, picks: impl Fn(&BeliefEntry) -> bool) -> Vec<BeliefEntry> {
        self.extract(BeliefStage::Insight, picks)
    }

    /// Forgets, and returns, the disproved claims for which `picks` is true.
    pub(crate) fn take_proved_wrong(&mut self, picks: impl Fn(&BeliefEntry) -> bool) -> Vec<BeliefEntry> {
        self.extract(BeliefStage::ProvedWrong, picks)
    }

    /// Adds an entry of any status at the end of its stage.
    pub(in crate::dream::integration) fn put(&mut self, entry: BeliefEntry) {
        let stage = entry.status.stage();
        let place = self.entries.partition_point(|known| known.status.stage() <= stage);
        self.entries.insert(place, entry);
    }

    /// All active entries, to be changed by integration.
    pub(in crate::dream::integration) fn active_mut(&mut self) -> &mut [BeliefEntry] {
        let end = self.start_of(BeliefStage::Quarantined);
        &mut self.entries[..end]
    }

    pub(in crate::dream::integration) fn rules_mut(&mut self) -> &mut [BeliefEntry] {
        self.entries_mut(BeliefStage::InForce)
    }

    /// Takes out the rule at a place of the playbook.
    pub(in crate::dream::integration) fn remove_rule(&mut self, place: usize) -> BeliefEntry {
        assert!(place < self.rules().len(), "rule {place} of {}", self.rules().len());
        // Rules come first.
        self.entries.remove(place)
    }

    /// Takes out the claims that have passed their test.
    pub(in crate::dream::integration) fn take_awaiting_admission(&mut self) -> Vec<BeliefEntry> {
        let bounds = self.bounds(BeliefStage::AwaitsAdmission);
        self.entries.drain(bounds).collect()
    }

    fn start_of(&self, stage: BeliefStage) -> usize {
        self.entries.partition_point(|entry| entry.status.stage() < stage)
    }

    pub(super) fn bounds(&self, stage: BeliefStage) -> Range<usize> {
        let start = self.start_of(stage);
        start..start + self.entries[start..].partition_point(|entry| entry.status.stage() == stage)
    }

    pub(super) fn slice(&self, stage: BeliefStage) -> &[BeliefEntry] {
        &self.entries[self.bounds(stage)]
    }

    pub(super) fn entries_mut(&mut self, stage: BeliefStage) -> &mut [BeliefEntry] {
        let bounds = self.bounds(stage);
        &mut self.entries[bounds]
    }

    pub(super) fn extract(
        &mut self,
        stage: BeliefStage,
        picks: impl Fn(&BeliefEntry) -> bool,
    ) -> Vec<BeliefEntry> {
        let bounds = self.bounds(stage);
        self.entries.extract_if(bounds, |entry| picks(entry)).collect()
    }

    fn beliefs_mut(&mut self, stage: BeliefStage) -> impl Iterator<Item = &mut Belief> {
        self.entries_mut(stage).iter_mut().map(|entry| &mut entry.belief)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::episodes::claim;
    use crate::dream::integration::beliefs::Trial;
    use morta_base::GolemId;

    fn entry(number: u32, stage: BeliefStage) -> BeliefEntry {
        let id = RuleId { golem: GolemId::founder(0), number };
        let belief = Belief::new(id, claim(0.4), 0.5, 0);
        let kind = EntryKind::Insight;
        let status = match stage {
            BeliefStage::InForce => return BeliefEntry::in_force(belief, 0),
            BeliefStage::UnderTest => Status::UnderTest(Trial::new(false, 0)),
            BeliefStage::AwaitsAdmission => Status::AwaitsAdmission(Trial::new(false, 0)),
            BeliefStage::Insight => Status::Insight { kind, active: true },
            BeliefStage::ProvedWrong => Status::ProvedWrong { found_r: -0.2 },
            BeliefStage::Quarantined => Status::Quarantined { kind, outcomes: Evidence::NONE },
            BeliefStage::Archived => Status::Archived { kind, since: 0, borne_out: 0, evidence: 0.0 },
        };
        BeliefEntry { belief, status }
    }

    const STAGES: [BeliefStage; 7] = [
        BeliefStage::InForce,
        BeliefStage::UnderTest,
        BeliefStage::AwaitsAdmission,
        BeliefStage::Insight,
        BeliefStage::ProvedWrong,
        BeliefStage::Quarantined,
        BeliefStage::Archived,
    ];

    proptest::proptest! {
        /// However entries come and go, every stage holds its own in the order in which they came, as a list of its own would.
        #[test]
        fn a_stage_is_a_list_of_its_own(steps in proptest::collection::vec((0_usize..7, 0_u32..4), 1..60)) {
            let mut beliefs = Beliefs::default();
            let mut lists: [Vec<BeliefEntry>; 7] = Default::default();
            for (number, (place, what)) in steps.into_iter().enumerate() {
                let stage = STAGES[place];
                if what > 0 {
                    let new = entry(number as u32, stage);
                    beliefs.put(new.clone());
                    lists[place].push(new);
                } else {
                    let odd = |known: &BeliefEntry| known.id.number % 2 == 1;
                    let gone: Vec<BeliefEntry> = lists[place].extract_if(.., |known| odd(known)).collect();
                    proptest::prop_assert_eq!(beliefs.extract(stage, odd), gone);
                }
                for (stage, list) in STAGES.into_iter().zip(&lists) {
                    proptest::prop_assert_eq!(beliefs.slice(stage), list.as_slice());
                }
                proptest::prop_assert_eq!(beliefs.active(), lists[..5].concat());
                proptest::prop_assert_eq!(beliefs.claims(), lists[1..3].concat());
            }
        }
    }
}
