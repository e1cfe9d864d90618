//! A belief, and the entry that gives it a status: the record type of a golem's knowledge base.
//!
//! Confidence runs from 0 to 1, expected and mean results are in R, times are in ticks. A belief is the content, a status is the state;
//! they are apart so that only code with the right to it can change the state, while content may be lent out. Stored confidence pays
//! demurrage; how loud an entry speaks in a decision is its effective confidence, which the memory ages on reading (`episode::standing`).

use super::status::{InForce, Status, Trial};
use crate::episode::{
    Claim, EntryKind, EntryNature, EntryStanding, Evidence, FindingKind, Lesson, Provenance,
};
use morta_base::{DreamId, EpisodeId, GolemId, RuleId, Tick};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// A belief: a claim with its confidence (degree of belief), evidence and origin. It is all of an entry but its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Its identity, kept from one status to the next.
    pub id: RuleId,
    /// The claim. A rule's expected R follows experience.
    pub claim: Claim,
    /// Confidence in the claim, 0 to 1; for a disproved claim, confidence in its being wrong.
    pub confidence: f64,
    /// Waking outcomes for and against it. An insight counts those it was drawn from, a disproved claim those since.
    pub evidence: Evidence,
    /// How it was concluded.
    pub finding: FindingKind,
    /// The dream that concluded it; none for a waking or an inherited conclusion.
    pub dream: Option<DreamId>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The golem that first learned it.
    pub origin: GolemId,
    /// Its standing with its holder: when it was written, used and confirmed, and the demurrage it has paid.
    pub standing: EntryStanding,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
    /// Outcomes behind it when it was handed over; 0 for a golem's own conclusion.
    #[serde(default)]
    pub outcomes_before: u32,
}

/// The source of a claim under test, its provenance (data lineage) by group. Each source has room of its own in the staging buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimSource {
    /// A dream of the golem's own.
    Dreams,
    /// The golem's Curator, awake.
    Curator,
    /// A living sibling.
    Siblings,
    /// The dead: a predecessor, or a bloodstain.
    Dead,
}

impl Belief {
    /// The source of the claim, by its data lineage (provenance). A dream's conclusion from inherited episodes is the dream's; the
    /// Curator's copy of an inherited insight is the giver's.
    pub const fn source(&self) -> ClaimSource {
        match (self.dream, self.provenance) {
            (Some(_), _) => ClaimSource::Dreams,
            (None, Provenance::Own) => ClaimSource::Curator,
            (None, Provenance::Clade(_)) => ClaimSource::Siblings,
            (None, Provenance::Bloodstain(_) | Provenance::Predecessor(_)) => ClaimSource::Dead,
        }
    }

    /// Makes a golem's own waking conclusion, without evidence or sources so far: callers fill them in by struct update.
    pub const fn new(id: RuleId, claim: Claim, confidence: f64, now: Tick) -> Self {
        Self {
            id,
            claim,
            confidence,
            evidence: Evidence::NONE,
            finding: FindingKind::Insight,
            dream: None,
            provenance: Provenance::Own,
            origin: id.golem,
            standing: EntryStanding::new(now),
            learned_from: Vec::new(),
            outcomes_before: 0,
        }
    }

    /// Takes over another golem's lesson (transfer learning), at the heir's own confidence. The giver's outcomes aren't the heir's, so
    /// evidence begins anew.
    pub fn handed_over(lesson: &Lesson, id: RuleId, confidence: f64, source: Provenance, now: Tick) -> Self {
        Self {
            finding: FindingKind::Lesson,
            provenance: source,
            origin: lesson.origin,
            learned_from: lesson.learned_from.clone(),
            // Lessons of older logs don't have the field; they rest on the giver's own outcomes at least.
            outcomes_before: lesson.outcomes_behind.max(lesson.confirmed + lesson.contradicted),
            ..Self::new(id, lesson.claim, confidence, now)
        }
    }
}

/// A belief that was disproved: a refuted hypothesis (negative knowledge, falsification) with its counter-evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disproof {
    /// What was believed.
    pub belief: Belief,
    /// The mean result found, in R.
    pub found_r: f64,
}

impl Disproof {
    /// Makes a disproof of a claim or rule. Confidence is now in its being wrong; evidence counts from here on. What outcomes made unlikely
    /// by its size (refutation by likelihood) is wrong with the probability that is left; what its tests refuted (falsification by hit
    /// rate), by the share of tests that contradicted it.
    pub(crate) fn new(belief: Belief, found_r: f64, by_size: bool, now: Tick) -> Self {
        let confidence = if by_size { 1.0 - belief.confidence } else { belief.evidence.doubt() };
        let standing = EntryStanding::new(now);
        Self { belief: Belief { confidence, evidence: Evidence::NONE, standing, ..belief }, found_r }
    }
}

/// A belief and its status. It reads as the belief, and can't be written to: see the invariant of [`super`]. The wrapper derefs to the
/// belief and keeps the status private.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BeliefEntry {
    pub(super) belief: Belief,
    pub(super) status: Status,
}

impl Deref for BeliefEntry {
    type Target = Belief;

    #[inline]
    fn deref(&self) -> &Belief {
        &self.belief
    }
}

/// Factor on the utility of a predecessor's unfinished hypothesis (the Zeigarnik effect; the dream architecture, "three-clock dream
/// intensity modulation", names no factor). Half as much again is our choice: an unfinished hypothesis then keeps its place before a
/// finished one of up to 1.5 times its worth.
const ZEIGARNIK: f64 = 1.5;
/// Tolerance of comparisons with thresholds: sums of 0.1 and 0.05 aren't exact in binary, so five confirmations from 0.2 would
/// miss 0.7.
pub(super) const CONFIDENCE_EPSILON: f64 = 1e-9;

impl BeliefEntry {
    /// In force from now on.
    pub(in crate::dream::integration) const fn in_force(belief: Belief, now: Tick) -> Self {
        Self { belief, status: Status::InForce(InForce { since: now }) }
    }

    /// Under test from now on.
    pub(in crate::dream::integration) const fn under_test(
        belief: Belief,
        unfinished: bool,
        now: Tick,
    ) -> Self {
        Self { belief, status: Status::UnderTest(Trial::new(unfinished, now)) }
    }

    /// Lends its content to be changed; its status stays.
    pub(in crate::dream::integration) const fn belief_mut(&mut self) -> &mut Belief {
        &mut self.belief
    }

    /// Its status, the stage of its life cycle.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The belief, without its status: consumes the record (destructuring) and drops the state.
    pub(crate) fn into_belief(self) -> Belief {
        self.belief
    }

    /// The tick since which it has been in force, if it is a rule: an activation timestamp.
    pub(crate) const fn in_force_since(&self) -> Option<Tick> {
        match self.status {
            Status::InForce(in_force) => Some(in_force.since()),
            _ => None,
        }
    }

    /// Whether it is an insight with a voice in decisions; a candidate has none.
    pub const fn is_active_insight(&self) -> bool {
        matches!(self.status, Status::Insight { active: true, .. })
    }

    /// Its test (hypothesis test), while it is under test or has just passed it.
    pub const fn trial(&self) -> Option<&Trial> {
        match &self.status {
            Status::UnderTest(trial) | Status::AwaitsAdmission(trial) => Some(trial),
            _ => None,
        }
    }

    /// Out-of-sample mean outcome of the episodes that tested it, in R; `None` before any has, or without a test.
    pub(crate) fn tested_mean_r(&self) -> Option<f64> {
        self.trial().and_then(|trial| trial.mean_r(self.evidence))
    }

    /// Its disproof as negative knowledge, if it was disproved: a clone.
    pub(crate) fn disproof(&self) -> Option<Disproof> {
        match self.status {
            Status::ProvedWrong { found_r } => Some(Disproof { belief: self.belief.clone(), found_r }),
            _ => None,
        }
    }

    /// Its nature, a classification that sets how it ages and is forgotten. A claim that says to stay away is a warning; of the others a
    /// rule is a heuristic, a claim under test a question, or a fragment if it came from the edge of sleep.
    pub const fn nature(&self) -> EntryNature {
        let claim = &self.belief.claim;
        let kind = match self.status {
            Status::InForce(_) => EntryKind::for_claim(claim, EntryKind::Heuristic),
            Status::UnderTest(_) | Status::AwaitsAdmission(_) => {
                let fragment = matches!(self.belief.finding, FindingKind::Fragment);
                EntryKind::for_claim(
                    claim,
                    if fragment { EntryKind::StrategyFragment } else { EntryKind::Question },
                )
            }
            Status::Insight { kind, .. }
            | Status::Quarantined { kind, .. }
            | Status::Archived { kind, .. } => kind,
            Status::ProvedWrong { .. } => EntryKind::AntiKnowledge,
        };
        EntryNature::for_claim(kind, claim, self.belief.provenance, self.belief.evidence)
    }

    /// The effective sample size, i.e. outcomes behind it: those it was concluded from and those it was held against, in earlier holders'
    /// lives and in this one. None for an invention that nobody has tested.
    pub fn outcomes_behind(&self) -> u32 {
        let Belief { evidence, provenance, learned_from, outcomes_before, .. } = &self.belief;
        // `outcomes_before` counts the sources of a handed-over belief already, and an insight counts its sources as its first
        // votes.
        let sources = if *provenance == Provenance::Own { learned_from.len() as u32 } else { 0 };
        let own = match self.status {
            Status::Insight { .. } => evidence.tests().max(sources),
            _ => evidence.tests() + sources,
        };
        outcomes_before + own
    }

    /// Exports the entry as the lesson to hand over (transfer learning), with the confidence before demurrage, which the heir doesn't owe.
    pub fn lesson(&self) -> Lesson {
        let belief = &self.belief;
        let (kind, finding, unfinished) = match self.status {
            Status::UnderTest(_) | Status::AwaitsAdmission(_) => (EntryKind::Question, belief.finding, true),
            Status::InForce(_) => {
                (EntryKind::for_claim(&belief.claim, EntryKind::Heuristic), belief.finding, false)
            }
            Status::ProvedWrong { .. } => (EntryKind::AntiKnowledge, belief.finding, false),
            // A rule that came back from the archive was borne out by waking life, however it was concluded once.
            Status::Insight { .. } | Status::Quarantined { .. } | Status::Archived { .. } => {
                (EntryKind::for_claim(&belief.claim, EntryKind::Insight), FindingKind::Insight, false)
            }
        };
        Lesson {
            kind,
            claim: belief.claim,
            confidence: belief.standing.before_demurrage(belief.confidence),
            confirmed: belief.evidence.confirmed,
            contradicted: belief.evidence.contradicted,
            origin: belief.origin,
            unfinished,
            finding,
            learned_from: belief.learned_from.clone(),
            outcomes_behind: self.outcomes_behind(),
        }
    }

    /// The priority of a claim under test against eviction: confident claims of a large effect stay when the buffer is full, and what a
    /// predecessor could not finish testing stays before others.
    pub fn utility(&self) -> f64 {
        let unfinished = self.trial().is_some_and(|trial| trial.unfinished);
        let weight = if unfinished { ZEIGARNIK } else { 1.0 };
        weight * self.confidence * self.claim.expected_r.abs()
    }

    /// Whether a dream drew it and few outcomes have borne it out so far: one to three, at a confidence of .3 to .5 (digest
    /// section 5, "ladder"). Such a provisional hypothesis can be corroborated by the Curator.
    pub(crate) fn is_partially_validated(&self) -> bool {
        self.dream.is_some()
            && (1..=3).contains(&self.evidence.confirmed)
            && (0.3 - CONFIDENCE_EPSILON..=0.5 + CONFIDENCE_EPSILON).contains(&self.confidence)
    }
}
