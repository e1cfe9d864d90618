//! What a newborn has nothing of yet. It takes the room of a pointer until then: many golems die young.

use super::moves::EntryMove;
use super::sleep::DreamValidation;
use super::{Proof, Verdict};
use crate::base::lazy_box::Blank;
use crate::base::{GolemId, RuleId};
use crate::dream::DreamJournalEntry;
use crate::episode::{Claim, Lesson, ThreatKind, ThreatRecord};
use crate::llm::EpisodeBrief;
use crate::market::Strategy;
use crate::memory::Inheritance;
use crate::memory::legacy::HeldRule;
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
    pub verdicts: Vec<Verdict>,
    pub threats: BTreeMap<ThreatKind, ThreatRecord>,
    pub journal: Vec<DreamJournalEntry>,
    pub residue: Option<Claim>,
    pub validations: Vec<DreamValidation>,
    /// What siblings told and life has borne out.
    pub borne_out: Vec<(GolemId, Claim)>,
    /// Entries that left or came back, to be told.
    pub moves: Vec<EntryMove>,
    /// What proved wrong, to be told.
    pub proofs: Vec<Proof>,
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
