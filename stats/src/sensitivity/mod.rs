//! Sensitivity analysis: which factors move an output, and which of them act together. It knows nothing of what the factors are: a design
//! is points of the unit cube, an output one number a point (and world).
//!
//! - [`morris`]: elementary effects along trajectories, for screening many factors with few points.
//! - [`saltelli`]: the design of Saltelli, and [`sobol`]: shares of variance, alone and with all interactions.
//! - [`worlds`]: where every point is lived in several worlds, how far figures are from what other points and other worlds would give,
//!   and what of an effect is luck.
//!
//! Figures are those of SALib 1.6.0 (`stats/tests/statistics/sensitivity.rs`).
//!
//! Points are from 0 to 1 in each dimension; effects keep the output's unit, and Sobol indices are shares of variance.

pub mod morris;
pub mod saltelli;
pub mod sobol;
pub mod worlds;

use crate::error::StatsError;

/// The values of an input factor: continuous or categorical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Any share of its range, 0 to 1.
    Range,
    /// One of so many levels, 2 or more, whose order means nothing. Level i of n is the share (i + ½) / n.
    Levels(usize),
}

impl Factor {
    /// The categorical level that a share of the unit interval stands for; `None` for a range.
    pub fn level(self, share: f64) -> Option<usize> {
        match self {
            Self::Range => None,
            Self::Levels(count) => Some(((share * count as f64) as usize).min(count - 1)),
        }
    }

    /// The share of the range at a level.
    fn share(level: usize, count: usize) -> f64 {
        (level as f64 + 0.5) / count as f64
    }

    fn check_all(factors: &[Self]) -> Result<(), StatsError> {
        if factors.is_empty() {
            return Err(StatsError::TooFew { subject: "factors".to_owned(), found: 0, needed: 1 });
        }
        let single = factors.iter().find_map(|factor| match factor {
            Self::Levels(count) if *count < 2 => Some(*count),
            _ => None,
        });
        match single {
            Some(found) => {
                Err(StatsError::TooFew { subject: "levels of a factor".to_owned(), found, needed: 2 })
            }
            None => Ok(()),
        }
    }
}
