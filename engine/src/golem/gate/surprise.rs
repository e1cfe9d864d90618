//! The formulas of the gate: the prediction error of a tick, and the threshold from which a golem thinks (digest section 1, B02; see the
//! parent module). Errors and thresholds run from 0 to 1 and have no unit; the price miss alone may exceed 1 and is divided by
//! `price_full_miss` first. The parent gathers the deviations, and bypasses these formulas (T2) on an owner's call and before a change of
//! phase. It is a prediction error signal with an adaptive threshold.

use super::{ErrorConfig, GateConfig};
use crate::event::WakingTier;

/// A change of health below this is none (digest section 1, B02, as the three limits below).
const NOTABLE_HEALTH_CHANGE: f64 = 0.1;
/// Largest change of health that counts: half the way from entry to stop.
const MOST_HEALTH_CHANGE: f64 = 0.5;
/// Most interventions that count. With the other limits it keeps one term from deciding alone.
const MOST_INTERVENTIONS: u32 = 3;
/// Most anomalies that count; golems see three kinds, so this never binds here.
const MOST_ANOMALIES: u32 = 5;

/// The differences between a tick and its expectation: the terms of the prediction error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Surprise {
    /// The largest change of a price, as a share of it; 0 or more.
    pub price_miss: f64,
    pub regime_changed: bool,
    /// The move of the position's health, in either direction; 0 without a position.
    pub health_change: f64,
    /// The strongest threat in the air, 0 to 1.
    pub threat: f64,
    pub interventions: u32,
    pub anomalies: u32,
}

impl Surprise {
    /// The weighted prediction error, 0 to 1: surprise as a linear combination of deviations.
    pub(super) fn error(&self, weights: &ErrorConfig) -> f64 {
        let miss = (self.price_miss / weights.price_full_miss).min(1.0);
        let regime = f64::from(u8::from(self.regime_changed));
        let moved = self.health_change > NOTABLE_HEALTH_CHANGE;
        let health = if moved { self.health_change.min(MOST_HEALTH_CHANGE) } else { 0.0 };
        let error = weights.price * miss
            + weights.regime * regime
            + weights.health * health
            + weights.threat * self.threat
            + weights.intervention * f64::from(self.interventions.min(MOST_INTERVENTIONS))
            + weights.anomaly * f64::from(self.anomalies.min(MOST_ANOMALIES));
        error.min(1.0)
    }
}

impl GateConfig {
    /// The prediction error from which a golem thinks, of its confidence and vitality, 0 to 1, and its arousal, −1 to 1.
    pub(super) fn theta(&self, confidence: f64, vitality: f64, arousal: f64) -> f64 {
        let theta = self.threshold
            * (1.0 + self.confidence_weight * confidence)
            * (1.0 - self.vitality_weight * (1.0 - vitality))
            * (1.0 - self.arousal_weight * arousal.abs());
        theta.clamp(self.min_threshold, self.max_threshold)
    }

    /// The tier that a prediction error calls for.
    pub(super) fn tier(&self, error: f64, theta: f64) -> WakingTier {
        if error < theta {
            WakingTier::T0
        } else if error < self.large_from * theta {
            WakingTier::T1
        } else {
            WakingTier::T2
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    /// The four illustrative golems of B02; its own column of θ (.50, .30, .12, .09) does not follow from its formula (digest section 1).
    #[test]
    fn the_threshold_of_the_specs_golems() {
        let config = GateConfig::default();
        for (vitality, arousal, confidence, expected) in
            [(0.9, 0.1, 0.8, 0.40), (0.6, 0.4, 0.5, 0.30), (0.3, 0.9, 0.3, 0.22), (0.05, 0.8, 0.2, 0.20)]
        {
            let theta = config.theta(confidence, vitality, arousal);
            assert!((theta - expected).abs() < 0.005, "{theta} is not {expected}");
            assert_eq!(theta, config.theta(confidence, vitality, -arousal), "either sign");
        }
        near(config.theta(0.8, 0.9, 0.1), 0.3 * 1.4 * 0.97 * 0.98);
    }

    #[test]
    fn the_threshold_keeps_within_its_bounds() {
        let alert = GateConfig { threshold: 0.01, ..GateConfig::default() };
        near(alert.theta(0.0, 1.0, 0.0), 0.05);
        let calm = GateConfig { threshold: 1.0, ..GateConfig::default() };
        near(calm.theta(1.0, 1.0, 0.0), 0.8);
    }

    #[test]
    fn every_term_of_the_error_counts_up_to_its_cap() {
        let weights = ErrorConfig::default();
        let error = |surprise: Surprise| surprise.error(&weights);
        let none = Surprise::default();
        near(error(none), 0.0);
        near(error(Surprise { price_miss: 0.1, ..none }), 0.03);
        near(error(Surprise { price_miss: 7.0, ..none }), 0.3);
        near(error(Surprise { regime_changed: true, ..none }), 0.4);
        near(error(Surprise { health_change: 0.1, ..none }), 0.0);
        near(error(Surprise { health_change: 0.2, ..none }), 0.04);
        near(error(Surprise { health_change: 9.0, ..none }), 0.1);
        near(error(Surprise { threat: 0.8, ..none }), 0.12);
        near(error(Surprise { interventions: 9, ..none }), 0.3);
        near(error(Surprise { anomalies: 9, ..none }), 0.25);
        let all = Surprise { price_miss: 1.0, regime_changed: true, interventions: 3, threat: 1.0, ..none };
        near(error(all), 1.0);
        let fine = ErrorConfig { price_full_miss: 0.01, ..weights.clone() };
        near(Surprise { price_miss: 0.005, ..none }.error(&fine), 0.15);
    }

    #[test]
    fn a_threshold_is_reached_and_doubled() {
        let config = GateConfig::default();
        let tiers = [0.29, 0.3, 0.59, 0.6, 1.0].map(|error| config.tier(error, 0.3));
        let [t0, t1, t2] = WakingTier::ALL;
        assert_eq!(tiers, [t0, t1, t1, t2, t2]);
    }
}
