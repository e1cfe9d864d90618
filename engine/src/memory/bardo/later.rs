//! What a newborn has nothing of yet. It takes the room of a pointer until then: many golems die young.

use super::archive::EntryMove;
use super::sleep::DreamValidation;
use super::{DraftLesson, Proof, Verdict};
use crate::base::rare::Rare;
use crate::base::{GolemId, RuleId};
use crate::curator::Insight;
use crate::dream::DreamJournalEntry;
use crate::episode::{AntiKnowledge, Claim, StagedClaim, StagingBuffer, ThreatKind, ThreatRecord};
use crate::llm::EpisodeBrief;
use crate::market::Strategy;
use crate::memory::Inheritance;
use crate::memory::legacy::HeldRule;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// What comes with trades, dreams and inheritances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Learned {
    pub anti: Vec<AntiKnowledge>,
    pub quarantine: Vec<(Insight, (u32, u32))>,
    pub staging: StagingBuffer,
    pub validated: Vec<StagedClaim>,
    /// Trades whose clusters were too small so far.
    pub waiting: Vec<EpisodeBrief>,
    /// Trades since the last contrast, by strategy.
    pub contrasts: BTreeMap<Strategy, Vec<EpisodeBrief>>,
    /// Dream conclusions that a waking insight has spoken for already, the latest of them.
    pub corroborated: Vec<RuleId>,
    pub inheritance: Vec<Inheritance>,
    pub draft: Vec<DraftLesson>,
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
static NOTHING: Learned = Learned {
    anti: Vec::new(),
    quarantine: Vec::new(),
    staging: StagingBuffer::new(),
    validated: Vec::new(),
    waiting: Vec::new(),
    contrasts: BTreeMap::new(),
    corroborated: Vec::new(),
    inheritance: Vec::new(),
    draft: Vec::new(),
    verdicts: Vec::new(),
    threats: BTreeMap::new(),
    journal: Vec::new(),
    residue: None,
    validations: Vec::new(),
    borne_out: Vec::new(),
    moves: Vec::new(),
    proofs: Vec::new(),
    reference: Vec::new(),
};

/// It, made when it is first written to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Later(Rare<Learned>);

impl Later {
    /// It, if there is anything.
    pub fn learned(&mut self) -> Option<&mut Learned> {
        self.0.get_mut()
    }

    /// Takes a list whose entries have been told of, or are about to be.
    pub fn take<T>(&mut self, list: impl Fn(&mut Learned) -> &mut Vec<T>) -> Vec<T> {
        self.learned().map(|learned| std::mem::take(list(learned))).unwrap_or_default()
    }
}

impl Deref for Later {
    type Target = Learned;

    fn deref(&self) -> &Learned {
        self.0.get().unwrap_or(&NOTHING)
    }
}

impl DerefMut for Later {
    fn deref_mut(&mut self) -> &mut Learned {
        self.0.make()
    }
}
