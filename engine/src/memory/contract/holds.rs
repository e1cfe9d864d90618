//! A position that is held, and what memory says of staying in.

use super::{Candidate, DecisionContext, Voice};
use crate::episode::Course;
use morta_base::Tick;
use serde::{Deserialize, Serialize};

/// A memory that speaks of positions while they are held; asked only where golems think positions over (`golem.holding.review_ticks`).
pub trait Holds {
    /// What it has to say of staying in. `moment` has the position's state in its context
    /// ([`Context::held`](crate::episode::Context::held)). `None`: nothing, so the position is held to its stop or the end of its
    /// horizon.
    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice>;

    /// Takes in how a position went, once it is known to its end.
    fn observe_course(&mut self, _course: &Course, _now: Tick) {}
}

/// A position when its golem thinks it over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding<'a> {
    /// What was entered.
    pub candidate: &'a Candidate,
    /// Ticks since the decision to enter.
    pub held_ticks: u64,
    /// Result before costs, in R.
    pub open_r: f64,
    /// R before costs that was expected of all of it when it was entered.
    pub planned_r: f64,
    /// What a tick is worth to the golem, R, 0 or more.
    pub rho: f64,
}

impl Holding<'_> {
    /// What staying in to the end of the horizon is worth to who trusts the plan: what is left of the expectation, if it comes in evenly, less what
    /// the ticks left are worth, in R.
    pub fn as_planned_r(&self) -> f64 {
        let left = self.ticks_left();
        self.planned_r * left / self.horizon_ticks() - self.rho * left
    }

    /// Ticks left to the end of the horizon.
    pub fn ticks_left(&self) -> f64 {
        (self.horizon_ticks() - self.held_ticks as f64).max(0.0)
    }

    /// The share of the horizon that is left, 0 to 1.
    pub fn share_left(&self) -> f64 {
        self.ticks_left() / self.horizon_ticks()
    }

    fn horizon_ticks(&self) -> f64 {
        f64::from(self.candidate.signal.horizon_ticks.max(1))
    }
}

/// What memory says of staying in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HoldingAdvice {
    /// What staying in is expected to add to the open result, less what its ticks are worth, in R; leaving adds 0.
    pub stay_r: f64,
    /// The loudest voices, loudest first.
    pub why: Vec<Voice>,
}
