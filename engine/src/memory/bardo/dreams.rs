//! What a dream and the Curator are lent of this memory, and how what they conclude comes in.

use super::Bardo;
use crate::curator::{CuratorReport, CuratorRequest};
use crate::dream::micro::{MicroConfig, MicroOutcome};
use crate::dream::report::Finding;
use crate::dream::{DreamJournalEntry, DreamReport, DreamView, Entry};
use crate::episode::{Grimoire, ThreatKind, ThreatRecord};
use crate::lethe::testament::{Remembered, Section, ToxicEntry, UnvalidatedDream};
use crate::memory::contract::{
    ClockSigns, Curation, CuratorVisit, DreamOccasion, Dreams, Integrated, KnowledgeCounts,
};
use crate::replay::causal::CausalConfig;
use crate::replay::predictive_accuracy;
use morta_base::{EpisodeId, Tick};
use std::collections::BTreeMap;

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
        let whole = self.journal().iter().rev().filter(|entry| !entry.is_partial);
        let (count, sum) =
            whole.take(latest).fold((0_u32, 0.0), |(n, sum), entry| (n + 1, sum + entry.dream_quality_score));
        (count > 0).then(|| sum / f64::from(count))
    }

    fn replay_accuracy(&self, latest: usize, least: u32) -> Option<f64> {
        let entries = self.journal().iter().rev().take(latest);
        let (confirmed, refuted) =
            entries.fold((0, 0), |(yes, no), entry| (yes + entry.confirmed_live, no + entry.refuted_live));
        predictive_accuracy(confirmed, refuted).filter(|_| confirmed + refuted >= least.max(1))
    }

    fn counts(&self) -> KnowledgeCounts {
        KnowledgeCounts {
            rules: self.beliefs.rules().len() as u32,
            staged: self.beliefs.under_test().len() as u32,
        }
    }

    fn view<'a>(&'a self, occasion: DreamOccasion<'a>) -> DreamView<'a> {
        self.dream_view(occasion)
    }

    fn integrate(&mut self, report: &mut DreamReport, now: Tick, strengthen: f64) -> Integrated {
        self.integrate(report, now, strengthen)
    }

    fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry {
        self.note_broken_dream(report, now)
    }

    fn draft_testament(&mut self, findings: &[Finding]) {
        self.draft_testament(findings);
    }

    fn micro_consolidate(&mut self, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
        self.micro_consolidate(fresh, config)
    }

    fn curator_request(&mut self, visit: CuratorVisit<'_>) -> Option<CuratorRequest> {
        let request = self.curator_request(visit);
        (!request.is_empty()).then_some(request)
    }

    fn hear_curator(&mut self, report: CuratorReport, low_below: f64, now: Tick) -> Curation {
        self.hear_curator(report, low_below, now)
    }

    fn housekeeping(&mut self, signs: ClockSigns, now: Tick) -> Vec<Entry> {
        self.housekeeping(signs, now)
    }

    fn reviewable(&self) -> Vec<Remembered> {
        self.reviewable()
    }

    fn testament_sections(&self, causal: &CausalConfig) -> Vec<Section> {
        self.testament_sections(causal)
    }

    fn autopsy(&self) -> Vec<ToxicEntry> {
        self.autopsy()
    }

    fn unvalidated_dreams(&self) -> Vec<UnvalidatedDream> {
        self.unvalidated_dreams()
    }
}
