//! How far an entry is trusted, with what belongs to that state alone.

use crate::episode::{EntryKind, Evidence};
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// The state of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// A rule of the playbook: it speaks loudest, and may veto.
    InForce(InForce),
    /// Staged: it speaks faintly while waking outcomes decide.
    UnderTest(Trial),
    /// It has passed its test, and waits for the next dream to bring it before the admission gate.
    AwaitsAdmission(Trial),
    /// Concluded awake, or taken over without a test.
    Insight {
        /// Insight or warning, or what it was when it was a predecessor's.
        kind: EntryKind,
        /// Whether it speaks. An inactive one is a candidate.
        active: bool,
    },
    /// Known to be wrong: it speaks of what it came to.
    ProvedWrong {
        /// What it came to, as a mean R; 0 when that was not handed down.
        found_r: f64,
    },
    /// New, weakly supported and against what is trusted: silent until the next Curator cycle looks again.
    Quarantined {
        /// What kind of entry it would be.
        kind: EntryKind,
        /// Outcomes that speak for it and against it, in whosever life.
        outcomes: Evidence,
    },
    /// Silent, but not gone: what life bears out again comes back.
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

/// That an entry is in force. Only integration can say so: there is no way to make one elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InForce {
    pub(super) since: Tick,
}

impl InForce {
    /// When it entered the playbook.
    pub const fn since(self) -> Tick {
        self.since
    }
}

/// A test by waking outcomes. It began when the entry was written.
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
    /// One that begins.
    pub const fn new(unfinished: bool, now: Tick) -> Self {
        Self { unfinished, total_r: 0.0, last_tested: now }
    }

    /// Mean outcome of so many tests, in R; `None` before any.
    pub fn mean_r(&self, evidence: Evidence) -> Option<f64> {
        (evidence.tests() > 0).then(|| self.total_r / f64::from(evidence.tests()))
    }
}

/// The states without what belongs to them, in the order in which entries speak; the store is kept in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
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
    pub(super) const fn stage(&self) -> Stage {
        match self {
            Self::InForce(_) => Stage::InForce,
            Self::UnderTest(_) => Stage::UnderTest,
            Self::AwaitsAdmission(_) => Stage::AwaitsAdmission,
            Self::Insight { .. } => Stage::Insight,
            Self::ProvedWrong { .. } => Stage::ProvedWrong,
            Self::Quarantined { .. } => Stage::Quarantined,
            Self::Archived { .. } => Stage::Archived,
        }
    }
}
