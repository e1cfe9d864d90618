//! What a newborn has nothing of yet. It takes the room of a pointer until then: many golems die young.

use crate::dream::DreamJournalEntry;
use crate::dream::report::Finding;
use crate::episode::{Claim, Course, Lesson, ThreatKind, ThreatRecord};
use crate::llm::EpisodeBrief;
use crate::market::Strategy;
use crate::memory::legacy::HeldRule;
use crate::memory::{Inheritance, MemoryEvent};
use crate::replay::StayValues;
use crate::replay::causal::CausalStore;
use morta_base::lazy_box::{Blank, LazyBox};
use morta_base::{EpisodeId, RuleId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What comes with trades, dreams and inheritances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Learned {
    /// Trades whose clusters were too small so far.
    pub waiting: Vec<EpisodeBrief>,
    /// Trades since the last contrast, by strategy.
    pub contrasts: BTreeMap<Strategy, Vec<EpisodeBrief>>,
    /// Dream conclusions that a waking insight has spoken for already, the latest of them.
    pub corroborated: Vec<RuleId>,
    pub inheritance: Vec<Inheritance>,
    /// Findings of a dying golem's last dream, which nobody can test any more; for the testament.
    pub draft: Vec<Lesson>,
    pub threats: BTreeMap<ThreatKind, ThreatRecord>,
    pub journal: Vec<DreamJournalEntry>,
    /// How positions went that were thought over, by the trade they became.
    pub courses: BTreeMap<EpisodeId, Course>,
    /// What staying in is worth, as far as dreams have gone through it.
    pub stay_values: StayValues,
    /// What follows what; its counts are large, and who hasn't dreamt has none.
    pub causal: LazyBox<CausalStore>,
    pub residue: Option<Claim>,
    /// What the last dream left unfinished.
    pub unfinished: Vec<Finding>,
    /// What its golem has yet to hear of, in the order it happened.
    pub events: Vec<MemoryEvent>,
    /// What the predecessor lived by, for comparison.
    pub reference: Vec<HeldRule>,
}

/// What everybody reads who has nothing.
static NOTHING: LazyLock<Learned> = LazyLock::new(Learned::default);

impl Blank for Learned {
    fn blank() -> &'static Self {
        &NOTHING
    }
}

/// What everybody reads who has counted nothing.
static UNCOUNTED: LazyLock<CausalStore> = LazyLock::new(CausalStore::default);

impl Blank for CausalStore {
    fn blank() -> &'static Self {
        &UNCOUNTED
    }
}
