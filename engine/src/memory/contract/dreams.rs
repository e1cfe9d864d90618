//! What an architecture that dreams answers besides.

use super::{Curates, Testifies};
use crate::dream::integration::IntegrationOutcome;
use crate::dream::micro::{MicroConfig, MicroOutcome};
use crate::dream::report::Finding;
use crate::dream::{DreamConfig, DreamJournalEntry, DreamReport, DreamView};
use crate::episode::{Grimoire, ThreatKind, ThreatRecord};
use crate::llm::LlmConfig;
use crate::mortality::Phase;
use crate::replay::ReplayContext;
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
/// What only some dreamers do has a body, here and in the two traits besides: [`Curates`] and [`Testifies`].
pub trait Dreams: Curates + Testifies {
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

    /// A dream was broken off: of its report the journal is kept, and what it leaves unfinished.
    fn note_broken_dream(&mut self, report: &DreamReport, now: Tick) -> DreamJournalEntry;

    /// Findings that nobody will test any more, for those who come after: of the last dream, or of a dying golem's life review.
    fn draft_testament(&mut self, findings: &[Finding]);

    /// A waking look at new episodes. There is no way from here to the playbook.
    fn micro_consolidate(&mut self, _fresh: &[EpisodeId], _config: &MicroConfig) -> MicroOutcome {
        MicroOutcome::default()
    }
}
