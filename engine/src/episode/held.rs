//! Patterns of the state of a position, for claims about staying or leaving: the discretised state space of an exit policy.
//!
//! A pattern names up to three features: stage of the horizon, band of the open result in R, and present signal. An unnamed feature is a
//! wildcard. The classes themselves, a discretization of the state, are in `market` (`Held`). Claims about leaving need them, because the
//! worth of staying depends on how a position stands. Such a pattern stands in a `ContextPattern`, and makes its claim one about staying;
//! credit assignment in dreams, lessons of the simulated model on leaving or entering, and the Bardo memory's reviews use it.

use crate::market::{Held, HoldStage, OpenBand, SignalNow};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The states of a position that a claim is about: a conjunction of feature tests. A feature that is `None` is a wildcard and may have any
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HeldPattern {
    /// The share of its horizon that is over.
    pub stage: Option<HoldStage>,
    /// Band of its open result.
    pub open: Option<OpenBand>,
    /// Present signal of its strategy.
    pub signal: Option<SignalNow>,
}

impl HeldPattern {
    /// The most specific pattern: it names all of a state, and matches nothing else.
    pub const fn from_held(held: Held) -> Self {
        Self { stage: Some(held.stage), open: Some(held.open), signal: Some(held.signal) }
    }

    /// Whether a state fits everything the pattern names (pattern matching); the pattern without features matches every state.
    pub fn matches(&self, held: &Held) -> bool {
        self.stage.is_none_or(|stage| stage == held.stage)
            && self.open.is_none_or(|open| open == held.open)
            && self.signal.is_none_or(|signal| signal == held.signal)
    }

    /// Number of features it names, 0 to 3; the others are wildcards.
    pub const fn specificity(&self) -> u32 {
        self.stage.is_some() as u32 + self.open.is_some() as u32 + self.signal.is_some() as u32
    }

    /// Number of features that two patterns name alike: the overlap of two feature sets.
    pub fn shared(&self, other: &Self) -> u32 {
        u32::from(self.stage.is_some() && self.stage == other.stage)
            + u32::from(self.open.is_some() && self.open == other.open)
            + u32::from(self.signal.is_some() && self.signal == other.signal)
    }
}

impl fmt::Display for HeldPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = self.stage.map(|stage| match stage {
            HoldStage::Early => "early",
            HoldStage::Middle => "half-way",
            HoldStage::Late => "late",
        });
        let open = self.open.map(|open| match open {
            OpenBand::NearStop => "near its stop",
            OpenBand::Behind => "behind",
            OpenBand::Ahead => "ahead",
            OpenBand::FarAhead => "far ahead",
        });
        let signal = self.signal.map(|signal| match signal {
            SignalNow::Stands => "its signal standing",
            SignalNow::Gone => "its signal gone",
            SignalNow::Turned => "its signal turned",
        });
        let parts: Vec<&str> = [stage, open, signal].into_iter().flatten().collect();
        if parts.is_empty() { f.write_str("at any time") } else { f.write_str(&parts.join(", ")) }
    }
}
