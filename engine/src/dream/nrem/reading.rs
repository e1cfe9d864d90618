//! What a dream did with the episodes it had chosen.

use crate::replay::{Deviation, PerturbationKind};
use morta_base::{Bps, EpisodeId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Episodes that were to be read together, and whether they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadBatch {
    /// The episodes, in the order of reading.
    pub episodes: Vec<EpisodeId>,
    /// Whether there was money and a turn to put it to a model.
    pub asked: bool,
    /// Whether the model's answer was heard. A question may be refused, its answer unusable, or the dream over before it comes.
    pub answered: bool,
}

/// An episode that was gone through with something made worse.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// The episode.
    pub episode: EpisodeId,
    /// What was made worse, and by how much.
    pub change: Worsening,
    /// What the trade would have made then, in R.
    pub perturbed_r: f64,
    /// Whether it would have been spoilt by that alone.
    pub breaks: bool,
    /// Share of what was supposed that would have spoilt it: 0 or 1 for a perturbation, and for a deviation of its multiples. Not in logs of builds that
    /// supposed the largest multiple alone.
    #[serde(default)]
    pub broken: f64,
    /// From where it would have been spoilt, in the unit of the change (a factor, blocks, minutes, a share, or bps); none where it would have
    /// borne any, or failed without.
    #[serde(default)]
    pub tolerated: Option<f64>,
}

/// What is made worse, and by how much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Worsening {
    /// One of the six perturbations.
    Perturbed {
        /// Which.
        kind: PerturbationKind,
        /// How much, in the kind's unit.
        magnitude: f64,
    },
    /// Multiples of what its execution was measured to be off by; figures are of the largest.
    Deviating {
        /// What was off.
        deviation: Deviation,
        /// By how much it was, above 0 when the world was worse than predicted.
        measured_bps: Bps,
        /// By how much it is supposed to have been.
        supposed_bps: Bps,
    },
}

impl fmt::Display for Worsening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Perturbed { kind, magnitude } => match kind {
                PerturbationKind::Slippage => write!(f, "{magnitude:.1} times the slippage"),
                PerturbationKind::Latency => write!(f, "the entry {magnitude:.0} blocks late"),
                PerturbationKind::GasSpike => write!(f, "{magnitude:.1} times the gas"),
                PerturbationKind::DataDropout => write!(f, "no prices for {magnitude:.0} minutes"),
                PerturbationKind::Liquidity => {
                    write!(f, "{:.0} % of the liquidity gone", 100.0 * magnitude)
                }
                PerturbationKind::Decoupling => {
                    write!(f, "{:.0} % of common movement gone", 100.0 * magnitude)
                }
            },
            Self::Deviating { deviation, measured_bps, supposed_bps } => {
                write!(f, "{deviation} off by {supposed_bps:.0} bps, not {measured_bps:.0}")
            }
        }
    }
}
