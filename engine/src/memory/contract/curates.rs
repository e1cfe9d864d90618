//! What the Curator and housekeeping do to a dreamer's memory.

use super::ClockSigns;
use crate::curator::{CuratorConfig, CuratorReport, CuratorRequest, DreamTag};
use crate::dream::Entry;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// How a dreamer's memory is kept in order between dreams. An architecture may leave any of it to what is said here.
pub trait Curates {
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
}

/// A golem's cycle with the Curator.
#[derive(Clone, Copy, Debug)]
pub struct CuratorVisit<'a> {
    /// Its number in the golem's life.
    pub cycle: u64,
    /// Whether everything is held against everything this time.
    pub deep: bool,
    /// What the golem's epistemic age leaves of a confidence when it comes to promotion, 0 to 1.
    pub age_discount: f64,
    /// The keys.
    pub config: &'a CuratorConfig,
}

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

/// What a cycle did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curation {
    /// By count.
    pub counts: CurationCounts,
    /// Episodes tagged for the next dream.
    pub tags: Vec<DreamTag>,
    /// Claims put to the test.
    pub staged: Vec<Entry>,
    /// Claims that had to make room.
    pub displaced: Vec<Entry>,
}
