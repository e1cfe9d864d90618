//! The request of a golem to the Curator, and the report that answers it (a request-response message protocol).
//!
//! Services run elsewhere and see no golem's memory, so a request has copies of all that a cycle needs, and a report lists operations,
//! which the memory carries out itself (command pattern). Results are in R, confidences from 0 to 1, priorities from 0 to 1.3 (they rank,
//! as in prioritized experience replay).

use crate::episode::{Claim, DreamPriority, LeavingReason};
use crate::llm::EpisodeBrief;
use morta_base::{EpisodeId, RuleId};
use serde::{Deserialize, Serialize};

/// A trade since the last visit, and its priority: a work item of memory consolidation. Each is handed in once; if its cluster was too
/// small, it comes back among `waiting`, without a priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curatable {
    /// The trade in brief.
    pub brief: EpisodeBrief,
    /// Its consolidation priority.
    pub priority: f64,
}

/// Consolidation priority: importance · novelty · (1 + .3·|arousal|), 0 to 1.3 (digest section 3, A02). Importance here is |R|/3, at most 1; novelty is 1
/// over one more than the replays so far (our own readings of two words the digest leaves open). A priority score, like those of
/// prioritised experience replay; it only ranks the tags of a cycle, of which `curator.max_tags` are kept.
pub fn consolidation_priority(realised_r: f64, replays: u32, arousal: f64) -> f64 {
    // As large as the surprise of a bloodstain that counts in full.
    const LARGE_R: f64 = 3.0;
    // The digest's weight of arousal.
    const AROUSAL_WEIGHT: f64 = 0.3;
    let importance = (realised_r.abs() / LARGE_R).min(1.0);
    let novelty = 1.0 / (f64::from(replays) + 1.0);
    importance * novelty * (1.0 + AROUSAL_WEIGHT * arousal.abs())
}

/// An insight as the Curator sees it (a data transfer object): a copy of the fields that it needs, because services get letters and never a
/// golem's memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownInsight {
    /// The entry's identity.
    pub id: RuleId,
    /// Its claim.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// Confidence · v/(v + c + 1), with v confirmations and c contradictions (digest section 2).
    pub quality: f64,
    /// Whether it is active: candidates give no advice.
    pub active: bool,
    /// Whether it is about the structure of the market.
    pub structural: bool,
    /// Whether pruning spares it: a warning, or a bloodstain's.
    pub spared: bool,
    /// Whether another golem learned it, and no outcome of this life has confirmed it.
    pub foreign: bool,
    /// Whether any outcome of this life was for or against it.
    pub tested: bool,
    /// Number of trades in which it had a voice, and of new episodes that micro-consolidation found it to apply to.
    pub accesses: u32,
    /// Cycles in a row that found it too low.
    pub low_cycles: u32,
}

/// A dream's conclusion that few outcomes have confirmed so far: a candidate for cross-validation by waking evidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flagged {
    /// The entry's identity.
    pub id: RuleId,
    /// Its claim.
    pub claim: Claim,
}

/// A golem's request to the Curator for a cycle: a snapshot of the work to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CuratorRequest {
    /// The cycle: the golem's age over `curator.interval_ticks`, so from 1, with gaps where no visit was made.
    pub cycle: u64,
    /// Whether all insights are compared with one another this time.
    pub deep: bool,
    /// Trades since the last cycle, oldest first.
    pub episodes: Vec<Curatable>,
    /// Trades of earlier cycles whose clusters were too small.
    pub waiting: Vec<EpisodeBrief>,
    /// The last trades of strategies that are due for a contrast.
    pub contrasts: Vec<Vec<EpisodeBrief>>,
    /// The golem's insights.
    pub insights: Vec<KnownInsight>,
    /// Dream conclusions that are partially validated.
    pub flagged: Vec<Flagged>,
    /// Factor of the golem's epistemic age on a confidence at promotion, .2 to 1.
    pub age_discount: f64,
}

impl CuratorRequest {
    /// Whether there is nothing to look at: no new trade, no insight and no contrast. Such an empty request isn't sent. Trades that wait
    /// and flagged claims alone are no work.
    pub fn is_empty(&self) -> bool {
        self.episodes.is_empty() && self.insights.is_empty() && self.contrasts.is_empty()
    }
}

/// A conclusion before it has an identity: a mined association rule with support counts. The memory gives it an id when it stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// Its claim.
    pub claim: Claim,
    /// Trust in it, 0 to 1.
    pub confidence: f64,
    /// Number of its episodes for the claim.
    pub confirmed: u32,
    /// Number of its episodes against it.
    pub contradicted: u32,
    /// The episodes it was learned from.
    pub learned_from: Vec<EpisodeId>,
}

/// A change that a memory should make: a command (patch) on a knowledge base, such as create, update, delete or merge. The memory may turn
/// an addition away and skips operations on entries that are gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A new insight.
    Add(Conclusion),
    /// Experience was for an insight, on balance.
    Upvote {
        /// The entry's identity.
        id: RuleId,
        /// Change of confidence, at least 0.
        by: f64,
        /// The claim that the episodes support.
        votes: Conclusion,
    },
    /// Experience was against an insight, on balance.
    Downvote {
        /// The entry's identity.
        id: RuleId,
        /// Change of confidence, at most 0.
        by: f64,
        /// The claim that the episodes support.
        votes: Conclusion,
    },
    /// An insight is right in direction and wrong in size.
    Edit {
        /// The entry's identity.
        id: RuleId,
        /// The corrected expectation, in R.
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
        /// The reason for its leaving.
        reason: LeavingReason,
    },
    /// Two insights are alike: the second is merged into the first.
    Merge {
        /// The entry that stays, with the evidence of both.
        kept: RuleId,
        /// The entry that is merged into it.
        gone: RuleId,
    },
    /// Two insights contradict each other: their episodes are to be dreamt of.
    Conflict(RuleId, RuleId),
    /// A waking insight agrees with a dream's conclusion: if they rest on different episodes, both gain confidence.
    Corroborate {
        /// The dream's claim.
        claim: RuleId,
        /// The insight that is lifted.
        insight: RuleId,
        /// The gain of each, 0 to 1.
        by: f64,
    },
}

morta_base::words! {
    /// Why an episode should be dreamt of. A reason code of a priority hint.
    pub enum TagReason {
        /// Its cluster disagrees with itself.
        ContradictoryPattern = "contradictory_pattern",
        /// Its cluster is too small to say anything.
        InsufficientEvidence = "insufficient_evidence",
        /// Two insights contradict each other, and it taught one of them.
        UnresolvedConflict = "unresolved_conflict",
    }
}

/// A tag for the next dream: a priority hint for prioritised experience replay, written to the episode's row of the Grimoire.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamTag {
    /// The tagged episode.
    pub episode: EpisodeId,
    /// The reason to dream of it.
    pub reason: TagReason,
    /// The urgency of its replay.
    pub priority: DreamPriority,
    /// The Curator cycle that tagged it, as in [`CuratorRequest::cycle`].
    pub cycle: u64,
}

/// The Curator's report on a request: the response message, with operations (inserts, votes, edits) in the order to apply them. It arrives
/// a tick later or, in sleep, on waking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CuratorReport {
    /// The Curator's cycle, as in [`CuratorRequest::cycle`].
    pub cycle: u64,
    /// The operations, to be carried out in this order: votes before the promotions that depend on them.
    pub operations: Vec<Operation>,
    /// Tags for the dream, those of the highest priority first.
    pub tags: Vec<DreamTag>,
    /// Trades whose clusters are still too small.
    pub waiting: Vec<EpisodeBrief>,
}
