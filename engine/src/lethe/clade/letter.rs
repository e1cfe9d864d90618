//! What siblings write to each other, by way of the Lethe.

use crate::daimon::Pad;
use crate::episode::{Claim, Lesson};
use crate::lethe::{Pheromone, Vote};
use crate::mortality::Cause;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// One lesson on its way through a clade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    /// The golem that gives it on.
    pub giver: GolemId,
    /// When it was offered.
    pub offered: Tick,
    /// Whether it is among the giver's last words.
    pub in_dying: bool,
    /// The lesson, with the giver's trust.
    pub lesson: Lesson,
}

/// A golem's exchange with its clade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeSync {
    /// Lessons for its siblings.
    pub offers: Vec<Lesson>,
    /// Its mood, which siblings catch.
    pub mood: Pad,
    /// The market as it sees it.
    pub embedding: Box<[f32]>,
    /// Most lessons it can take in.
    pub limit: u32,
}

/// A letter that concerns others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CladeLetter {
    /// The exchange that is due; also how a newborn makes itself known.
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
        /// What it would not take with it.
        lessons: Vec<Lesson>,
        /// The market as it sees it.
        embedding: Box<[f32]>,
    },
    /// What a sibling told it has become a rule.
    BorneOut {
        /// The sibling.
        giver: GolemId,
        /// The claim it had told.
        claim: Claim,
    },
    /// A pheromone, for all of its clade.
    Pheromone(Pheromone),
    /// Its word on bloodstains it drew.
    Votes(Vec<Vote>),
}

/// What golems hear from their clade: the answer to an exchange, or news that comes unasked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CladeNews {
    /// The answer to an exchange.
    Synced {
        /// What the siblings have offered since the last one, the oldest first.
        shared: Vec<Shared>,
        /// How they feel, in the order of their ids.
        moods: Vec<(GolemId, Pad)>,
    },
    /// A warning from a sibling, or its last words.
    Told(Shared),
    /// A sibling has died.
    SiblingDied {
        /// The dead.
        sibling: GolemId,
        /// The cause of its death.
        cause: Cause,
    },
    /// What this golem told a sibling has proved right.
    BorneOut {
        /// The sibling for whom it became a rule.
        by: GolemId,
        /// The claim.
        claim: Claim,
    },
}
