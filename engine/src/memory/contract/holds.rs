//! Advice on positions that are held: the capability of an exit policy (optimal stopping).
//!
//! The trait is reached through `MemoryArchitecture::holds`; without it, positions are held to their end.
//!
//! Results and values are in R before costs, time is in ticks, ρ in R a tick. Golems review positions every `golem.holding.review_ticks`,
//! which is 0 (never) by default, and leave where the advice is below `golem.holding.leave_below_r` (0). Staying and leaving are compared
//! net of the value of time, because a position that still gains may gain less than the next one would. A position that was left is
//! followed on paper, so that its course is known to its end. With `golem.holding.scaling` (off by default) the same advice, where it is to
//! stay, also makes the position smaller or larger.

use super::{Candidate, DecisionContext, Voice};
use crate::episode::Course;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// A capability trait for an exit policy (exit decisions): a memory that advises on positions while they are held; called only where golems
/// review positions (`golem.holding.review_ticks`).
pub trait Holds {
    /// Advice on staying in. `moment` has the position's state in its context ([`Context::held`](crate::episode::Context::held)).
    /// `None` for no advice, and then the position is held to its stop or the end of its horizon.
    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice>;

    /// Takes in the course of a position, once it is known to its end.
    fn observe_course(&mut self, _course: &Course, _now: Tick) {}
}

/// An open position (trade) under review, as a state of optimal stopping, with its opportunity cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding<'a> {
    /// The candidate that was entered.
    pub candidate: &'a Candidate,
    /// Ticks since the decision to enter.
    pub held_ticks: u64,
    /// Result before costs, in R.
    pub open_r: f64,
    /// Expected R of the whole position before costs, at entry.
    pub planned_r: f64,
    /// The golem's value of a tick, in R, 0 or more.
    pub rho: f64,
}

impl Holding<'_> {
    /// The planned continuation value, i.e. that of staying to the end of the horizon if the plan holds (linear accrual): the rest of the
    /// expectation, if it comes evenly over time, less the value of the ticks left, in R. Evenly is our choice: it needs no knowledge of
    /// the trade's course.
    pub fn as_planned_r(&self) -> f64 {
        let left = self.ticks_left();
        self.planned_r * left / self.horizon_ticks() - self.rho * left
    }

    /// The remaining time to the end of the horizon (time to expiry), in ticks, at least 0.
    pub(crate) fn ticks_left(&self) -> f64 {
        (self.horizon_ticks() - self.held_ticks as f64).max(0.0)
    }

    /// The fraction of time remaining, the share of the horizon that is left, 0 to 1.
    pub(crate) fn share_left(&self) -> f64 {
        self.ticks_left() / self.horizon_ticks()
    }

    fn horizon_ticks(&self) -> f64 {
        f64::from(self.candidate.signal.horizon_ticks.max(1))
    }
}

/// A continuation value estimate, hold or exit, with attribution: an exit recommendation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldingAdvice {
    /// Expected addition to the open result by staying, less the value of its ticks, in R; leaving adds 0.
    pub stay_r: f64,
    /// The loudest voices, loudest first.
    pub why: Vec<Voice>,
}
