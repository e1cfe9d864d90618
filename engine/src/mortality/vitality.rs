//! How alive a golem is, and the behavioural phases.

use crate::mortality::MortalityConfig;
use morta_base::keys::{Free, KeyValue};
use morta_base::{Tick, math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Economic health at which half the vitality is lost, and how sharply.
const ECONOMIC_CENTRE: f64 = 0.3;
const ECONOMIC_SLOPE: f64 = 10.0;
/// The same for epistemic fitness.
const FITNESS_CENTRE: f64 = 0.4;
const FITNESS_SLOPE: f64 = 8.0;

/// Vitality in [0, 1]: V = σ(econ; .3, 10) · σ(fit; .4, 8) · max(0, 1 − drag·age/lifespan) (digest section 11, M01).
///
/// `economic` is the balance over the balance at birth, at most 1; `fitness` the epistemic fitness in [0, 1].
pub fn vitality(economic: f64, fitness: f64, age: Tick, config: &MortalityConfig) -> f64 {
    let age_factor = (1.0 - config.age_drag * age as f64 / config.lifespan_ticks as f64).max(0.0);
    math::logistic(economic, ECONOMIC_CENTRE, ECONOMIC_SLOPE)
        * math::logistic(fitness, FITNESS_CENTRE, FITNESS_SLOPE)
        * age_factor
}

/// Urgency of acting in [0, 1]: u = 1 − 1/(1 + e^(−8(V − .5))), near 0 for the healthy and near 1 for the dying (digest
/// section 1, A03, with the "1 −" its own values need).
pub fn urgency(vitality: f64) -> f64 {
    1.0 - math::logistic(vitality, 0.5, 8.0)
}

/// Behavioural phases, by vitality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Phase {
    Terminal,
    Declining,
    Conservation,
    Stable,
    Thriving,
}

impl KeyValue for Phase {
    type Rule = Free;
}

impl Phase {
    /// All of them, worst first.
    pub const ALL: [Self; 5] =
        [Self::Terminal, Self::Declining, Self::Conservation, Self::Stable, Self::Thriving];

    /// Its place in [`Phase::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Declining => "declining",
            Self::Conservation => "conservation",
            Self::Stable => "stable",
            Self::Thriving => "thriving",
        }
    }

    /// Vitality at which it begins: Declining .1, Conservation .3, Stable .5, Thriving .7.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Terminal => 0.0,
            Self::Declining => 0.1,
            Self::Conservation => 0.3,
            Self::Stable => 0.5,
            Self::Thriving => 0.7,
        }
    }

    /// The phase of a newborn of this vitality.
    pub fn of(vitality: f64) -> Self {
        *Self::ALL.iter().rev().find(|phase| vitality >= phase.threshold()).unwrap_or(&Self::Terminal)
    }

    /// The next phase: a fall is immediate, a rise needs `hysteresis` above the threshold.
    pub fn next(self, vitality: f64, hysteresis: f64) -> Self {
        let raw = Self::of(vitality);
        if raw <= self {
            return raw;
        }
        Self::of(vitality - hysteresis).max(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digest section 11: a newborn at cold-start fitness .5 has V = .69; Thriving needs fitness ≥ .506; fitness .35
    /// gives .40; Terminal by fitness alone needs fitness below .125, by funds alone econ below .080 (.0812 at fitness 1).
    #[test]
    fn vitality_matches_the_digest() {
        let config = MortalityConfig::default();
        let at = |economic, fitness| vitality(economic, fitness, 0, &config);
        assert!((at(1.0, 0.5) - 0.69).abs() < 0.005, "{}", at(1.0, 0.5));
        assert!(at(1.0, 0.505) < 0.7 && at(1.0, 0.507) >= 0.7);
        assert!((at(1.0, 0.35) - 0.40).abs() < 0.005);
        assert!(at(1.0, 0.124) < 0.1 && at(1.0, 0.126) > 0.1);
        assert!(at(0.080, 1.0) < 0.1 && at(0.082, 1.0) > 0.1);
    }

    /// Digest section 1: V = .8 gives .08.
    #[test]
    fn urgency_matches_the_digest() {
        assert!((urgency(0.8) - 0.0832).abs() < 5e-5, "{}", urgency(0.8));
        assert!((urgency(0.5) - 0.5).abs() < 1e-12 && urgency(0.1) > 0.95);
    }

    #[test]
    fn age_takes_thirty_per_cent_over_a_lifespan() {
        let config = MortalityConfig::default();
        let ratio = vitality(1.0, 1.0, 200_000, &config) / vitality(1.0, 1.0, 0, &config);
        assert!((ratio - 0.7).abs() < 1e-12);
    }

    #[test]
    fn phases_rise_late_and_fall_at_once() {
        let check =
            |from: Phase, vitality, expected| assert_eq!(from.next(vitality, 0.05), expected, "{vitality}");
        check(Phase::Stable, 0.72, Phase::Stable);
        check(Phase::Stable, 0.75, Phase::Thriving);
        check(Phase::Thriving, 0.69, Phase::Stable);
        check(Phase::Terminal, 0.32, Phase::Declining);
        check(Phase::Terminal, 0.36, Phase::Conservation);
        check(Phase::Thriving, 0.0, Phase::Terminal);
        assert_eq!(Phase::of(0.69), Phase::Stable);
    }
}
