//! Curation and housekeeping: the request to the Curator, and the execution of its report (knowledge base maintenance).
//!
//! Confidence runs from 0 to 1, results are in R, times in ticks. The golem asks, with `curator.enabled` (the default), when it is awake
//! and due (every 50 ticks of age, half as often in conservation, not in decline), and the report comes back a tick later. The Curator only
//! proposes: what becomes of a proposal is decided here by the admission gate, the quarantine and the test of claims. Operations are
//! carried out in the report's order, since promotions depend on votes before them.

use super::Bardo;
use crate::curator::config::CONFIDENCE_CAP;
use crate::curator::letter::consolidation_priority;
use crate::curator::{
    Conclusion, Curatable, CuratorReport, CuratorRequest, DreamTag, Flagged, KnownInsight, Operation,
    TagReason,
};
use crate::dream::integration::admission::{Admission, AdmissionCase, AdmissionScore, kind_prior};
use crate::dream::integration::{self, StagingResult, put_to_test};
use crate::dream::{Belief, BeliefEntry, Status};
use crate::episode::{Claim, DecayClass, DreamPriority, EntryKind, Evidence, LeavingReason, Provenance};
use crate::llm::EpisodeBrief;
use crate::memory::{ClockSigns, Curates, Curation, CurationCounts, CuratorVisit};
use morta_base::{EpisodeId, RuleId, Tick};

/// Most sources named by an insight; the newest are kept. They stand in events and bequests, so they are bounded; its evidence
/// counts all of them.
const MAX_SOURCES: usize = 20;
/// Confidence from which an entry is strong enough to quarantine a newcomer that contradicts it. Our choice: the confidence at
/// which the digest promotes an insight (section 3); A-MAC says only "a strong entry".
const STRONG: f64 = 0.6;

/// The admission gate's answer to a new entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    Open,
    Shut,
    Quarantine,
}

/// A conclusion that applies to be kept as an insight.
#[derive(Clone, Debug)]
pub(super) struct NewInsight {
    pub belief: Belief,
    pub kind: EntryKind,
    /// Outcomes for it and against it, in any life.
    pub outcomes: Evidence,
}

impl Curates for Bardo {
    /// The request to the Curator. Trades that were handed in once are not handed in again, unless their clusters were too small.
    fn curator_request(&mut self, visit: CuratorVisit<'_>) -> Option<CuratorRequest> {
        let CuratorVisit { cycle, deep, age_discount, config } = visit;
        let every = config.contrast_every as usize;
        let due = self.later.contrasts.values_mut().filter(|trades| trades.len() >= every);
        let contrasts: Vec<Vec<EpisodeBrief>> = due.map(std::mem::take).collect();
        let uncurated = std::mem::take(&mut self.uncurated);
        let flagged = self.beliefs.under_test().iter().filter(|staged| {
            staged.is_partially_validated() && !self.later.corroborated.contains(&staged.id)
        });
        let mut request = CuratorRequest {
            cycle,
            deep,
            episodes: uncurated.into_iter().map(|brief| self.curatable(brief)).collect(),
            waiting: Vec::new(),
            contrasts,
            insights: self.beliefs.insights().iter().map(shown).collect(),
            flagged: flagged.map(|staged| Flagged { id: staged.id, claim: staged.claim }).collect(),
            age_discount,
        };
        if request.is_empty() {
            return None;
        }
        request.waiting = self.later.take_part(|learned| &mut learned.waiting);
        Some(request)
    }

    /// Executes the Curator's report, and returns what was done.
    fn apply_curator_report(&mut self, report: CuratorReport, low_below: f64, now: Tick) -> Curation {
        let mut done = Curation { tags: report.tags, ..Curation::default() };
        self.later.waiting = report.waiting;
        let excess = self.later.waiting.len().saturating_sub(super::MAX_UNCURATED);
        self.later.waiting.drain(..excess);
        // Quarantine is left before this cycle adds to it, so that every entry in it has waited for a whole cycle.
        self.leave_quarantine(now, &mut done.counts);
        for operation in report.operations {
            self.carry_out(operation, report.cycle, now, &mut done);
        }
        for insight in self.beliefs.insights_mut() {
            let low = insight.confidence < low_below;
            insight.standing.low_cycles = if low { insight.standing.low_cycles + 1 } else { 0 };
        }
        for tag in &done.tags {
            self.grimoire.tag(tag.episode, tag.priority);
        }
        done
    }

    /// Keeps house: every active entry pays the demurrage that is due; entries with too little left go; idle ones go while money is short;
    /// and if there are still too many, the least trusted go. Demurrage is paid once an interval, however often this is called, and the
    /// interval starts anew with every phase of life. Returns the rules that left.
    fn housekeeping(&mut self, signs: ClockSigns, now: Tick) -> Vec<BeliefEntry> {
        let demurrage = self.config.demurrage.clone();
        if self.phase.replace(signs.phase).is_some_and(|before| before != signs.phase) {
            // Digest section 12: a boundary between phases resets the clock, so nothing is owed from the last one.
            integration::restart_demurrage(&mut self.beliefs, now);
        }
        let fast = signs.fitness < demurrage.epistemic_pressure_below;
        let rules = integration::levy_demurrage(&mut self.beliefs, &demurrage, now, fast);
        for rule in &rules {
            self.put_away(rule.clone(), LeavingReason::ZeroConfidence, now);
        }
        self.let_go(now, LeavingReason::ZeroConfidence, |insight| demurrage.archives(insight.confidence));
        self.forget_refutations(|wrong| demurrage.archives(wrong.confidence));
        if signs.economic < demurrage.economic_pressure_below {
            self.let_go(now, LeavingReason::Idle, |insight| {
                now.saturating_sub(insight.standing.last_accessed) > demurrage.idle_ticks
            });
        }
        let mut gone = rules;
        gone.extend(self.make_room(now));
        gone
    }
}

impl Bardo {
    fn curatable(&self, brief: EpisodeBrief) -> Curatable {
        let slot = self.grimoire.slot_of(brief.id);
        let replays = slot.map_or(0, |slot| self.grimoire.replay_count()[slot]);
        let arousal = slot.map_or(0.0, |slot| f64::from(self.grimoire.arousal()[slot]));
        let priority = consolidation_priority(brief.realised_r, replays, arousal);
        Curatable { brief, priority }
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
                counts.promoted += u32::from(self.beliefs.set_active(id, true));
            }
            Operation::Demote(id) => {
                counts.demoted += u32::from(self.beliefs.set_active(id, false));
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

    fn with(&mut self, id: RuleId, change: impl FnOnce(&mut Belief)) -> bool {
        self.beliefs.insight_mut(id).map(change).is_some()
    }

    fn add(&mut self, conclusion: Conclusion, now: Tick, counts: &mut CurationCounts) {
        let id = self.new_rule_id();
        let (confirmed, contradicted) = (conclusion.confirmed, conclusion.contradicted);
        let evidence = Evidence { confirmed, contradicted };
        let belief = Belief {
            evidence,
            learned_from: conclusion.learned_from,
            ..Belief::new(id, conclusion.claim, conclusion.confidence, now)
        };
        let kind = EntryKind::for_claim(&belief.claim, EntryKind::Insight);
        match self.let_in(NewInsight { belief, kind, outcomes: evidence }, now) {
            Entrance::Open => counts.added += 1,
            Entrance::Shut => counts.turned_away += 1,
            Entrance::Quarantine => counts.quarantined += 1,
        }
    }

    /// A new insight, the Curator's or a predecessor's, passes the admission gate, with little confidence if its score is low. One with
    /// little support that contradicts a trusted entry waits for the next Curator cycle first (digest section 2, A-MAC).
    pub(super) fn let_in(&mut self, mut new: NewInsight, now: Tick) -> Entrance {
        let score = self.score(&new, now);
        let config = &self.consolidation.admission;
        if score.factual < config.min_factual && self.contradicts_the_trusted(&new.belief.claim) {
            self.beliefs.quarantine(new.belief, new.kind, new.outcomes);
            return Entrance::Quarantine;
        }
        match score.verdict(config) {
            Admission::Rejected => return Entrance::Shut,
            Admission::Cautious => {
                new.belief.confidence = new.belief.confidence.min(config.cautious_confidence);
            }
            Admission::Normal => {}
        }
        self.beliefs.add_candidate(new.belief, new.kind);
        Entrance::Open
    }

    fn score(&self, new: &NewInsight, now: Tick) -> AdmissionScore {
        let case = AdmissionCase {
            claim: new.belief.claim,
            outcomes: new.outcomes,
            mean_r: None,
            last_tested: now,
            type_prior: kind_prior(new.kind),
        };
        let known = self.beliefs.insights().iter().map(|insight| insight.claim);
        AdmissionScore::weigh(&case, known, now, &self.consolidation.admission)
    }

    /// Entries that waited for a cycle go to the gate; if what they contradict is still trusted, they are dropped.
    fn leave_quarantine(&mut self, now: Tick, counts: &mut CurationCounts) {
        for entry in self.beliefs.leave_quarantine() {
            let Status::Quarantined { kind, outcomes } = entry.status() else { continue };
            let opposed = self.contradicts_the_trusted(&entry.claim);
            let new = NewInsight { belief: entry.into_belief(), kind, outcomes };
            match opposed || self.let_in(new, now) == Entrance::Shut {
                true => counts.turned_away += 1,
                false => counts.added += 1,
            }
        }
    }

    fn contradicts_the_trusted(&self, new: &Claim) -> bool {
        let known = self.beliefs.rules().iter().chain(self.beliefs.insights());
        known.into_iter().any(|known| {
            let claim = &known.claim;
            known.confidence >= STRONG && claim.same_subject(new) && !claim.agrees_with(new)
        })
    }

    /// An upvote validates: the clock of demurrage starts anew (digest section 12).
    fn vote(&mut self, id: RuleId, by: f64, votes: Conclusion, now: Tick) -> bool {
        self.with(id, |insight| {
            insight.confidence = (insight.confidence + by).clamp(0.0, CONFIDENCE_CAP);
            insight.evidence.add(Evidence { confirmed: votes.confirmed, contradicted: votes.contradicted });
            if by > 0.0 {
                insight.standing.validate(now);
            }
            name_sources(insight, votes.learned_from);
        })
    }

    /// Stages a copy of an insight that the Curator proposes; the insight stays as it is. (The spec's single writer: the Curator
    /// proposes, and only integration admits, after the test.)
    fn propose(&mut self, id: RuleId, now: Tick, done: &mut Curation) {
        let Some(insight) = self.beliefs.insight(id) else { return };
        if self.beliefs.rule_on(&insight.claim).is_some() {
            return;
        }
        let id = RuleId { golem: self.golem, number: self.next_rule };
        let belief = Belief {
            origin: insight.origin,
            provenance: insight.provenance,
            learned_from: insight.learned_from.clone(),
            ..Belief::new(id, insight.claim, self.consolidation.insight_confidence, now)
        };
        let consolidation = self.consolidation.clone();
        if let StagingResult::Staged { claim, displaced } =
            put_to_test(belief, false, &mut self.mind(), now, &consolidation)
        {
            done.counts.proposed += 1;
            self.account_for_staged(&claim);
            done.displaced.extend(displaced.map(|left| *left));
            done.staged.push(*claim);
        }
    }

    /// Merges two insights: the kept one's expected R becomes the mean weighted by the episodes behind both; the other is
    /// archived as superseded.
    fn merge(&mut self, kept: RuleId, gone: RuleId, now: Tick) -> bool {
        let Some(other) = self.beliefs.insight(gone).map(|insight| Belief::clone(insight)) else {
            return false;
        };
        let weight = |insight: &Belief| f64::from(insight.evidence.tests().max(1));
        let merged = self.with(kept, |insight| {
            let (a, b) = (weight(insight), weight(&other));
            insight.claim.expected_r = (a * insight.claim.expected_r + b * other.claim.expected_r) / (a + b);
            insight.evidence.add(other.evidence);
            name_sources(insight, other.learned_from);
        });
        if merged {
            self.archive_insight(gone, LeavingReason::Superseded, now);
        }
        merged
    }

    fn tag_conflict(&mut self, a: RuleId, b: RuleId, cycle: u64, done: &mut Curation) {
        done.counts.conflicts += 1;
        let sources = self.beliefs.insights().iter().filter(|insight| insight.id == a || insight.id == b);
        for episode in sources.flat_map(|insight| &insight.learned_from) {
            let (reason, priority) = (TagReason::UnresolvedConflict, DreamPriority::High);
            if self.grimoire.contains(*episode) && !done.tags.iter().any(|tag| tag.episode == *episode) {
                done.tags.push(DreamTag { episode: *episode, reason, priority, cycle });
            }
        }
    }

    /// A dream's conclusion and a waking insight gain from each other if they rest on different episodes (replay spec, "accelerated
    /// promotion": an independently observed waking pattern). On the same episodes they would only repeat each other. A conclusion gains
    /// once, as long as it is among the last 200 that did: the list of those is bounded, so an older one is flagged and may gain again.
    fn corroborate(&mut self, claim: RuleId, insight: RuleId, by: f64, now: Tick) -> bool {
        let Some(dreamt) = self.beliefs.under_test().iter().find(|staged| staged.id == claim) else {
            return false;
        };
        let independent = |insight: &Belief| {
            !insight.learned_from.iter().any(|source| dreamt.learned_from.contains(source))
        };
        if !self.beliefs.insight(insight).is_some_and(|known| independent(known)) {
            return false;
        }
        let gain = |known: &mut Belief| {
            known.confidence = (known.confidence + by).min(CONFIDENCE_CAP);
            known.standing.validate(now);
        };
        self.beliefs.insight_mut(insight).into_iter().for_each(gain);
        self.beliefs.claims_mut().filter(|staged| staged.id == claim).for_each(gain);
        self.later.corroborated.push(claim);
        let excess = self.later.corroborated.len().saturating_sub(super::MAX_UNCURATED);
        self.later.corroborated.drain(..excess);
        true
    }
}

fn name_sources(insight: &mut Belief, new: Vec<EpisodeId>) {
    insight.learned_from.extend(new);
    let excess = insight.learned_from.len().saturating_sub(MAX_SOURCES);
    insight.learned_from.drain(..excess);
}

/// An insight as the Curator sees it. An inherited one is foreign until an outcome has confirmed it, and foreign entries are
/// never promoted directly (digest section 3).
fn shown(insight: &BeliefEntry) -> KnownInsight {
    let nature = insight.nature();
    KnownInsight {
        id: insight.id,
        claim: insight.claim,
        confidence: insight.confidence,
        quality: insight.evidence.quality(insight.confidence),
        active: insight.is_active_insight(),
        structural: nature.class == DecayClass::Structural,
        spared: nature.kind == EntryKind::Warning || insight.provenance.bloodstain().is_some(),
        foreign: insight.provenance != Provenance::Own && insight.evidence.confirmed == 0,
        tested: insight.evidence.tests() > 0,
        accesses: insight.standing.accesses,
        low_cycles: insight.standing.low_cycles,
    }
}
