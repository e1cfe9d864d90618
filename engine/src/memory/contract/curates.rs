//! Curation and housekeeping of a dreamer's memory: the capability of waking maintenance (garbage collection, knowledge base maintenance).
//!
//! Confidence runs from 0 to 1, intervals are in ticks. Where `curator.enabled` (the default) the Curator comes every
//! `curator.interval_ticks` (50) of a waking life, half as often or not at all in late phases (`mortality.phases.curator`, on by default)
//! and not in a sleep window; housekeeping comes every 50 ticks whatever the keys. Both are for waking golems only. Requests go out and
//! reports come back a tick later as data, because the Curator is a service without access to the memory.
//!
//! The trait is a part of `Dreams` and reached through `MemoryArchitecture::dreams`, so that a memory that can't dream isn't curated; one
//! that can is, though `dream.enabled` be off. What a request holds is all that the Curator knows of a memory.

use super::ClockSigns;
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest, DreamTag};
use crate::dream::BeliefEntry;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// A capability trait for maintenance (background cleanup) of a dreamer's memory between dreams. By default an architecture does nothing.
pub trait Curates {
    /// The request to the Curator; `None` for nothing.
    fn curator_request(&mut self, _visit: CuratorVisit<'_>) -> Option<CuratorRequest> {
        None
    }

    /// Executes the Curator's report. Insights that are below a confidence of `low_below` after it count one low cycle more, others none:
    /// the memory keeps the count and shows it in its next request, because the Curator archives after `curator.low_cycles` (3) in a row.
    fn apply_curator_report(&mut self, _report: CuratorReport, _low_below: f64, _now: Tick) -> Curation {
        Curation::default()
    }

    /// Removes entries that have lost their worth; called every 50 ticks of a life, the digest's Curator cycle. Returns the rules
    /// that left.
    fn housekeeping(&mut self, _signs: ClockSigns, _now: Tick) -> Vec<BeliefEntry> {
        Vec::new()
    }
}

/// The input of a maintenance cycle: a golem's cycle with the Curator.
#[derive(Clone, Copy, Debug)]
pub struct CuratorVisit<'a> {
    /// Its number in the golem's life: age over `curator.interval_ticks`, from 1. Where it comes half as often, every other is missing.
    pub cycle: u64,
    /// Whether all entries are compared with each other this time.
    pub deep: bool,
    /// Factor of epistemic age on a confidence that is held against the promotion threshold, 0 to 1.
    pub age_discount: f64,
    /// The keys.
    pub config: &'a CuratorConfig,
}

/// Counters of one maintenance cycle: entries added, upvoted, edited, merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurationCounts {
    /// Conclusions drawn.
    pub added: u32,
    /// Conclusions that the admission gate turned down.
    pub turned_away: u32,
    /// Conclusions held back to the next cycle: they contradict a trusted entry.
    pub quarantined: u32,
    /// Insights confirmed.
    pub upvoted: u32,
    /// Insights contradicted.
    pub downvoted: u32,
    /// Insights whose size was corrected.
    pub edited: u32,
    /// Candidates that were given a voice.
    pub promoted: u32,
    /// Insights that lost theirs.
    pub demoted: u32,
    /// Insights staged as rules.
    pub proposed: u32,
    /// Insights merged into others.
    pub merged: u32,
    /// Pairs that contradict each other.
    pub conflicts: u32,
    /// Dream conclusions that an independent insight corroborated.
    pub corroborated: u32,
}

/// The maintenance report of one cycle, for the event log: the changeset of the memory, with the claims that it evicted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curation {
    /// By count.
    pub counts: CurationCounts,
    /// Episodes tagged for the next dream.
    pub tags: Vec<DreamTag>,
    /// Claims that were staged.
    pub staged: Vec<BeliefEntry>,
    /// Claims under test that were evicted to make room for these.
    pub displaced: Vec<BeliefEntry>,
}
