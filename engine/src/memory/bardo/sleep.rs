//! The interface between this memory and its dreams: the view that a dream gets, and the integration of its report (adapter).
//!
//! Quality and accuracy run from 0 to 1, counts are numbers of entries. The view is lent for reading only; every change comes back as a
//! report. Dreams and `micro_consolidate` need `dream.enabled`, off by default. The golem lends the view at each step of a dream and calls
//! `integrate` once, on waking; a dream that is broken off leaves its journal entry and its findings for the next. `micro_consolidate` runs
//! awake. Quality enters sleep pressure; accuracy sets the replay mode, but only where `dream.replay.confused_by` is "replays".

use super::Bardo;
use crate::dream::integration::{self, IntegrationOutcome};
use crate::dream::micro::{self, MicroConfig, MicroOutcome, WakingMind};
use crate::dream::report::DreamFinding;
use crate::dream::{BeliefEntry, DreamJournalEntry, DreamReport, DreamView};
use crate::episode::{
    EntryKind, Evidence, Grimoire, LeavingReason, Lesson, StagingVerdict, ThreatKind, ThreatRecord,
};
use crate::memory::{
    DreamOccasion, DreamValidation, Dreams, Integrated, KnowledgeCounts, MemoryEvent, VoiceSource,
};
use crate::replay::causal::{CausalLink, CausalStore};
use crate::replay::predictive_accuracy;
use morta_base::{DreamId, EpisodeId, Tick};
use std::collections::{BTreeMap, BTreeSet};

/// Most dreams in the journal; the oldest leaves. Our choice: a dream after which a claim is still undecided no longer changes its row.
/// Half and twice as many changed no byte of four worlds (`scenarios/sensitivity/knobs.toml`).
const JOURNAL: usize = 32;

impl Dreams for Bardo {
    fn grimoire(&self) -> &Grimoire {
        &self.grimoire
    }

    fn threats(&self) -> &BTreeMap<ThreatKind, ThreatRecord> {
        &self.later.threats
    }

    fn unreplayed(&self) -> u32 {
        self.unreplayed
    }

    fn quality(&self, latest: usize) -> Option<f64> {
        // A broken dream would count as a bad one because its end is missing.
        let whole = self.journal().iter().rev().filter(|entry| !entry.is_partial);
        let (count, sum) =
            whole.take(latest).fold((0_u32, 0.0), |(n, sum), entry| (n + 1, sum + entry.dream_quality_score));
        (count > 0).then(|| sum / f64::from(count))
    }

    fn replay_accuracy(&self, latest: usize, least: u32) -> Option<f64> {
        let entries = self.journal().iter().rev().take(latest);
        let mut insights = Evidence::NONE;
        entries.for_each(|entry| insights.add(entry.live.insights));
        let Evidence { confirmed, contradicted } = insights;
        predictive_accuracy(confirmed, contradicted).filter(|_| insights.tests() >= least.max(1))
    }

    fn counts(&self) -> KnowledgeCounts {
        KnowledgeCounts {
            rules: self.beliefs.rules().len() as u32,
            staged: self.beliefs.under_test().len() as u32,
        }
    }

    fn view<'a>(&'a self, occasion: DreamOccasion<'a>) -> DreamView<'a> {
        let DreamOccasion { cycle, now, config, llm } = occasion;
        DreamView {
            grimoire: &self.grimoire,
            insights: self.beliefs.insights(),
            rules: self.beliefs.rules(),
            staged: self.beliefs.under_test(),
            threats: &self.later.threats,
            courses: &self.later.courses,
            stay_values: &self.later.stay_values,
            causal: &self.later.causal,
            primitives: &self.later.primitives,
            journal: &self.later.journal,
            unfinished: &self.later.unfinished,
            residue: self.later.residue,
            cycle,
            now,
            config,
            llm,
        }
    }

    /// Compares new episodes with insights, awake. The playbook isn't lent.
    fn micro_consolidate(&mut self, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
        let insights = self.beliefs.insights_mut().collect();
        let mut mind = WakingMind { grimoire: &mut self.grimoire, insights };
        micro::consolidate(&mut mind, fresh, config)
    }

    /// Adds findings that can't be tested any more to the draft of the testament; a later one replaces an earlier one on the same
    /// subject.
    fn draft_testament(&mut self, findings: &[DreamFinding]) {
        for finding in findings {
            let pattern = &finding.pattern;
            self.later.draft.retain(|known| !known.claim.same_subject(&pattern.claim));
            self.later.draft.push(Lesson {
                kind: EntryKind::Question,
                claim: pattern.claim,
                confidence: integration::first_confidence(finding, &self.consolidation),
                confirmed: 0,
                contradicted: 0,
                origin: self.golem,
                unfinished: true,
                finding: finding.kind,
                learned_from: pattern.learned_from.clone(),
                outcomes_behind: pattern.learned_from.len() as u32,
            });
        }
    }

    /// Integrates a dream's report; replayed episodes gain `strengthen` of strength. The dream enters the journal. Its residue
    /// replaces the last one: it lasts for one cycle (dream architecture, "targeted dream incubation").
    fn integrate(&mut self, report: &mut DreamReport, now: Tick, strengthen: f64) -> Integrated {
        let (golem, config) = (self.golem, self.consolidation.clone());
        let outcome = integration::integrate(report, golem, now, &mut self.mind(), &config, strengthen);
        self.draw_conclusions(&outcome, now);
        outcome.staged.iter().for_each(|claim| self.account_for_staged(claim));
        for replayed in &report.replayed {
            self.account.call_on(VoiceSource::Episode(replayed.episode));
        }
        self.unreplayed = 0;
        if let Some(credited) = report.credit.take() {
            self.later.stay_values = credited.values;
        }
        if let Some(known) = report.causal.take() {
            self.learn_links(*known);
        }
        if let Some(labelled) = report.primitives.take() {
            self.later.primitives = *labelled;
        }
        self.later.residue = report.residue;
        self.later.unfinished = std::mem::take(&mut report.unfinished);
        let entry = integration::journal_entry(report, &outcome, now);
        self.note_dream(entry.clone());
        Integrated { outcome, entry }
    }

    /// Notes a dream that was interrupted: it enters the journal, and its findings go to the next dream.
    fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry {
        self.later.unfinished.clone_from(&report.unfinished);
        let entry = integration::journal_entry(report, &IntegrationOutcome::default(), now);
        self.note_dream(entry.clone());
        entry
    }
}

impl Bardo {
    /// Keeps a dream's causal counts, and reports links that became firm or ceased to be.
    fn learn_links(&mut self, known: CausalStore) {
        let learned = &mut *self.later;
        let among = |links: &[CausalLink], link: &CausalLink| {
            links.iter().any(|other| (other.cause, other.effect()) == (link.cause, link.effect()))
        };
        let new = known.links().iter().filter(|link| !among(learned.causal.links(), link));
        let gone = learned.causal.links().iter().filter(|link| !among(known.links(), link));
        let new = new.map(|link| MemoryEvent::LinkLearned(*link));
        let events: Vec<MemoryEvent> = new.chain(gone.map(|link| MemoryEvent::LinkLost(*link))).collect();
        learned.events.extend(events);
        *learned.causal = known;
    }

    /// Follows integration's changes to rules in the rest of the memory: disproved claims are stored as such, displaced rules are
    /// archived, and an inherited claim that is in force now counts as a rule.
    fn draw_conclusions(&mut self, outcome: &IntegrationOutcome, now: Tick) {
        for disproof in &outcome.disproved {
            self.learn_better(disproof.clone(), now);
        }
        let disproved = |rule: &BeliefEntry| outcome.disproved.iter().any(|gone| gone.belief.id == rule.id);
        // What was disproved is kept as such instead: the archive would bring it back as a candidate.
        for rule in outcome.retired.iter().filter(|rule| !disproved(rule)) {
            let replaced = self.beliefs.rule_on(&rule.claim).is_some();
            let reason = if replaced { LeavingReason::Superseded } else { LeavingReason::Capacity };
            self.put_away(rule.clone(), reason, now);
        }
        self.note_admitted(&outcome.admitted);
        // Rules that had to make room are reported as entries that left.
        let _ = self.make_room(now);
    }

    /// Marks inherited claims that have become rules.
    pub(super) fn note_admitted(&mut self, rules: &[BeliefEntry]) {
        for inherited in &mut self.later.inheritance {
            inherited.became_rule |= rules.iter().any(|rule| inherited.is_entry(rule.id));
        }
    }

    fn note_dream(&mut self, entry: DreamJournalEntry) {
        self.later.journal.push(entry);
        let excess = self.later.journal.len().saturating_sub(JOURNAL);
        if excess == 0 {
            return;
        }
        // A claim may be decided many dreams later, and its dream's entry has to be there to be corrected.
        let waited_for: BTreeSet<DreamId> =
            self.beliefs.under_test().iter().filter_map(|claim| claim.dream).collect();
        let mut older = excess;
        self.later.journal.retain(|entry| {
            let is_older = older > 0;
            older = older.saturating_sub(1);
            !is_older || waited_for.contains(&entry.id)
        });
    }

    /// The log (history) of dreams, oldest dream first, bounded by `JOURNAL`.
    pub fn journal(&self) -> &[DreamJournalEntry] {
        &self.later.journal
    }

    /// Credit assignment: credits or debits the dream of a claim whose test is over.
    pub(super) fn credit_its_dream(&mut self, staged: &BeliefEntry, verdict: StagingVerdict) {
        let confirmed = match verdict {
            StagingVerdict::Promoted => true,
            StagingVerdict::Refuted => false,
            StagingVerdict::Expired | StagingVerdict::Displaced => return,
        };
        let learned = &mut *self.later;
        let Some(entry) = learned.journal.iter_mut().find(|entry| Some(entry.id) == staged.dream) else {
            return;
        };
        entry.note_live_verdict(staged.finding, confirmed);
        let live = entry.live;
        let validation = DreamValidation {
            id: entry.id,
            confirmed: live.insights.confirmed,
            refuted: live.insights.contradicted,
            by_kind: live,
            replay_predictive_accuracy: live.replay_accuracy(),
            quality: entry.dream_quality_score,
        };
        learned.events.push(MemoryEvent::DreamValidated(validation));
    }
}
