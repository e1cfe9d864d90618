//! What happens inside a memory that its golem has to know of: it tells of it, feels it, or writes to whom it concerns.

use crate::dream::Entry;
use crate::episode::{Claim, EntryKind, LeavingReason, StagingVerdict};
use crate::replay::LiveVerdicts;
use crate::replay::causal::CausalLink;
use morta_base::{DreamId, GolemId, RuleId};
use serde::{Deserialize, Serialize};

/// Something that happened inside a memory since it was last asked ([`drain_events`]).
///
/// [`drain_events`]: super::MemoryArchitecture::drain_events
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryEvent {
    /// Something proved wrong.
    ProvedWrong(ProvedWrong),
    /// An entry left the active store, or came back.
    EntryMoved(EntryMove),
    /// Life spoke for or against a dream's conclusions.
    DreamValidated(DreamValidation),
    /// The test of a claim is over.
    ClaimDecided {
        /// The claim, with the outcomes of its test.
        staged: Box<Entry>,
        /// How it ended.
        verdict: StagingVerdict,
    },
    /// A dream has counted a cause and its effect often enough for a link.
    LinkLearned(CausalLink),
    /// A link doesn't hold as often any more.
    LinkLost(CausalLink),
    /// What a sibling told was borne out by life.
    BorneOut {
        /// Who told it.
        giver: GolemId,
        /// What it said.
        claim: Claim,
    },
}

impl MemoryEvent {
    /// Where its kind comes in the log among events of one moment: what became of entries before what became of dreams and claims.
    /// Events of one kind are told in the order they happened.
    pub const fn telling_order(&self) -> u8 {
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

/// Something that proved wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvedWrong {
    /// The entry's identity.
    pub id: RuleId,
    /// What was believed.
    pub claim: Claim,
    /// What it came to, as a mean R.
    pub found_r: f64,
    /// Trust in its being wrong, 0 to 1.
    pub confidence: f64,
}

/// An entry that left the active store, or came back to it.
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
    /// Where to, and why.
    pub way: Way,
}

impl EntryMove {
    /// Of an entry as it is when it moves.
    pub fn of(entry: &Entry, way: Way) -> Self {
        let kind = entry.nature().kind;
        Self { id: entry.id, kind, claim: entry.claim, confidence: entry.confidence, way }
    }
}

/// The way an entry took.
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

/// What life has said of a dream's conclusions so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamValidation {
    /// The dream.
    pub id: DreamId,
    /// Replay's insights borne out; conclusions of all kinds in logs of builds that didn't tell them apart.
    pub confirmed: u32,
    /// Replay's insights refuted; of all kinds in those logs.
    pub refuted: u32,
    /// Borne out and refuted, by the kind of the conclusion. Empty in those logs.
    #[serde(default)]
    pub by_kind: LiveVerdicts,
    /// `confirmed` over both; `None` while no insight is decided.
    pub replay_predictive_accuracy: Option<f64>,
    /// The dream's quality, corrected by that.
    pub quality: f64,
}
