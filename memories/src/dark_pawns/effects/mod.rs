//! What memory does to behaviour: the original's measures (digest section 10).

mod account;

pub use account::{
    Account, Arm, Cost, Curve, CurvePoint, Decision, Encounter, Hosting, Persistence, SocialConsequence,
    account,
};

use crate::dark_pawns::Valence;
use morta_base::math::{exp, ln};
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};

/// Decisions that either arm of a persistence score should have, as the original's methodology asks.
pub const ENOUGH_DECISIONS: u64 = 50;
/// Decisions that either side of a cost ratio should have, as the original's methodology asks.
pub const ENOUGH_COSTS: u64 = 100;

morta_base::words! {
    /// How much of an effect there is.
    pub enum Strength {
        /// Behaviour: above 0.3. Stance: above 0.5.
        Strong = "strong",
        /// Behaviour: 0.1 to 0.3. Stance: 0.2 to 0.5.
        Moderate = "moderate",
        /// Less than moderate.
        Little = "little",
    }
}

impl Strength {
    /// Of a behavioural persistence score.
    pub fn of_persistence(score: f64) -> Self {
        Self::of(score, 0.1, 0.3)
    }

    /// Of a social consequence score; the sources call `Strong` durable and `Moderate` weak.
    pub fn of_consequence(score: f64) -> Self {
        Self::of(score, 0.2, 0.5)
    }

    fn of(score: f64, low: f64, high: f64) -> Self {
        if score > high {
            Self::Strong
        } else if score >= low {
            Self::Moderate
        } else {
            Self::Little
        }
    }
}

/// How often an action was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Times it was chosen.
    pub chosen: u64,
    /// Times it could have been.
    pub of: u64,
}

impl Choices {
    fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.chosen as f64 / self.of as f64)
    }
}

/// Behavioural persistence score: how much memory moves the probability of an action, 0 to 1; `None` when an arm has no decisions.
pub fn persistence(memory: Choices, none: Choices) -> Option<f64> {
    Some((memory.share()? - none.share()?).abs())
}

morta_base::words! {
    /// How an agent meets another, by what it does.
    pub enum Stance {
        /// Hostile: −2.
        Attack = "attack",
        /// Avoidant: −1.
        Flee = "flee",
        /// Neither: 0.
        Pass = "pass",
        /// Friendly: +1.
        Assist = "assist",
        /// Devoted: +2.
        Defend = "defend",
    }
}

impl Stance {
    /// As a number, −2 to +2.
    pub const fn value(self) -> i8 {
        match self {
            Self::Attack => -2,
            Self::Flee => -1,
            Self::Pass => 0,
            Self::Assist => 1,
            Self::Defend => 2,
        }
    }
}

/// Social consequence score: change of stance for each point of the event's valence; positive when it went the way of the event.
/// `None` for an event of no valence.
pub fn consequence(before: Stance, after: Stance, valence: Valence) -> Option<f64> {
    let change = f64::from(after.value() - before.value());
    (valence != Valence::NEUTRAL).then(|| change / f64::from(valence.get()))
}

/// A score that fades exponentially.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fading {
    /// Score at once.
    pub initial: f64,
    /// What it loses, as a share of itself, in a session (λ).
    pub rate: f64,
}

impl Fading {
    /// The straight line through the logarithms that misses them least; scores of 0 have none. `None` without scores at two times.
    pub fn fit(points: &[(f64, f64)]) -> Option<Self> {
        let points: Vec<(f64, f64)> = points
            .iter()
            .filter(|(_, score)| *score > 0.0)
            .map(|(time, score)| (*time, ln(*score)))
            .collect();
        let (time, level) =
            (mean(points.iter().map(|point| point.0))?, mean(points.iter().map(|point| point.1))?);
        let spread: f64 = points.iter().map(|(t, _)| (t - time) * (t - time)).sum();
        let slope = points.iter().map(|(t, l)| (t - time) * (l - level)).sum::<f64>() / spread;
        (spread > 0.0).then(|| Self { initial: exp(level - slope * time), rate: -slope })
    }

    /// The score after so many sessions.
    pub fn after(self, sessions: f64) -> f64 {
        self.initial * exp(-self.rate * sessions)
    }

    /// Sessions in which the score halves; `None` when it doesn't fade.
    pub fn half_life(self) -> Option<f64> {
        (self.rate > 0.0).then(|| std::f64::consts::LN_2 / self.rate)
    }
}
