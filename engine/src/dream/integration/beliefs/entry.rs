//! A belief, and the entry that gives it a status.

use super::status::{InForce, Status, Trial};
use crate::episode::{
    Claim, EntryKind, EntryNature, EntryStanding, Evidence, FindingKind, Lesson, Provenance,
};
use morta_base::{DreamId, EpisodeId, GolemId, RuleId, Tick};
use serde::{Deserialize, Serialize};
use std::ops::Deref;

/// What is believed, how firmly, and why: all of an entry but its status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// Its identity, kept from one status to the next.
    pub id: RuleId,
    /// What it says. A rule's expected R follows experience.
    pub claim: Claim,
    /// Trust in it, 0 to 1; in its being wrong, where that is what is believed.
    pub confidence: f64,
    /// Waking outcomes for and against it. An insight counts those it was drawn from, what proved wrong those since.
    pub evidence: Evidence,
    /// How it was concluded.
    pub finding: FindingKind,
    /// The dream that concluded it; none for what was concluded awake or inherited.
    pub dream: Option<DreamId>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Who first learned it.
    pub origin: GolemId,
    /// How it stands with its holder: when it was written, heard, borne out, and what it has paid.
    pub standing: EntryStanding,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
    /// Outcomes it rested on when somebody else handed it over; 0 for a conclusion of one's own.
    #[serde(default)]
    pub outcomes_before: u32,
}

/// Who brought a claim to be tested.
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
    /// Who brought it. What a dream concluded from inherited episodes is the dream's.
    pub const fn source(&self) -> ClaimSource {
        match (self.dream, self.provenance) {
            (Some(_), _) => ClaimSource::Dreams,
            (None, Provenance::Own) => ClaimSource::Curator,
            (None, Provenance::Clade(_)) => ClaimSource::Siblings,
            (None, Provenance::Bloodstain(_) | Provenance::Predecessor(_)) => ClaimSource::Dead,
        }
    }

    /// A golem's own waking conclusion, without evidence or sources so far.
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

    /// What somebody else learned, at the heir's own confidence. The giver's outcomes aren't the heir's: evidence begins anew.
    pub fn handed_over(lesson: &Lesson, id: RuleId, confidence: f64, source: Provenance, now: Tick) -> Self {
        Self {
            finding: FindingKind::Lesson,
            provenance: source,
            origin: lesson.origin,
            learned_from: lesson.learned_from.clone(),
            // Lessons of logs that don't say it yet rest on the giver's own outcomes at least.
            outcomes_before: lesson.outcomes_behind.max(lesson.confirmed + lesson.contradicted),
            ..Self::new(id, lesson.claim, confidence, now)
        }
    }
}

/// A belief that proved wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Disproof {
    /// What was believed.
    pub belief: Belief,
    /// What it came to, as a mean R.
    pub found_r: f64,
}

impl Disproof {
    /// Of a claim or rule that its tests refuted. From now on the trust is in its being wrong, by the share of tests that spoke
    /// against it, and what counts is what life says from here on.
    pub fn by_tests(belief: Belief, found_r: f64, now: Tick) -> Self {
        let confidence = belief.evidence.doubt();
        Self::at(confidence, belief, found_r, now)
    }

    /// Of one whose claimed size its outcomes made unlikely: it is wrong with the probability that is left.
    pub fn by_size(belief: Belief, found_r: f64, now: Tick) -> Self {
        let confidence = 1.0 - belief.confidence;
        Self::at(confidence, belief, found_r, now)
    }

    fn at(confidence: f64, belief: Belief, found_r: f64, now: Tick) -> Self {
        let standing = EntryStanding::new(now);
        Self { belief: Belief { confidence, evidence: Evidence::NONE, standing, ..belief }, found_r }
    }
}

/// A belief and its status. It reads as the belief, and can't be written to: see the invariant of [`super`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub(super) belief: Belief,
    pub(super) status: Status,
}

impl Deref for Entry {
    type Target = Belief;

    #[inline]
    fn deref(&self) -> &Belief {
        &self.belief
    }
}

/// What an unfinished thought of a predecessor counts for against others (the Zeigarnik effect; our own value).
const ZEIGARNIK: f64 = 1.5;
/// Additions of 0.1 and 0.05 don't sum exactly in binary; thresholds are compared to within this.
pub(super) const CONFIDENCE_EPSILON: f64 = 1e-9;

impl Entry {
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

    /// In force as before, but of other content.
    pub(in crate::dream::integration) fn revise(&mut self, revised: Belief) {
        self.belief = revised;
    }

    pub(in crate::dream::integration) const fn belief_mut(&mut self) -> &mut Belief {
        &mut self.belief
    }

    /// Its status.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// What it says, without its status.
    pub fn into_belief(self) -> Belief {
        self.belief
    }

    /// Since when it has been in force, if it is.
    pub const fn in_force_since(&self) -> Option<Tick> {
        match self.status {
            Status::InForce(in_force) => Some(in_force.since()),
            _ => None,
        }
    }

    /// Whether it is an insight that speaks.
    pub const fn is_active_insight(&self) -> bool {
        matches!(self.status, Status::Insight { active: true, .. })
    }

    /// Its test, while it is under test or has just passed it.
    pub const fn trial(&self) -> Option<&Trial> {
        match &self.status {
            Status::UnderTest(trial) | Status::AwaitsAdmission(trial) => Some(trial),
            _ => None,
        }
    }

    /// Mean outcome of the episodes that tested it, in R; `None` before any has.
    pub fn tested_mean_r(&self) -> Option<f64> {
        self.trial().and_then(|trial| trial.mean_r(self.evidence))
    }

    /// How it proved wrong, if it did.
    pub fn disproof(&self) -> Option<Disproof> {
        match self.status {
            Status::ProvedWrong { found_r } => Some(Disproof { belief: self.belief.clone(), found_r }),
            _ => None,
        }
    }

    /// How it ages. Whatever says to stay away is a warning; a rule is else a heuristic, a claim under test a question, or a
    /// fragment if it came at the edge of sleep.
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

    /// Outcomes it rests on: those it was concluded from and those it has been held against, in the lives of whoever handed it over and
    /// in this. None for an invention that nobody has tested.
    pub fn outcomes_behind(&self) -> u32 {
        let Belief { evidence, provenance, learned_from, outcomes_before, .. } = &self.belief;
        // What it was handed over with counts its sources already, and an insight counts them as its first votes.
        let sources = if *provenance == Provenance::Own { learned_from.len() as u32 } else { 0 };
        let own = match self.status {
            Status::Insight { .. } => evidence.tests().max(sources),
            _ => evidence.tests() + sources,
        };
        outcomes_before + own
    }

    /// As it is handed over: with the confidence it had before demurrage, which the heir doesn't owe.
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

    /// How much room a claim under test deserves: confident claims of a large effect stay when the buffer is full, and what a
    /// predecessor could not finish testing stays before others.
    pub fn utility(&self) -> f64 {
        let unfinished = self.trial().is_some_and(|trial| trial.unfinished);
        let weight = if unfinished { ZEIGARNIK } else { 1.0 };
        weight * self.confidence * self.claim.expected_r.abs()
    }

    /// Whether a dream drew it and few outcomes have borne it out so far: one to three, at a confidence of .3 to .5 (digest
    /// section 5, "ladder").
    pub fn is_partially_validated(&self) -> bool {
        self.dream.is_some()
            && (1..=3).contains(&self.evidence.confirmed)
            && (0.3 - CONFIDENCE_EPSILON..=0.5 + CONFIDENCE_EPSILON).contains(&self.confidence)
    }
}
