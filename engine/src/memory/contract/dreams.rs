//! The capability of dreaming: what a dream reads of a memory, and what comes back (offline consolidation interface).
//!
//! Quality, accuracy and fitness run from 0 to 1, strength is a multiple, times are in ticks. Reading goes through a view and writing
//! through a report, so that a dream can't act. Dreams and their waking part (`micro_consolidate`) also need `dream.enabled`, off by
//! default; curation and testament don't. A golem whose memory hasn't the capability doesn't dream, gets no visits of the Curator, and
//! leaves a testament with empty sections (after a sudden death those of its last snapshot's bequests).

use super::{Curates, Testifies};
use crate::dream::integration::IntegrationOutcome;
use crate::dream::micro::{MicroConfig, MicroOutcome};
use crate::dream::report::DreamFinding;
use crate::dream::{DreamConfig, DreamJournalEntry, DreamReport, DreamView};
use crate::episode::{Grimoire, ThreatKind, ThreatRecord};
use crate::llm::LlmConfig;
use crate::mortality::Phase;
use crate::replay::ReplayContext;
use morta_base::{EpisodeId, Tick};
use std::collections::BTreeMap;

/// The context (inputs) of a dream's sleep cycle, as far as its memory needs it.
#[derive(Clone, Copy, Debug)]
pub struct DreamOccasion<'a> {
    /// Its number in the golem's life.
    pub cycle: u32,
    /// The golem's situation, as replay sees it.
    pub now: ReplayContext<'a>,
    /// The keys of dreaming.
    pub config: &'a DreamConfig,
    /// The tiers of models and their prices.
    pub llm: &'a LlmConfig,
}

/// The result of memory consolidation: what integrating a dream's report has changed, and the journal's entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Integrated {
    /// The changes to the memory.
    pub outcome: IntegrationOutcome,
    /// The journal's entry.
    pub entry: DreamJournalEntry,
}

/// The size of the knowledge base by status: the rule count, and that of claims under test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnowledgeCounts {
    /// Rules in force.
    pub rules: u32,
    /// Claims under test.
    pub staged: u32,
}

/// Vital signs (a health summary) of the golem that maintenance depends on: money, fitness, phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockSigns {
    /// Balance over endowment.
    pub economic: f64,
    /// Epistemic fitness.
    pub fitness: f64,
    /// Behavioural phase.
    pub phase: Phase,
}

/// The capability of offline (sleep) consolidation, of a memory that dreams: it lends a view to a dream, and integrates its report.
///
/// A dream reads through [`DreamView`] and acts on nothing. Its report comes back through [`integrate`](Self::integrate), the
/// only way from a dream into a playbook: [`crate::dream::integration`] alone writes to what is lent for it
/// ([`crate::dream::integration::Mind`]).
///
/// Abilities that only some dreamers have are methods with default bodies, here and in the two traits besides: [`Curates`] and
/// [`Testifies`].
pub trait Dreams: Curates + Testifies {
    /// The episodes that dreams replay.
    fn grimoire(&self) -> &Grimoire;

    /// Threats that dreams have rehearsed, each with the outcomes of its warnings since.
    fn threats(&self) -> &BTreeMap<ThreatKind, ThreatRecord>;

    /// Episodes since the last dream; they add to urgency.
    fn unreplayed(&self) -> u32;

    /// Mean quality of its latest dreams (that many), as corrected so far, 0 to 1; none before the first.
    fn quality(&self, _latest: usize) -> Option<f64> {
        None
    }

    /// Share of confirmed conclusions among the decided ones of its latest dreams, 0 to 1; none while fewer than `least` are
    /// decided.
    fn replay_accuracy(&self, _latest: usize, _least: u32) -> Option<f64> {
        None
    }

    /// Its entries, by count.
    fn counts(&self) -> KnowledgeCounts;

    /// The view for a dream.
    fn view<'a>(&'a self, occasion: DreamOccasion<'a>) -> DreamView<'a>;

    /// Integrates a dream's report; each replayed episode gains `strengthen` of strength, 0 or more.
    fn integrate(&mut self, report: &mut DreamReport, now: Tick, strengthen: f64) -> Integrated;

    /// Notes a dream that was interrupted: its journal entry is kept, and its unprocessed findings.
    fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry;

    /// Takes findings that can't be tested any more into the testament: of the last dream, or of a dying golem's life review.
    fn draft_testament(&mut self, findings: &[DreamFinding]);

    /// Compares new episodes with insights, awake. The playbook can't be reached from here.
    fn micro_consolidate(&mut self, _fresh: &[EpisodeId], _config: &MicroConfig) -> MicroOutcome {
        MicroOutcome::default()
    }
}
