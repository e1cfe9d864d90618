//! What a golem hands in, and what comes back.

use crate::episode::{Claim, DreamPriority, LeavingReason};
use crate::llm::EpisodeBrief;
use morta_base::{EpisodeId, RuleId};
use serde::{Deserialize, Serialize};

/// A trade, and how much it deserves attention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curatable {
    /// The trade in brief.
    pub brief: EpisodeBrief,
    /// Its consolidation priority.
    pub priority: f64,
}

/// Importance · novelty · (1 + .3·|arousal|) (digest section 3, A02). Importance here is |R|/3, at most 1; novelty is 1 over one
/// more than the replays so far (our own readings of two words the digest leaves open).
pub fn consolidation_priority(realised_r: f64, replays: u32, arousal: f64) -> f64 {
    const LARGE_R: f64 = 3.0;
    let importance = (realised_r.abs() / LARGE_R).min(1.0);
    let novelty = 1.0 / (f64::from(replays) + 1.0);
    importance * novelty * (1.0 + 0.3 * arousal.abs())
}

/// What the Curator is shown of an insight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownInsight {
    /// The entry's identity.
    pub id: RuleId,
    /// What it says.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// Confidence · v/(v + c + 1).
    pub quality: f64,
    /// Whether it speaks.
    pub active: bool,
    /// Whether it speaks of how the market is built.
    pub structural: bool,
    /// Whether pruning spares it: a warning, or a bloodstain's.
    pub spared: bool,
    /// Whether somebody else learned it, and nothing in this life has borne it out.
    pub foreign: bool,
    /// Whether any outcome in this life has spoken to it.
    pub tested: bool,
    /// How often it has spoken.
    pub accesses: u32,
    /// Cycles in a row that found it too low.
    pub low_cycles: u32,
}

/// A dream's conclusion that few outcomes have borne out so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flagged {
    /// The entry's identity.
    pub id: RuleId,
    /// What it says.
    pub claim: Claim,
}

/// What a golem hands in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CuratorRequest {
    /// Number of the cycle in the golem's life, from 0.
    pub cycle: u64,
    /// Whether everything is held against everything this time.
    pub deep: bool,
    /// Trades since the last cycle, oldest first.
    pub episodes: Vec<Curatable>,
    /// Trades of earlier cycles whose clusters were too small.
    pub waiting: Vec<EpisodeBrief>,
    /// The last trades of strategies whose turn it is to be contrasted.
    pub contrasts: Vec<Vec<EpisodeBrief>>,
    /// What is known.
    pub insights: Vec<KnownInsight>,
    /// Dream conclusions that are partially validated.
    pub flagged: Vec<Flagged>,
    /// What the golem's epistemic age leaves of a confidence when it comes to promotion, 0 to 1.
    pub age_discount: f64,
}

impl CuratorRequest {
    /// Whether there is nothing to look at.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty() && self.insights.is_empty() && self.contrasts.is_empty()
    }
}

/// A conclusion before it has an identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// What it says.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// Episodes that say so.
    pub confirmed: u32,
    /// Episodes among them that don't.
    pub contradicted: u32,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
}

/// What is to be done to a memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A new insight.
    Add(Conclusion),
    /// Experience bore an insight out, on balance.
    Upvote {
        /// The entry's identity.
        id: RuleId,
        /// Change of confidence, at least 0.
        by: f64,
        /// What the episodes say.
        votes: Conclusion,
    },
    /// Experience spoke against an insight, on balance.
    Downvote {
        /// The entry's identity.
        id: RuleId,
        /// Change of confidence, at most 0.
        by: f64,
        /// What the episodes say.
        votes: Conclusion,
    },
    /// An insight is right in direction and wrong in size.
    Edit {
        /// The entry's identity.
        id: RuleId,
        /// What it should say, in R.
        expected_r: f64,
    },
    /// A candidate becomes active.
    Promote(RuleId),
    /// An active insight becomes a candidate again.
    Demote(RuleId),
    /// An insight should be tested as a rule. Integration decides whether it is.
    Propose(RuleId),
    /// An insight goes to the archive.
    Archive {
        /// The entry's identity.
        id: RuleId,
        /// What made it leave.
        reason: LeavingReason,
    },
    /// Two insights say the same: the second goes into the first.
    Merge {
        /// The entry that stays, with the evidence of both.
        kept: RuleId,
        /// The entry that is merged into it.
        gone: RuleId,
    },
    /// Two insights contradict each other: their episodes are to be dreamt of.
    Conflict(RuleId, RuleId),
    /// A waking insight says what a dream said: if they rest on different episodes, both gain.
    Corroborate {
        /// The dream's claim.
        claim: RuleId,
        /// The insight that is lifted.
        insight: RuleId,
        /// What each gains, 0 to 1.
        by: f64,
    },
}

morta_base::words! {
    /// Why an episode should be dreamt of.
    pub enum TagReason {
        /// Its cluster disagrees with itself.
        ContradictoryPattern = "contradictory_pattern",
        /// Its cluster is too small to say anything.
        InsufficientEvidence = "insufficient_evidence",
        /// Two insights contradict each other, and it taught one of them.
        UnresolvedConflict = "unresolved_conflict",
    }
}

/// A tag for the next dream.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamTag {
    /// The tagged episode.
    pub episode: EpisodeId,
    /// What makes it worth a dream.
    pub reason: TagReason,
    /// How urgently it asks to be replayed.
    pub priority: DreamPriority,
    /// The Curator cycle that tagged it, by its number in the golem's life.
    pub cycle: u64,
}

/// What comes back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CuratorReport {
    /// The Curator's cycle, by its number in the golem's life.
    pub cycle: u64,
    /// What is to be done, in this order.
    pub operations: Vec<Operation>,
    /// Tags for the dream, what deserves most attention first.
    pub tags: Vec<DreamTag>,
    /// Trades whose clusters are still too small.
    pub waiting: Vec<EpisodeBrief>,
}
