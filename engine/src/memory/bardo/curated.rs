//! The Curator's hour: what it is shown, and what is done of what it says.

use super::Bardo;
use crate::base::{RuleId, Tick};
use crate::curator::config::CONFIDENCE_CAP;
use crate::curator::letter::consolidation_priority;
use crate::curator::{
    Conclusion, Curatable, CuratorConfig, CuratorReport, CuratorRequest, DreamTag, Flagged, Insight,
    KnownInsight, Operation, TagReason,
};
use crate::dream::integration::admission::{Admission, AdmissionScore, Evidence, kind_prior};
use crate::dream::integration::{Tested, put_to_test};
use crate::episode::{Claim, DreamPriority, FindingKind, LeavingReason, Provenance, StagedClaim, Standing};
use crate::llm::EpisodeBrief;
use serde::{Deserialize, Serialize};

/// Most episodes an insight names; the newest are kept.
const MAX_SOURCES: usize = 20;
/// Confidence from which what is known is strong enough to put a contrary newcomer into quarantine (our own).
const STRONG: f64 = 0.6;

/// What a cycle did, by count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurationCounts {
    /// Conclusions drawn.
    pub added: u32,
    /// Conclusions that the admission gate turned away.
    pub turned_away: u32,
    /// Conclusions put off to the next cycle, because they contradict what is trusted.
    pub quarantined: u32,
    /// Insights borne out.
    pub upvoted: u32,
    /// Insights spoken against.
    pub downvoted: u32,
    /// Insights whose size was corrected.
    pub edited: u32,
    /// Candidates that speak from now on.
    pub promoted: u32,
    /// Insights that don't speak any more.
    pub demoted: u32,
    /// Insights under test as rules from now on.
    pub proposed: u32,
    /// Insights merged into others.
    pub merged: u32,
    /// Pairs that contradict each other.
    pub conflicts: u32,
    /// Dream conclusions that an independent insight spoke for.
    pub corroborated: u32,
}

/// What the gate said to a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    Open,
    Shut,
    Quarantine,
}

/// What a cycle did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curation {
    /// By count.
    pub counts: CurationCounts,
    /// Episodes tagged for the next dream.
    pub tags: Vec<DreamTag>,
    /// Claims put to the test.
    pub staged: Vec<StagedClaim>,
    /// Claims that had to make room.
    pub displaced: Vec<StagedClaim>,
}

impl Bardo {
    /// What the Curator should look at in the golem's cycle of that number. Trades that have been handed in are not handed in
    /// again, unless their clusters were too small.
    pub fn curator_request(
        &mut self,
        cycle: u64,
        deep: bool,
        age_discount: f64,
        config: &CuratorConfig,
    ) -> CuratorRequest {
        let every = config.contrast_every as usize;
        let due = self.later.contrasts.values_mut().filter(|trades| trades.len() >= every);
        let contrasts: Vec<Vec<EpisodeBrief>> = due.map(std::mem::take).collect();
        let uncurated = std::mem::take(&mut self.uncurated);
        let waiting = self.later.take_part(|learned| &mut learned.waiting);
        let flagged = self.later.staging.claims().iter().filter(|staged| {
            staged.is_partially_validated() && !self.later.corroborated.contains(&staged.id)
        });
        CuratorRequest {
            cycle,
            deep,
            episodes: uncurated.into_iter().map(|brief| self.curatable(brief)).collect(),
            waiting,
            contrasts,
            insights: self.insights.iter().map(KnownInsight::of).collect(),
            flagged: flagged.map(|staged| Flagged { id: staged.id, claim: staged.claim }).collect(),
            age_discount,
        }
    }

    fn curatable(&self, brief: EpisodeBrief) -> Curatable {
        let slot = self.grimoire.slot_of(brief.id);
        let replays = slot.map_or(0, |slot| self.grimoire.replay_count()[slot]);
        let arousal = slot.map_or(0.0, |slot| f64::from(self.grimoire.arousal()[slot]));
        let priority = consolidation_priority(brief.realised_r, replays, arousal);
        Curatable { brief, priority }
    }

    /// Does what the Curator says, and returns what came of it.
    pub fn hear_curator(&mut self, report: CuratorReport, low_below: f64, now: Tick) -> Curation {
        let mut done = Curation { tags: report.tags, ..Curation::default() };
        self.later.waiting = report.waiting;
        let excess = self.later.waiting.len().saturating_sub(super::MAX_UNCURATED);
        self.later.waiting.drain(..excess);
        self.leave_quarantine(now, &mut done.counts);
        for operation in report.operations {
            self.carry_out(operation, report.cycle, now, &mut done);
        }
        for insight in &mut self.insights {
            let low = insight.confidence < low_below;
            insight.standing.low_cycles = if low { insight.standing.low_cycles + 1 } else { 0 };
        }
        for tag in &done.tags {
            self.grimoire.tag(tag.episode, tag.priority);
        }
        done
    }

    fn carry_out(&mut self, operation: Operation, cycle: u64, now: Tick, done: &mut Curation) {
        let counts = &mut done.counts;
        match operation {
            Operation::Add(conclusion) => self.add(conclusion, now, counts),
            Operation::Upvote { id, by, votes } => {
                counts.upvoted += u32::from(self.vote(id, by, votes, now));
            }
            Operation::Downvote { id, by, votes } => {
                counts.downvoted += u32::from(self.vote(id, by, votes, now));
            }
            Operation::Edit { id, expected_r } => {
                counts.edited += u32::from(self.with(id, |insight| insight.claim.expected_r = expected_r));
            }
            Operation::Promote(id) => {
                counts.promoted += u32::from(self.with(id, |insight| insight.active = true))
            }
            Operation::Demote(id) => {
                counts.demoted += u32::from(self.with(id, |insight| insight.active = false))
            }
            Operation::Propose(id) => self.propose(id, now, done),
            Operation::Archive { id, reason } => self.archive_insight(id, reason, now),
            Operation::Merge { kept, gone } => counts.merged += u32::from(self.merge(kept, gone, now)),
            Operation::Conflict(a, b) => self.tag_conflict(a, b, cycle, done),
            Operation::Corroborate { claim, insight, by } => {
                counts.corroborated += u32::from(self.corroborate(claim, insight, by, now));
            }
        }
    }

    fn with(&mut self, id: RuleId, change: impl FnOnce(&mut Insight)) -> bool {
        let found = self.insights.iter_mut().find(|insight| insight.id == id);
        found.map(change).is_some()
    }

    fn add(&mut self, conclusion: Conclusion, now: Tick, counts: &mut CurationCounts) {
        let id = self.new_rule_id();
        let outcomes = (conclusion.confirmed, conclusion.contradicted);
        let insight = Insight {
            id,
            kind: Insight::kind_of(&conclusion.claim),
            claim: conclusion.claim,
            confidence: conclusion.confidence,
            active: false,
            confirmed: conclusion.confirmed,
            contradicted: conclusion.contradicted,
            standing: Standing::new(now),
            provenance: Provenance::Own,
            origin: self.golem,
            learned_from: conclusion.learned_from,
        };
        match self.let_in(insight, outcomes, now) {
            Entrance::Open => counts.added += 1,
            Entrance::Shut => counts.turned_away += 1,
            Entrance::Quarantine => counts.quarantined += 1,
        }
    }

    /// A new entry passes the admission gate, with little trust if its score is low; one with little support that contradicts what
    /// is trusted waits for the next Curator cycle first (digest section 2, A-MAC). `outcomes` are those that speak for it and
    /// against it, in whosever life.
    pub(super) fn let_in(&mut self, mut entry: Insight, outcomes: (u32, u32), now: Tick) -> Entrance {
        if self.factual(&entry, outcomes, now) < self.consolidation.admission.min_factual
            && self.contradicts_the_trusted(&entry.claim)
        {
            self.later.quarantine.push((entry, outcomes));
            return Entrance::Quarantine;
        }
        let config = &self.consolidation.admission;
        match self.score(&entry, outcomes, now).verdict(config) {
            Admission::Rejected => return Entrance::Shut,
            Admission::Cautious => entry.confidence = entry.confidence.min(config.cautious_confidence),
            Admission::Normal => {}
        }
        self.insights.push(entry);
        Entrance::Open
    }

    fn score(&self, entry: &Insight, outcomes: (u32, u32), now: Tick) -> AdmissionScore {
        let evidence = Evidence {
            claim: entry.claim,
            outcomes,
            mean_r: None,
            last_tested: now,
            type_prior: kind_prior(entry.kind),
        };
        let known = self.insights.iter().map(|insight| insight.claim);
        AdmissionScore::weigh(&evidence, known, now, &self.consolidation.admission)
    }

    fn factual(&self, entry: &Insight, outcomes: (u32, u32), now: Tick) -> f64 {
        self.score(entry, outcomes, now).factual
    }

    /// What waited for a cycle goes to the gate; if what it contradicts is still trusted, it is dropped.
    fn leave_quarantine(&mut self, now: Tick, counts: &mut CurationCounts) {
        for (entry, outcomes) in self.later.take_part(|learned| &mut learned.quarantine) {
            let opposed = self.contradicts_the_trusted(&entry.claim);
            match opposed || self.let_in(entry, outcomes, now) == Entrance::Shut {
                true => counts.turned_away += 1,
                false => counts.added += 1,
            }
        }
    }

    fn contradicts_the_trusted(&self, new: &Claim) -> bool {
        let opposite = |expected_r: f64| (expected_r > 0.0) != (new.expected_r > 0.0);
        let rules = self.playbook.rules().iter().map(|rule| (&rule.claim, rule.confidence));
        let insights = self.insights.iter().map(|insight| (&insight.claim, insight.confidence));
        rules.chain(insights).any(|(claim, confidence)| {
            confidence >= STRONG && claim.same_subject(new) && opposite(claim.expected_r)
        })
    }

    /// A vote up validates: the clock of demurrage starts anew.
    fn vote(&mut self, id: RuleId, by: f64, votes: Conclusion, now: Tick) -> bool {
        self.with(id, |insight| {
            insight.confidence = (insight.confidence + by).clamp(0.0, CONFIDENCE_CAP);
            insight.confirmed += votes.confirmed;
            insight.contradicted += votes.contradicted;
            if by > 0.0 {
                insight.standing.validate(now);
            }
            name_sources(insight, votes.learned_from);
        })
    }

    /// The Curator proposes; the door to the staging buffer decides, and integration after the test.
    fn propose(&mut self, id: RuleId, now: Tick, done: &mut Curation) {
        let Some(insight) = self.insights.iter().find(|insight| insight.id == id) else { return };
        if self.playbook.same_subject(&insight.claim).is_some() {
            return;
        }
        let staged = StagedClaim {
            id: RuleId { golem: self.golem, number: self.next_rule },
            claim: insight.claim,
            confidence: self.consolidation.insight_confidence,
            staged: now,
            confirmed: 0,
            contradicted: 0,
            total_r: 0.0,
            last_tested: now,
            kind: FindingKind::Insight,
            dream: None,
            unfinished: false,
            origin: insight.origin,
            provenance: insight.provenance,
            standing: Standing::new(now),
            learned_from: insight.learned_from.clone(),
        };
        let consolidation = self.consolidation.clone();
        if let Tested::Staged { claim, displaced } =
            put_to_test(staged, &mut self.mind(), now, &consolidation)
        {
            done.counts.proposed += 1;
            self.account_for_staged(&claim);
            done.displaced.extend(displaced.map(|left| *left));
            done.staged.push(*claim);
        }
    }

    /// The kept one's size becomes the mean by the episodes behind both; the other is archived as superseded.
    fn merge(&mut self, kept: RuleId, gone: RuleId, now: Tick) -> bool {
        let Some(other) = self.insights.iter().find(|insight| insight.id == gone).cloned() else {
            return false;
        };
        let weight = |insight: &Insight| f64::from((insight.confirmed + insight.contradicted).max(1));
        let merged = self.with(kept, |insight| {
            let (a, b) = (weight(insight), weight(&other));
            insight.claim.expected_r = (a * insight.claim.expected_r + b * other.claim.expected_r) / (a + b);
            insight.confirmed += other.confirmed;
            insight.contradicted += other.contradicted;
            name_sources(insight, other.learned_from);
        });
        if merged {
            self.archive_insight(gone, LeavingReason::Superseded, now);
        }
        merged
    }

    fn tag_conflict(&mut self, a: RuleId, b: RuleId, cycle: u64, done: &mut Curation) {
        done.counts.conflicts += 1;
        let sources = self.insights.iter().filter(|insight| insight.id == a || insight.id == b);
        for episode in sources.flat_map(|insight| &insight.learned_from) {
            let (reason, priority) = (TagReason::UnresolvedConflict, DreamPriority::High);
            if self.grimoire.contains(*episode) && !done.tags.iter().any(|tag| tag.episode == *episode) {
                done.tags.push(DreamTag { episode: *episode, reason, priority, cycle });
            }
        }
    }

    /// A dream's conclusion and a waking insight that rest on different episodes both gain, once for each conclusion.
    fn corroborate(&mut self, claim: RuleId, insight: RuleId, by: f64, now: Tick) -> bool {
        let Some(dreamt) = self.later.staging.claims().iter().find(|staged| staged.id == claim) else {
            return false;
        };
        let sources = dreamt.learned_from.clone();
        let independent = |insight: &Insight| !insight.learned_from.iter().any(|id| sources.contains(id));
        if !self.insights.iter().any(|known| known.id == insight && independent(known)) {
            return false;
        }
        self.with(insight, |known| {
            known.confidence = (known.confidence + by).min(CONFIDENCE_CAP);
            known.standing.validate(now);
        });
        for staged in self.later.staging.claims_mut().filter(|staged| staged.id == claim) {
            staged.confidence = (staged.confidence + by).min(CONFIDENCE_CAP);
            staged.standing.validate(now);
        }
        self.later.corroborated.push(claim);
        let excess = self.later.corroborated.len().saturating_sub(super::MAX_UNCURATED);
        self.later.corroborated.drain(..excess);
        true
    }
}

fn name_sources(insight: &mut Insight, new: Vec<crate::base::EpisodeId>) {
    insight.learned_from.extend(new);
    let excess = insight.learned_from.len().saturating_sub(MAX_SOURCES);
    insight.learned_from.drain(..excess);
}
