//! Events inside a memory that its golem records, feels, or reports to others (domain events, drained as a queue).
//!
//! Results are in R, trust and quality run from 0 to 1. A memory writes no log itself, because order and place in the log are the golem's
//! business. The golem writes them into the log; a claim of a sibling that proved right is reported to that sibling.

use crate::dream::BeliefEntry;
use crate::episode::{Claim, EntryKind, LeavingReason, StagingVerdict};
use crate::replay::LiveVerdicts;
use crate::replay::causal::CausalLink;
use morta_base::{DreamId, GolemId, RuleId};
use serde::{Deserialize, Serialize};

/// A domain event: a change of knowledge inside a memory, since the last call of [`drain_events`].
///
/// [`drain_events`]: super::MemoryArchitecture::drain_events
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryEvent {
    /// Something proved wrong.
    ProvedWrong(ProvedWrong),
    /// An entry left the active store, or came back.
    EntryMoved(EntryMove),
    /// Waking life confirmed or refuted a dream's conclusion.
    DreamValidated(DreamValidation),
    /// The test of a claim is over.
    ClaimDecided {
        /// The claim, with the outcomes of its test.
        staged: Box<BeliefEntry>,
        /// How it ended.
        verdict: StagingVerdict,
    },
    /// A dream has counted a cause and its effect often enough for a link.
    LinkLearned(CausalLink),
    /// A link doesn't hold as often any more.
    LinkLost(CausalLink),
    /// A lesson of a sibling was confirmed.
    BorneOut {
        /// The sibling.
        giver: GolemId,
        /// Its claim.
        claim: Claim,
    },
}

impl MemoryEvent {
    /// The sort key of a deterministic event log: the place of its kind among events of one moment, entries before dreams and claims.
    /// Events of one kind keep the order in which they happened; the digest of a log depends on both.
    pub(crate) const fn log_order(&self) -> u8 {
        match self {
            Self::ProvedWrong(_) => 0,
            Self::EntryMoved(_) => 1,
            Self::DreamValidated(_) => 2,
            Self::ClaimDecided { .. } => 3,
            Self::BorneOut { .. } => 4,
            Self::LinkLearned(_) => 5,
            Self::LinkLost(_) => 6,
        }
    }
}

/// A falsification record (refutation event): a claim, i.e. a hypothesis, that outcomes have rejected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedWrong {
    /// The entry's identity.
    pub id: RuleId,
    /// The claim.
    pub claim: Claim,
    /// The mean result found, in R.
    pub found_r: f64,
    /// Trust in its being wrong, 0 to 1.
    pub confidence: f64,
}

/// An audit record in the life cycle of knowledge, e.g. of an eviction: an entry that left the active store (archived or deleted), or came
/// back to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryMove {
    /// The entry's identity.
    pub id: RuleId,
    /// What kind it was.
    pub kind: EntryKind,
    /// What it says.
    pub claim: Claim,
    /// Trust in it then.
    pub confidence: f64,
    /// Destination and reason.
    pub way: Way,
}

impl EntryMove {
    /// Records an entry as it is when it moves, for the event log.
    pub(crate) fn from_entry(entry: &BeliefEntry, way: Way) -> Self {
        let kind = entry.nature().kind;
        Self { id: entry.id, kind, claim: entry.claim, confidence: entry.confidence, way }
    }
}

/// The transition of an entry: archived, burnt (deleted) or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// To the archive.
    Archived(LeavingReason),
    /// For good.
    Burned(LeavingReason),
    /// Back from the archive.
    Restored,
}

/// An out-of-sample validation event for a dream: verdicts of waking life on its conclusions so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamValidation {
    /// The dream.
    pub id: DreamId,
    /// Replay's insights confirmed; conclusions of all kinds in logs of builds that didn't distinguish them.
    pub confirmed: u32,
    /// Replay's insights refuted; of all kinds in those logs.
    pub refuted: u32,
    /// Confirmed and refuted, by the kind of the conclusion. Empty in those logs.
    #[serde(default)]
    pub by_kind: LiveVerdicts,
    /// `confirmed` over both; `None` while no insight is decided.
    pub replay_predictive_accuracy: Option<f64>,
    /// The dream's quality, corrected by that.
    pub quality: f64,
}
