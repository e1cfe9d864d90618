//! How a position went, thought over at intervals: from this it is learnt when to leave.

use crate::episode::Context;
use crate::market::{Held, Strategy};
use morta_base::{EpisodeId, Tick};
use serde::{Deserialize, Serialize};

/// A position at one of the moments in which it was thought over, or would have been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// When.
    pub tick: Tick,
    /// The state of the position.
    pub held: Held,
    /// Result before costs, in R.
    pub open_r: f64,
    /// What a tick was worth to the golem then, R.
    pub rho: f64,
}

/// How a position went, to its stop or the end of its horizon: as it was held, and from where it was left on paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The trade it was.
    pub episode: EpisodeId,
    /// What was entered.
    pub strategy: Strategy,
    /// The circumstances of the entry.
    pub context: Context,
    /// The moments in which it was thought over, by time.
    pub reviews: Vec<Review>,
    /// When it came to its end.
    pub ended: Tick,
    /// Its result there before costs, in R.
    pub end_r: f64,
    /// Place among the reviews of the one at which it was left; nothing if it was held to its end.
    pub left_at: Option<u32>,
}

impl Course {
    /// The reviews of the position while it was held, without those on paper.
    pub fn held_through(&self) -> impl Iterator<Item = &Review> {
        let held = self.left_at.map_or(self.reviews.len(), |place| place as usize + 1);
        self.reviews.iter().take(held)
    }

    /// The circumstances of a review: those of the entry, and the position.
    pub fn context_at(&self, review: &Review) -> Context {
        Context { held: Some(review.held), ..self.context }
    }

    /// What staying in to the end came to from a review on, less what the ticks were worth, in R.
    pub fn stayed_r(&self, review: &Review) -> f64 {
        self.end_r - review.open_r - review.rho * self.ended.saturating_sub(review.tick) as f64
    }

    /// The reviews at which a state was met for the first time: later ones of the same state share their end.
    pub fn first_visits(&self) -> impl Iterator<Item = &Review> {
        let is_first = |place: usize| {
            self.reviews[..place].iter().all(|earlier| earlier.held != self.reviews[place].held)
        };
        self.reviews.iter().enumerate().filter(move |(place, _)| is_first(*place)).map(|(_, review)| review)
    }
}
