//! Records of what a dream did with the episodes that it had chosen: which were asked about, which were answered, and which were stress
//! tested.
//!
//! Results are in R; a magnitude has the unit of its kind (factor, blocks, minutes, share or basis points). They exist because choosing and
//! reading are different events: a refused question or a lost answer leaves an episode unread. They go into the report, the log, the guards
//! and, with half a trade's weight, claims about stakes; the text of a `Worsening` is what the model reads.

use crate::replay::{Deviation, PerturbationKind};
use morta_base::decimal::Decimal;
use morta_base::{Bps, EpisodeId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A mini-batch of episodes, and whether it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadBatch {
    /// The episodes, in the order of reading.
    pub episodes: Vec<EpisodeId>,
    /// Whether there was money and a turn to ask a model.
    pub asked: bool,
    /// Whether the model's answer was used. A question may be refused, its answer unusable, or the dream over before it comes.
    pub answered: bool,
}

/// An episode replayed with something made worse: a stress test record (sensitivity analysis), computed without a model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorsenedReplay {
    /// The episode.
    pub episode: EpisodeId,
    /// What was made worse, and by how much.
    pub change: Worsening,
    /// Result under the change, in R.
    pub perturbed_r: f64,
    /// Whether the change alone made it fail.
    pub breaks: bool,
    /// Share of the supposed cases in which it failed: 0 or 1 for a perturbation, a share of the multiples for a deviation. Not
    /// in logs of builds that supposed the largest multiple alone.
    #[serde(default)]
    pub broken: f64,
    /// The magnitude from which it fails, in the unit of the change (a factor, blocks, minutes, a share, or bps); none where it
    /// bears any, or fails without.
    #[serde(default)]
    pub tolerated: Option<f64>,
}

/// A change for the worse, with its size: an adverse scenario (shock) of a stress test.
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
    /// Multiples of its observed deviation; the figures are of the largest.
    Deviating {
        /// The kind of deviation.
        deviation: Deviation,
        /// The observed deviation, above 0 when the world was worse than predicted.
        measured_bps: Bps,
        /// The supposed deviation.
        supposed_bps: Bps,
    },
}

impl Worsening {
    /// The text of a perturbation: words, a number with its decimals, and words.
    fn in_words(kind: PerturbationKind, magnitude: f64) -> (&'static str, Decimal, &'static str) {
        let (whole, percent) = (Decimal(magnitude, 0), Decimal(100.0 * magnitude, 0));
        match kind {
            PerturbationKind::Slippage => ("", Decimal(magnitude, 1), " times the slippage"),
            PerturbationKind::Latency => ("the entry ", whole, " blocks late"),
            PerturbationKind::GasSpike => ("", Decimal(magnitude, 1), " times the gas"),
            PerturbationKind::DataDropout => ("no prices for ", whole, " minutes"),
            PerturbationKind::Liquidity => ("", percent, " % of the liquidity gone"),
            PerturbationKind::Decoupling => ("", percent, " % of common movement gone"),
        }
    }

    /// Bytes of its text, without writing it (display length, string length without allocation): a dream prices what-ifs that it may drop.
    pub fn text_length(&self) -> usize {
        match *self {
            Self::Perturbed { kind, magnitude } => {
                let (before, number, after) = Self::in_words(kind, magnitude);
                before.len() + number.text_length() + after.len()
            }
            Self::Deviating { deviation, measured_bps, supposed_bps } => {
                let numbers = Decimal(supposed_bps, 0).text_length() + Decimal(measured_bps, 0).text_length();
                deviation.name().len() + " off by  bps, not ".len() + numbers
            }
        }
    }
}

impl fmt::Display for Worsening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Perturbed { kind, magnitude } => {
                let (before, number, after) = Self::in_words(kind, magnitude);
                write!(f, "{before}{number}{after}")
            }
            Self::Deviating { deviation, measured_bps, supposed_bps } => {
                let (supposed, measured) = (Decimal(supposed_bps, 0), Decimal(measured_bps, 0));
                write!(f, "{deviation} off by {supposed} bps, not {measured}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Deviation;

    /// A dream prices its what-ifs by their length without writing them, so a length that is off by one would change what can be paid for.
    #[test]
    fn the_length_of_a_text_is_that_of_the_text() {
        for x in [0.0, -0.2, 0.004, 2.0, 9.96, 99.5, 1e3, -12.34, 1e12, f64::NAN] {
            let perturbed = PerturbationKind::ALL.map(|kind| Worsening::Perturbed { kind, magnitude: x });
            let deviating = Deviation::ALL.map(|deviation| Worsening::Deviating {
                deviation,
                measured_bps: x,
                supposed_bps: 3.0 * x,
            });
            for change in perturbed.into_iter().chain(deviating) {
                assert_eq!(change.text_length(), change.to_string().len(), "{change}");
            }
        }
    }
}
