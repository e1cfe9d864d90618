//! The course of a position with its reviews, from which memory learns when to leave: a trajectory of an optimal stopping problem.
//!
//! Results are in R before costs, times in ticks; ρ is in R a tick. Where a position was left early, the course goes on as a paper trade to
//! the stop or the horizon, so that every reviewed position teaches the outcome of staying (a counterfactual) whether or not the golem
//! stayed. The golem makes one for each reviewed position (`golem::holding`; none without reviews, the default) and hands it to the memory
//! when it is over; a death drops it.

use crate::episode::Context;
use crate::market::{Held, Strategy};
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

/// A position at a review, or on paper at the tick at which one was due: a time step of the trajectory, with its mark-to-market result and
/// the price of time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// The tick of the review.
    pub tick: Tick,
    /// The state of the position.
    pub held: Held,
    /// Result before costs, in R.
    pub open_r: f64,
    /// The golem's mean reward a tick then, in R.
    pub rho: f64,
}

/// The course (trajectory, rollout) of a position to its stop or the end of its horizon: as it was held, and on paper from the review at
/// which it was left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The episode of the trade.
    pub episode: EpisodeId,
    /// The strategy that was entered.
    pub strategy: Strategy,
    /// The circumstances of the entry.
    pub context: Context,
    /// Its reviews, in the order of time.
    pub reviews: Vec<Review>,
    /// The tick of its end.
    pub ended: Tick,
    /// Its result there before costs, in R.
    pub end_r: f64,
    /// Place among the reviews, from 0, of the one at which it was left; `None` if it was held to its end.
    pub left_at: Option<u32>,
}

impl Course {
    /// The reviews of the position while it was held, without those on paper (on-policy).
    pub(crate) fn held_through(&self) -> impl Iterator<Item = &Review> {
        let held = self.left_at.map_or(self.reviews.len(), |place| place as usize + 1);
        self.reviews.iter().take(held)
    }

    /// The circumstances of a review: those of the entry, and the position (the state of the Markov decision process at that time).
    pub fn context_at(&self, review: &Review) -> Context {
        Context { held: Some(review.held), ..self.context }
    }

    /// The continuation value of a review, in R: the reward to go, from the review to the end of the trade, less ρ for each tick as in
    /// average-reward learning. Leaving has the value 0.
    pub fn stayed_r(&self, review: &Review) -> f64 {
        self.end_r - review.open_r - review.rho * self.ended.saturating_sub(review.tick) as f64
    }

    /// The reviews at which a state was met for the first time: later ones of the same state share their end, and would count one outcome twice
    /// (first-visit Monte Carlo). The Bardo memory tests claims about staying by these and recalls positions by them; the credit assignment
    /// of dreams learns from all reviews.
    pub fn first_visits(&self) -> impl Iterator<Item = &Review> {
        let is_first = |place: usize| {
            self.reviews[..place].iter().all(|earlier| earlier.held != self.reviews[place].held)
        };
        self.reviews.iter().enumerate().filter(move |(place, _)| is_first(*place)).map(|(_, review)| review)
    }
}
