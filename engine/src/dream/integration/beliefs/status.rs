//! The status of an entry: how far it is trusted, with the data of that state alone (a state machine as a sum type).
//!
//! Outcomes are in R, evidence of the sequential test is a log likelihood ratio. Data that make no sense in a state can't be stored in it.
//! The order of stages is the order in the store, and all from quarantine on are silent. Which code may move an entry between states stands
//! in the header of the parent module.

use crate::episode::{EntryKind, Evidence};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// The life-cycle state of a knowledge base entry, as in a finite state machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// A rule of the playbook: it speaks loudest, and may veto.
    InForce(InForce),
    /// Staged: it speaks faintly while waking outcomes decide.
    UnderTest(Trial),
    /// It has passed its test, and waits for the next dream to bring it before the admission gate.
    AwaitsAdmission(Trial),
    /// Concluded awake, taken over without a test, or back from the archive.
    Insight {
        /// Insight or warning, or what it was when it was a predecessor's.
        kind: EntryKind,
        /// Whether it speaks. An inactive one is a candidate.
        active: bool,
    },
    /// Disproved: it warns by the mean result that was found.
    ProvedWrong {
        /// That mean, in R; 0 when it was not handed down.
        found_r: f64,
    },
    /// New, weakly supported and contradicting trusted entries: silent until the next Curator cycle examines it again.
    Quarantined {
        /// The kind of entry that it becomes if it is let in.
        kind: EntryKind,
        /// Outcomes that speak for it and against it, in whosever life.
        outcomes: Evidence,
    },
    /// Silent; it returns if waking outcomes confirm it again.
    Archived {
        /// What kind of entry it was.
        kind: EntryKind,
        /// When it left.
        since: Tick,
        /// Waking outcomes since that bore it out, less those that didn't, at least 0.
        borne_out: u32,
        /// The same as a log likelihood ratio, at least 0; for the sequential test.
        #[serde(default)]
        evidence: f64,
    },
}

/// The state of being in force: a token type (capability), which only integration can construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InForce {
    pub(super) since: Tick,
}

impl InForce {
    /// The tick at which it entered the playbook, i.e. was activated.
    pub const fn since(self) -> Tick {
        self.since
    }
}

/// The state of a running hypothesis test by waking outcomes, which begins when the entry is written; its counts are in the belief's
/// `Evidence`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Whether a predecessor died while testing it.
    pub unfinished: bool,
    /// Sum of the outcomes that spoke to it, in R.
    pub total_r: f64,
    /// When an outcome last spoke to it; when the test began, if none has.
    pub last_tested: Tick,
}

impl Trial {
    /// Begins a test now, without samples.
    pub const fn new(unfinished: bool, now: Tick) -> Self {
        Self { unfinished, total_r: 0.0, last_tested: now }
    }

    /// Mean result of the tests (the sample mean, out of sample), in R; `None` before any.
    pub fn mean_r(&self, evidence: Evidence) -> Option<f64> {
        (evidence.tests() > 0).then(|| self.total_r / f64::from(evidence.tests()))
    }
}

/// The states without their data, in the order in which entries speak; the store is sorted by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BeliefStage {
    InForce,
    UnderTest,
    AwaitsAdmission,
    Insight,
    ProvedWrong,
    /// From here on entries are silent.
    Quarantined,
    Archived,
}

impl Status {
    pub(super) const fn stage(&self) -> BeliefStage {
        match self {
            Self::InForce(_) => BeliefStage::InForce,
            Self::UnderTest(_) => BeliefStage::UnderTest,
            Self::AwaitsAdmission(_) => BeliefStage::AwaitsAdmission,
            Self::Insight { .. } => BeliefStage::Insight,
            Self::ProvedWrong { .. } => BeliefStage::ProvedWrong,
            Self::Quarantined { .. } => BeliefStage::Quarantined,
            Self::Archived { .. } => BeliefStage::Archived,
        }
    }
}
