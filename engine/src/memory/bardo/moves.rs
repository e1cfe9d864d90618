//! Entries on their way between the active ones and the archive, as they are told.

use crate::base::RuleId;
use crate::dream::Entry;
use crate::episode::{Claim, EntryKind, LeavingReason};
use serde::{Deserialize, Serialize};

/// An entry that left the active store, or came back to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryMove {
    /// The entry's identity.
    pub id: RuleId,
    /// What kind it was.
    pub kind: EntryKind,
    /// What it says.
    pub claim: Claim,
    /// Trust in it at that moment, 0 to 1.
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
