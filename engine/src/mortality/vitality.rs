//! Vitality, the health score of a golem from 0 to 1, and the five behavioural phases by it (digest section 11, M01).
//!
//! Vitality is the product of two logistic sigmoids, of money and of epistemic fitness, and a linear factor of age; age and lifespan are in
//! ticks of the specs. Phases have thresholds with hysteresis, so that a vitality that wavers at one doesn't change behaviour at every
//! tick. Budgets, risk, exploration and sharing depend on the phase. Phases are health states, like stages of a life cycle.
//! A phase is a life stage (life phase).

use crate::mortality::MortalityConfig;
use morta_base::{Tick, math};

/// Economic health at which half the vitality is lost (digest section 11, M01, as the three below).
const ECONOMIC_CENTRE: f64 = 0.3;
/// Slope of the logistic there. With both slopes a newborn of fitness .5 has V = .69: it is Stable, and thriving takes a fitness of .506.
const ECONOMIC_SLOPE: f64 = 10.0;
/// Epistemic fitness at which half the vitality is lost.
const FITNESS_CENTRE: f64 = 0.4;
/// Slope of the logistic there.
const FITNESS_SLOPE: f64 = 8.0;

/// Vitality, a composite health score in [0, 1]: V = σ(econ; .3, 10) · σ(fit; .4, 8) · max(0, 1 − drag·age/lifespan) (digest section 11,
/// M01).
///
/// `economic` is the balance over the balance at birth, at most 1; `fitness` the epistemic fitness in [0, 1]. A product, so that no clock
/// makes up for another: a rich golem that knows nothing isn't well. The caller holds `economic` to 1, and gives an immortal a vitality of
/// 1 instead.
pub fn vitality(economic: f64, fitness: f64, age: Tick, config: &MortalityConfig) -> f64 {
    let age_factor = (1.0 - config.age_drag * age as f64 / config.lifespan_ticks as f64).max(0.0);
    math::logistic(economic, ECONOMIC_CENTRE, ECONOMIC_SLOPE)
        * math::logistic(fitness, FITNESS_CENTRE, FITNESS_SLOPE)
        * age_factor
}

/// Urgency of acting in [0, 1], a logistic function of vitality: u = 1 − 1/(1 + e^(−8(V − .5))), near 0 for the healthy and near 1 for the
/// dying (digest section 1, A03, with the "1 −" its own values need). Where affect is on with `daimon.behaviour.action_score` (off by
/// default), a golem weighs its candidates by it: merit where it is near 0, expected R where it is near 1. Events of vitality record it in
/// any case. Dreams have an urgency of their own.
pub fn urgency(vitality: f64) -> f64 {
    1.0 - math::logistic(vitality, 0.5, 8.0)
}

morta_base::words! {
    /// Behavioural phases, by vitality.
    #[allow(missing_docs)]
    pub enum Phase: Key {
        Terminal = "terminal",
        Declining = "declining",
        Conservation = "conservation",
        Stable = "stable",
        Thriving = "thriving",
    }
}

impl Phase {
    /// Vitality at which it begins: Declining .1, Conservation .3, Stable .5, Thriving .7. This lower bound (cutoff) is 0 for Terminal.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Terminal => 0.0,
            Self::Declining => 0.1,
            Self::Conservation => 0.3,
            Self::Stable => 0.5,
            Self::Thriving => 0.7,
        }
    }

    /// The phase of a newborn of this vitality, by thresholds without hysteresis. The gate that saves a golem thinking compares by it too,
    /// to see whether a change of phase is imminent.
    pub fn from_vitality(vitality: f64) -> Self {
        *Self::ALL.iter().rev().find(|phase| vitality >= phase.threshold()).unwrap_or(&Self::Terminal)
    }

    /// The next phase: a fall is immediate, a rise needs `hysteresis` (default .05) above the threshold, so that a wavering vitality
    /// doesn't flap.
    pub fn next(self, vitality: f64, hysteresis: f64) -> Self {
        let raw = Self::from_vitality(vitality);
        if raw <= self {
            return raw;
        }
        Self::from_vitality(vitality - hysteresis).max(self)
    }
}
