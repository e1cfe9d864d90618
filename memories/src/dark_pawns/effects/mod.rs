//! The effects of memory on behaviour: the original's measures (digest section 10). They are the behavioural persistence score (BPS, an
//! absolute difference of probabilities, 0 to 1), the social consequence score (SCS, signed, above 0 where the stance moved as the event
//! felt) and an exponential decay with its half-life in sessions, or in dreams for forgetting curves. Classes have thresholds of the
//! original, because a score alone doesn't say whether it is large. A stance is an ordinal scale from hostile to devoted. The formulas are
//! here; `account` applies them to tables that a command reads (`morta-memory dark-pawns decisions` writes one from a sweep of golems), and
//! forgetting curves of dreams take the exponential fit. No golem and no dream reads them.

mod account;

pub use account::{
    Account, Arm, Cost, Curve, CurvePoint, Decision, Encounter, Hosting, Persistence, SocialConsequence,
    account,
};

use crate::dark_pawns::Valence;
use morta_base::math::{exp, ln};
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};

/// Decisions that each arm of a persistence score should have: the minimum of the original's methodology page.
pub const ENOUGH_DECISIONS: u64 = 50;
/// Decisions that each side of a cost ratio should have: the minimum of the original's methodology page.
pub const ENOUGH_COSTS: u64 = 100;

morta_base::words! {
    /// Class of an effect (effect size class), by the thresholds of the original's methodology page.
    pub enum Strength {
        /// A persistence score above 0.3, or a consequence score above 0.5.
        Strong = "strong",
        /// A persistence score of 0.1 to 0.3, or a consequence score of 0.2 to 0.5.
        Moderate = "moderate",
        /// A score below those.
        Little = "little",
    }
}

impl Strength {
    /// The class of a behavioural persistence score (classification of an effect size by threshold).
    pub fn of_persistence(score: f64) -> Self {
        Self::from_limits(score, 0.1, 0.3)
    }

    /// The class of a social consequence score; the sources call `Strong` durable and `Moderate` weak (effect size).
    pub fn of_consequence(score: f64) -> Self {
        Self::from_limits(score, 0.2, 0.5)
    }

    fn from_limits(score: f64, low: f64, high: f64) -> Self {
        if score > high {
            Self::Strong
        } else if score >= low {
            Self::Moderate
        } else {
            Self::Little
        }
    }
}

/// Counts of an action's choice: a binomial proportion (choice frequency) before it is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// Decisions in which it was chosen.
    pub chosen: u64,
    /// All decisions.
    pub of: u64,
}

impl Choices {
    fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.chosen as f64 / self.of as f64)
    }
}

/// Behavioural persistence score: |P(action | memory) − P(action | none)|, 0 to 1: the absolute difference of two shares (treatment
/// effect). `None` when an arm has no decisions.
pub fn persistence(memory: Choices, none: Choices) -> Option<f64> {
    Some((memory.share()? - none.share()?).abs())
}

morta_base::words! {
    /// The stance of an agent towards another, by its action: an ordinal scale of attitude.
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
    /// The stance as a number, −2 to +2 (ordinal scale).
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

/// Social consequence score: the attitude change, normalised by the event's valence: a treatment effect on a stance. It is positive when
/// the stance moved in the direction of the event. `None` for an event of valence 0, because the quotient has no value there.
pub fn consequence(before: Stance, after: Stance, valence: Valence) -> Option<f64> {
    let change = f64::from(after.value() - before.value());
    (valence != Valence::NEUTRAL).then(|| change / f64::from(valence.get()))
}

/// An exponential decay of a score: initial·e^(−rate·t) (decay model).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fading {
    /// The score at time 0.
    pub initial: f64,
    /// The decay rate λ, in 1/session, or 1/dream in a forgetting curve.
    pub rate: f64,
}

impl Fading {
    /// Fits points of time and score by least squares of the natural logarithms (log-linear regression). Scores of 0 are left out, because
    /// they have no logarithm. `None` without positive scores at two times.
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

    /// Predicts the fitted score after `sessions`.
    pub fn after(self, sessions: f64) -> f64 {
        self.initial * exp(-self.rate * sessions)
    }

    /// The half-life of the effect: sessions in which the score halves, ln 2/λ; `None` when it doesn't fall.
    pub fn half_life(self) -> Option<f64> {
        (self.rate > 0.0).then(|| std::f64::consts::LN_2 / self.rate)
    }
}
