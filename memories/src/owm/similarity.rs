//! How alike two circumstances are (digest section 3).

use super::context::ContextVector;
use crate::base::{TableChecker, math};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the fields count for, and how far apart measures may be and still be alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SimilarityConfig {
    /// Weight of the same regime, 0 to 1 (default 0.25). Weights need not add up to 1: likeness is a share of their sum.
    pub regime_weight: f64,
    /// Weight of the same volatility regime, 0 to 1 (default 0.15).
    pub volatility_weight: f64,
    /// Weight of the same part of the day, 0 to 1 (default 0.10).
    pub session_weight: f64,
    /// Weights of the measures, 0 to 1 each: average true range of a day, of an hour, spread over true range, drawdown, price
    /// (default 0.15, 0.10, 0.05, 0.10, 0.10).
    pub measure_weights: [f64; 5],
    /// Their bandwidths, 0.001 to 1,000: the standard deviation of the bell, as a share of the remembered value (default 0.3, 0.3,
    /// 0.5, 0.1, 0.2).
    pub bandwidths: [f64; 5],
}

impl Default for SimilarityConfig {
    fn default() -> Self {
        Self {
            regime_weight: 0.25,
            volatility_weight: 0.15,
            session_weight: 0.10,
            measure_weights: [0.15, 0.10, 0.05, 0.10, 0.10],
            bandwidths: [0.3, 0.3, 0.5, 0.1, 0.2],
        }
    }
}

impl SimilarityConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.share("regime_weight", self.regime_weight);
        table.share("volatility_weight", self.volatility_weight);
        table.share("session_weight", self.session_weight);
        for weight in self.measure_weights {
            table.share("measure_weights", weight);
        }
        for bandwidth in self.bandwidths {
            table.within("bandwidths", bandwidth, 0.001, 1_000.0);
        }
        let total = self.total_weight();
        table.demand(total > 0.0, "regime_weight", total, "at least one weight must be above 0");
    }

    /// The sum of all weights.
    pub fn total_weight(&self) -> f64 {
        let labels = self.regime_weight + self.volatility_weight + self.session_weight;
        self.measure_weights.iter().fold(labels, |sum, weight| sum + weight)
    }

    /// The weights that equal labels earn.
    pub fn label_weights(&self, memory: &ContextVector, query: &ContextVector) -> f64 {
        let alike = |same: bool, weight: f64| if same { weight } else { 0.0 };
        alike(memory.regime.is_some() && memory.regime == query.regime, self.regime_weight)
            + alike(
                memory.volatility_regime.is_some() && memory.volatility_regime == query.volatility_regime,
                self.volatility_weight,
            )
            + alike(memory.session.is_some() && memory.session == query.session, self.session_weight)
    }

    /// Likeness of the present to a remembered moment, 0 to 1: the earned weights as a share of all. Labels earn their weight when equal;
    /// measures earn w·exp(−z²/2), z = (v₁ − v₂)/(h·|v₁|), where v₁ is the remembered value, so the measure is asymmetric. What is
    /// unknown on either side earns nothing, nor does a remembered 0 (digest section 3; C-2, C-3).
    pub fn similarity(&self, memory: &ContextVector, query: &ContextVector) -> f64 {
        let mut earned = self.label_weights(memory, query);
        let pairs = memory.measures().into_iter().zip(query.measures());
        for ((weight, bandwidth), pair) in self.measure_weights.iter().zip(&self.bandwidths).zip(pairs) {
            if let (Some(remembered), Some(now)) = pair
                && remembered != 0.0
            {
                let z = (remembered - now) / (bandwidth * remembered.abs());
                earned += weight * math::exp(-0.5 * z * z);
            }
        }
        (earned / self.total_weight()).clamp(0.0, 1.0)
    }
}
