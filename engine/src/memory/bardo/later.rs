//! Knowledge that a newborn hasn't got. Until there is some, it takes the room of a pointer, because many golems die young. It is lazy
//! allocation (copy on write of a shared empty value), for memory usage alone: it changes no result.

use crate::dream::DreamJournalEntry;
use crate::dream::report::DreamFinding;
use crate::episode::{Claim, Course, Lesson, ThreatKind, ThreatRecord};
use crate::llm::EpisodeBrief;
use crate::market::Strategy;
use crate::memory::legacy::HeldRule;
use crate::memory::{Inheritance, MemoryEvent};
use crate::replay::causal::CausalStore;
use crate::replay::{PrimitiveLedger, StayValues};
use morta_base::lazy_box::{Blank, LazyBox};
use morta_base::{EpisodeId, RuleId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Knowledge that comes with trades, dreams and inheritances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Learned {
    /// Trades that the Curator sent back, because their clusters were too small so far.
    pub waiting: Vec<EpisodeBrief>,
    /// Trades since the last contrast, by strategy.
    pub contrasts: BTreeMap<Strategy, Vec<EpisodeBrief>>,
    /// Dream conclusions that a waking insight has corroborated, the latest of them.
    pub corroborated: Vec<RuleId>,
    /// What became of each thing inherited, from its reception on.
    pub inheritance: Vec<Inheritance>,
    /// Findings of a dying golem's last dream, which can't be tested any more; for the testament.
    pub draft: Vec<Lesson>,
    /// Threats that dreams have rehearsed, each with the outcomes of its warnings since.
    pub threats: BTreeMap<ThreatKind, ThreatRecord>,
    /// The dream diary, oldest first; older entries stay while a claim of theirs is under test.
    pub journal: Vec<DreamJournalEntry>,
    /// Courses of reviewed positions, by the trade that they became.
    pub courses: BTreeMap<EpisodeId, Course>,
    /// Values of staying in, as far as dreams have learnt them.
    pub stay_values: StayValues,
    /// Causal knowledge. Its counts are large (fifteen by fifteen), and a golem that hasn't dreamt has none.
    pub causal: LazyBox<CausalStore>,
    /// The situations that dreams have labelled, those of forgotten episodes included.
    pub primitives: PrimitiveLedger,
    /// The finding that the last dream kept in mind, a keyword of the next one's onset.
    pub residue: Option<Claim>,
    /// Findings that the last dream left unprocessed; the next one takes them up.
    pub unfinished: Vec<DreamFinding>,
    /// Events that the golem has yet to take, in their order.
    pub events: Vec<MemoryEvent>,
    /// The predecessor's playbook, for comparison.
    pub reference: Vec<HeldRule>,
}

/// The shared empty value of golems without any of it.
static NOTHING: LazyLock<Learned> = LazyLock::new(Learned::default);

impl Blank for Learned {
    fn blank() -> &'static Self {
        &NOTHING
    }
}

/// The shared empty value of golems that have counted nothing.
static UNCOUNTED: LazyLock<CausalStore> = LazyLock::new(CausalStore::default);

impl Blank for CausalStore {
    fn blank() -> &'static Self {
        &UNCOUNTED
    }
}
