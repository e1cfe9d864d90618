//! Letters between siblings, by way of the Lethe. They go through a service and not from golem to golem, so that no golem reaches another
//! within a tick. It is the message protocol of social learning. Trust runs from 0 to 1, times are in ticks. Messages are values, so a
//! barrier can sort them and a log can hold them. A letter of one tick arrives as news in the next; only an exchange is answered to its
//! writer. Pheromones and votes travel in the same type but don't go to the board; votes are cast without clades too.

use crate::daimon::Pad;
use crate::episode::{Claim, Lesson};
use crate::lethe::{Pheromone, Vote};
use crate::mortality::Cause;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// One lesson on its way through a clade: a message envelope with its sender and tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// The golem that shares it, which need not be its origin.
    pub giver: GolemId,
    /// Tick of its offer.
    pub offered: Tick,
    /// Whether it is among the giver's last words.
    pub in_dying: bool,
    /// The lesson, with the giver's trust.
    pub lesson: Lesson,
}

/// A golem's exchange with its clade: a periodic sync request (gossip exchange), every `clade.sync_ticks` of its age.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeSync {
    /// Lessons for its siblings.
    pub offers: Vec<Lesson>,
    /// Its mood, which siblings catch.
    pub mood: Pad,
    /// Embedding of the market as it sees it: lessons given in a market like it are offered first.
    pub embedding: Box<[f32]>,
    /// Most lessons it can take in.
    pub limit: u32,
}

/// A letter to siblings, or about bloodstains: the message types from agent to clade (a tagged union).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CladeLetter {
    /// The exchange that is due; with its first, a newborn becomes a member.
    Sync(Box<CladeSync>),
    /// Warnings, which don't wait.
    Share {
        /// The warnings.
        lessons: Vec<Lesson>,
        /// The market as the giver sees it.
        embedding: Box<[f32]>,
    },
    /// It is dying, and these are its last words.
    Farewell {
        /// The cause of its death.
        cause: Cause,
        /// Its last lessons, at its sharing threshold of that moment (dying doesn't lower it by itself).
        lessons: Vec<Lesson>,
        /// The market as it sees it.
        embedding: Box<[f32]>,
    },
    /// A claim of a sibling has passed its test by the writer's own trades.
    BorneOut {
        /// The sibling.
        giver: GolemId,
        /// The claim that it had shared.
        claim: Claim,
    },
    /// A pheromone, for all of its clade.
    Pheromone(Pheromone),
    /// Votes on bloodstains that it drew.
    Votes(Vec<Vote>),
}

/// Messages from a clade to a golem: the answer to an exchange, or news that comes unasked (a notification).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CladeNews {
    /// The answer to an exchange.
    Synced {
        /// Lessons that siblings have offered since the last one, the oldest first.
        shared: Vec<Shared>,
        /// Their moods, in the order of their lineages.
        moods: Vec<(GolemId, Pad)>,
    },
    /// A lesson that is sent to all siblings at once: a warning, or the last words of a dying golem.
    #[serde(rename = "told")]
    Lesson(Shared),
    /// A sibling has died.
    SiblingDied {
        /// The dead.
        sibling: GolemId,
        /// The cause of its death.
        cause: Cause,
    },
    /// A claim that this golem shared has passed its test in a sibling's life.
    BorneOut {
        /// The sibling for whom it proved right.
        by: GolemId,
        /// The claim.
        claim: Claim,
    },
}
