//! The report: everything that a dream leaves when it ends or is broken off. Its questions and its notes for the log (`DreamNote`) leave it
//! before. A dream can't change anything itself, so its effects are data here (output of a pure process), which integration applies.
//!
//! Costs are in dollars, results in R, shares and confidences from 0 to 1, times in ticks. A report of a whole dream goes to `integration`
//! when the golem wakes; one of a broken dream (`is_partial`) only to the journal, its unprocessed findings to the next dream (and, in an
//! emergency or in death, to the testament).

use crate::dream::journal::{NremSummary, RemSummary};
use crate::dream::nrem::{ReadBatch, Replayed, Triage, WorsenedReplay};
use crate::dream::phase::DreamPhase;
use crate::episode::{Claim, FindingKind, ThreatKind};
use crate::llm::{Branch, SourcedClaim};
use crate::replay::PrimitiveLedger;
use crate::replay::causal::CausalStore;
use crate::replay::{CreditedSteps, ReplayMetrics};
use morta_base::{DreamId, EpisodeId, Tick, Usdc};
use serde::{Deserialize, Serialize};

/// A finding for integration: an extracted pattern with its provenance, a hypothesis for validation. The life review of a dying golem makes
/// its answer into findings too, which are never integrated but drafted for the testament and the bequests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamFinding {
    /// What was found.
    pub pattern: SourcedClaim,
    /// What kind of conclusion it is.
    pub kind: FindingKind,
    /// First confidence, where the kind alone doesn't set it (fragments, by the observer's score).
    pub confidence: Option<f64>,
}

/// A threat that was rehearsed: the result of a threat simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rehearsed {
    /// Which.
    pub kind: ThreatKind,
    /// The loss that it causes if it comes, in R, if known.
    pub loss_r: Option<f64>,
    /// The responses to it that were found: guards first, then what to do instead.
    pub responses: Vec<Claim>,
}

/// An event of a dream that is still going on: a progress event, which the golem writes to the log at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamNote {
    /// A phase began.
    Phase {
        /// Which.
        phase: DreamPhase,
        /// Most it may spend.
        budget: Usdc,
        /// Tokens to read for this; `None` where reading is free.
        budget_tokens: Option<u64>,
    },
    /// Imagination came up with something.
    Hypothesis {
        /// What.
        hypothesis: Claim,
        /// When the episode it started from had closed, if it is still remembered.
        seed_episode_tick: Option<Tick>,
    },
    /// A way not taken was gone through.
    Counterfactual {
        /// The decision.
        episode: EpisodeId,
        /// The way not taken.
        hypothesis: Branch,
        /// Its result, in R, had it been taken.
        outcome: f64,
        /// What that teaches.
        lesson: Option<Claim>,
        /// How sure the model was.
        confidence: f64,
    },
}

/// All that leaves a dream: the result object (summary) of a sleep cycle. Only integration can turn it into anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DreamReport {
    /// Which cycle.
    pub id: DreamId,
    /// When it began.
    pub began: Tick,
    /// What was replayed.
    pub replayed: Vec<Replayed>,
    /// Episodes chosen to be replayed, read or not.
    pub chosen: u32,
    /// The batches these were put in, read or not; none where the dream was over before.
    pub batches: Vec<ReadBatch>,
    /// Of the replayed episodes, those that were gone through with something made worse.
    pub tried: Vec<WorsenedReplay>,
    /// How the replayed episodes were sorted.
    pub triage: Vec<Triage>,
    /// What is worth testing awake: claims from steps and about stakes first, then each consolidated group, its strongest first.
    pub findings: Vec<DreamFinding>,
    /// Values learnt from the steps of trades; none where no position was reviewed.
    pub credit: Option<Box<CreditedSteps>>,
    /// The causal knowledge afterwards; none where nothing was replayed.
    pub causal: Option<Box<CausalStore>>,
    /// The situations labelled so far; none where nothing was imagined.
    pub primitives: Option<Box<PrimitiveLedger>>,
    /// Findings that the dream ended before processing: the next dream takes them up.
    pub unfinished: Vec<DreamFinding>,
    /// Findings dropped: memory as a whole contradicts them.
    pub implausible: u32,
    /// Threats rehearsed.
    pub threats: Vec<Rehearsed>,
    /// Episodes whose arousal integration is to lower.
    pub reappraised: Vec<EpisodeId>,
    /// The share by which it lowers it.
    pub depotentiation: f64,
    /// The finding to keep in mind.
    pub residue: Option<Claim>,
    /// Summary of replay, for the journal.
    pub nrem: NremSummary,
    /// Summary of imagination, for the journal.
    pub rem: RemSummary,
    /// The replay metrics so far; integration fills in what it learns.
    pub metrics: ReplayMetrics,
    /// Questions that were answered while it went on, by a reply of use or not; refused ones aren't counted.
    pub inference_calls: u32,
    /// What these answers cost.
    pub cost: Usdc,
    /// Whether a question couldn't be asked for want of money, of an answer, of time or of turns.
    pub cut_short: bool,
    /// Questions whose answers were still out when its time was up; they are paid for when they come.
    pub unheard: u32,
    /// Whether the dream was broken off.
    pub is_partial: bool,
}
