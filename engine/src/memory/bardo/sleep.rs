//! The doors between a memory and its dreams: what a dream may read, and how its report comes in.

use super::{Bardo, DraftLesson};
use crate::base::{DreamId, EpisodeId, Tick};
use crate::dream::integration::{self, IntegrationOutcome, Mind};
use crate::dream::micro::{self, MicroConfig, MicroOutcome, WakingMind};
use crate::dream::report::Finding;
use crate::dream::{DreamConfig, DreamJournalEntry, DreamReport, DreamView};
use crate::episode::{StagedClaim, StagingVerdict};
use crate::llm::LlmConfig;
use crate::replay::{ReplayContext, predictive_accuracy};
use serde::{Deserialize, Serialize};

/// What life has said of a dream's conclusions so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamValidation {
    /// The dream.
    pub id: DreamId,
    /// Conclusions borne out.
    pub confirmed: u32,
    /// Conclusions refuted.
    pub refuted: u32,
    /// The first over both.
    pub replay_predictive_accuracy: f64,
    /// The dream's quality, corrected by that.
    pub quality: f64,
}

impl Bardo {
    /// What the dream of that number may read.
    pub fn dream_view<'a>(
        &'a self,
        cycle: u32,
        now: ReplayContext<'a>,
        config: &'a DreamConfig,
        llm: &'a LlmConfig,
    ) -> DreamView<'a> {
        DreamView {
            grimoire: &self.grimoire,
            insights: &self.insights,
            rules: self.playbook.rules(),
            staged: self.staging.claims(),
            threats: &self.threats,
            journal: &self.journal,
            residue: self.residue,
            cycle,
            now,
            config,
            llm,
        }
    }

    /// A waking glance at new episodes. The playbook is out of its reach.
    pub fn consolidate_awake(&mut self, fresh: &[EpisodeId], config: &MicroConfig) -> MicroOutcome {
        let mut mind = WakingMind { grimoire: &mut self.grimoire, insights: &mut self.insights };
        micro::consolidate(&mut mind, fresh, config)
    }

    /// Puts findings that won't be tested any more into the draft of the testament; a later one on the same subject replaces
    /// an earlier one.
    pub fn draft_testament(&mut self, findings: &[Finding]) {
        for finding in findings {
            let pattern = &finding.pattern;
            self.draft.retain(|known| !known.claim.same_subject(&pattern.claim));
            self.draft.push(DraftLesson {
                claim: pattern.claim,
                kind: finding.kind,
                confidence: integration::first_confidence(finding, &self.consolidation),
                learned_from: pattern.learned_from.clone(),
            });
        }
    }

    /// Takes in what a dream concluded; replayed episodes gain `strengthen` of strength. The dream is noted in the journal,
    /// and what was kept in mind replaces what was kept before: it lasts for one cycle.
    pub fn integrate(
        &mut self,
        report: &mut DreamReport,
        now: Tick,
        strengthen: f64,
    ) -> (IntegrationOutcome, DreamJournalEntry) {
        let mut mind = Mind {
            grimoire: &mut self.grimoire,
            insights: &mut self.insights,
            staging: &mut self.staging,
            validated: &mut self.validated,
            tallies: &mut self.tallies,
            playbook: &mut self.playbook,
            threats: &mut self.threats,
            next_rule: &mut self.next_rule,
        };
        let outcome =
            integration::integrate(report, self.golem, now, &mut mind, &self.consolidation, strengthen);
        self.unreplayed = 0;
        self.residue = report.residue;
        let entry = integration::journal_entry(report, &outcome, now);
        self.note_dream(entry.clone());
        (outcome, entry)
    }

    /// A dream that was broken off leaves its journal and nothing else.
    pub fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry {
        let entry = integration::journal_entry(report, &IntegrationOutcome::default(), now);
        self.note_dream(entry.clone());
        entry
    }

    fn note_dream(&mut self, entry: DreamJournalEntry) {
        self.journal.push(entry);
        let excess = self.journal.len().saturating_sub(self.consolidation.max_journal_entries as usize);
        self.journal.drain(..excess);
    }

    /// Dreams, oldest first.
    pub fn journal(&self) -> &[DreamJournalEntry] {
        &self.journal
    }

    /// What life has said since the last call.
    pub fn take_validations(&mut self) -> Vec<DreamValidation> {
        std::mem::take(&mut self.validations)
    }

    /// A conclusion's test is over: the dream it comes from hears of it, if the journal still goes back that far.
    pub(super) fn tell_its_dream(&mut self, staged: &StagedClaim, verdict: StagingVerdict) {
        let confirmed = match verdict {
            StagingVerdict::Promoted => true,
            StagingVerdict::Refuted => false,
            StagingVerdict::Expired | StagingVerdict::Displaced => return,
        };
        let Some(entry) = self.journal.iter_mut().find(|entry| Some(entry.id) == staged.dream) else {
            return;
        };
        entry.hear_of_life(confirmed);
        let (confirmed, refuted) = (entry.confirmed_live, entry.refuted_live);
        self.validations.push(DreamValidation {
            id: entry.id,
            confirmed,
            refuted,
            replay_predictive_accuracy: predictive_accuracy(confirmed, refuted).unwrap_or(0.0),
            quality: entry.dream_quality_score,
        });
    }
}
