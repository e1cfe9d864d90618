//! What an architecture that dreams answers besides.

use super::{Curation, CuratorVisit};
use crate::curator::{CuratorReport, CuratorRequest};
use crate::dream::integration::IntegrationOutcome;
use crate::dream::micro::{MicroConfig, MicroOutcome};
use crate::dream::report::Finding;
use crate::dream::{DreamConfig, DreamJournalEntry, DreamReport, DreamView, Entry};
use crate::episode::{Grimoire, ThreatKind, ThreatRecord};
use crate::lethe::testament::{Remembered, Section, ToxicEntry, UnvalidatedDream};
use crate::llm::LlmConfig;
use crate::mortality::Phase;
use crate::replay::ReplayContext;
use crate::replay::causal::CausalConfig;
use morta_base::{EpisodeId, Tick};
use std::collections::BTreeMap;

/// A dream as far as its memory needs to know of it.
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

/// What became of a dream's report.
#[derive(Clone, Debug, PartialEq)]
pub struct Integrated {
    /// What was done to the memory.
    pub outcome: IntegrationOutcome,
    /// The dream as its journal keeps it.
    pub entry: DreamJournalEntry,
}

/// How many conclusions a memory holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnowledgeCounts {
    /// Rules in force.
    pub rules: u32,
    /// Claims under test.
    pub staged: u32,
}

/// How the golem's clocks stand, as far as its knowledge is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockSigns {
    /// Balance over endowment.
    pub economic: f64,
    /// Epistemic fitness.
    pub fitness: f64,
    /// Behavioural phase.
    pub phase: Phase,
}

/// A memory that dreams: what a dream may read of it, and what is done to it with what the dream found.
///
/// A dream reads through [`DreamView`] and acts on nothing. Its report comes back through [`integrate`](Self::integrate), the only
/// method from which a playbook can change: what is lent for it ([`crate::dream::integration::Mind`]) is written by
/// [`crate::dream::integration`] alone.
///
/// The first eight methods are those without which nobody dreams. Those with a body serve the Curator, housekeeping and the
/// testament; an architecture may leave any of them to what is said here.
pub trait Dreams {
    /// The episodes that dreams replay.
    fn grimoire(&self) -> &Grimoire;

    /// Threats met or rehearsed.
    fn threats(&self) -> &BTreeMap<ThreatKind, ThreatRecord>;

    /// Episodes since the last dream; they press for the next one.
    fn unreplayed(&self) -> u32;

    /// Mean quality of its latest dreams, so many of them, as far as life has judged them by now, 0 to 1; none before the first.
    fn quality(&self, _latest: usize) -> Option<f64> {
        None
    }

    /// Share of the conclusions of its latest dreams that life has borne out, of those it has decided, 0 to 1; none while these are fewer
    /// than `least`.
    fn replay_accuracy(&self, _latest: usize, _least: u32) -> Option<f64> {
        None
    }

    /// What it holds, by count.
    fn counts(&self) -> KnowledgeCounts;

    /// What a dream may read.
    fn view<'a>(&'a self, occasion: DreamOccasion<'a>) -> DreamView<'a>;

    /// Takes in what a dream found; each replayed episode gains `strengthen` of strength, 0 or more.
    fn integrate(&mut self, report: &mut DreamReport, now: Tick, strengthen: f64) -> Integrated;

    /// A dream was broken off; its report goes no further than the journal.
    fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry;

    /// Findings that nobody will test any more, for those who come after: of the last dream, or of a dying golem's life review.
    fn draft_testament(&mut self, findings: &[Finding]);

    /// A waking look at new episodes. There is no way from here to the playbook.
    fn micro_consolidate(&mut self, _fresh: &[EpisodeId], _config: &MicroConfig) -> MicroOutcome {
        MicroOutcome::default()
    }

    /// What the Curator is to look at this time; `None` for nothing.
    fn curator_request(&mut self, _visit: CuratorVisit<'_>) -> Option<CuratorRequest> {
        None
    }

    /// Does what the Curator says. Entries below a confidence of `low_below` count as low this time.
    fn hear_curator(&mut self, _report: CuratorReport, _low_below: f64, _now: Tick) -> Curation {
        Curation::default()
    }

    /// Lets go of what has lost its worth; asked for every 50 ticks of a life. Returns the rules that left.
    fn housekeeping(&mut self, _signs: ClockSigns, _now: Tick) -> Vec<Entry> {
        Vec::new()
    }

    /// The episodes a dying golem may look back on.
    fn reviewable(&self) -> Vec<Remembered> {
        Vec::new()
    }

    /// The nine sections of a testament.
    fn testament_sections(&self, _causal: &CausalConfig) -> Vec<Section> {
        Section::none()
    }

    /// What it believed against experience, for the testament of a golem that died of that.
    fn autopsy(&self) -> Vec<ToxicEntry> {
        Vec::new()
    }

    /// Dreams of which nothing was borne out.
    fn unvalidated_dreams(&self) -> Vec<UnvalidatedDream> {
        Vec::new()
    }
}
