//! Similarity of two contexts (digest section 3), the factor Sim of a recall score. It is a weighted kernel similarity with
//! similarity weights and a kernel bandwidth for each measure (Gaussian kernel for measures, equality for labels), 0 to 1. Distances are
//! relative to the remembered value, because a range of 100 is wide in one market and narrow in another. Half of the default weight is on
//! the three labels. Keys whose weights are all 0 are refused when they are read.

use super::context::ContextVector;
use morta_base::keys;
use morta_base::{TableChecker, math};

keys! {
    /// What the fields count for, and how far apart measures may be and still be alike.
    pub struct SimilarityConfig {
        /// Weight of the same regime. Weights need not add up to 1: likeness is a share of their sum.
        regime_weight: f64 = 0.25, in 0.0..=1.0, "weight";
        /// Weight of the same volatility regime.
        volatility_weight: f64 = 0.15, in 0.0..=1.0, "weight";
        /// Weight of the same part of the day.
        session_weight: f64 = 0.10, in 0.0..=1.0, "weight";
        /// Weights of the measures: average true range of a day, of an hour, spread over true range, drawdown, price.
        measure_weights: [f64; 5] = [0.15, 0.10, 0.05, 0.10, 0.10], in 0.0..=1.0, "weight";
        /// Their bandwidths: the standard deviation of the bell, as a share of the remembered value.
        bandwidths: [f64; 5] = [0.3, 0.3, 0.5, 0.1, 0.2], in 0.001..=1_000.0, "share";
    }
    also something_weighs;
}

impl SimilarityConfig {
    fn something_weighs(&self, table: &mut TableChecker<'_>) {
        let total = self.total_weight();
        table.demand(total > 0.0, "regime_weight", total, "at least one weight must be above 0");
    }

    /// The sum of all weights, by which a similarity is divided (normalization).
    pub fn total_weight(&self) -> f64 {
        let labels = self.regime_weight + self.volatility_weight + self.session_weight;
        self.measure_weights.iter().fold(labels, |sum, weight| sum + weight)
    }

    /// Sums the weights of equal labels (categorical fields).
    pub fn label_weights(&self, memory: &ContextVector, query: &ContextVector) -> f64 {
        let alike = |same: bool, weight: f64| if same { weight } else { 0.0 };
        alike(memory.regime.is_some() && memory.regime == query.regime, self.regime_weight)
            + alike(
                memory.volatility_regime.is_some() && memory.volatility_regime == query.volatility_regime,
                self.volatility_weight,
            )
            + alike(memory.session.is_some() && memory.session == query.session, self.session_weight)
    }

    /// Similarity of the present to a remembered context, 0 to 1: the earned weights as a share of all (Gaussian kernel). A label earns its
    /// weight when equal. A measure earns w·exp(−z²/2) with z = (v₁ − v₂)/(h·|v₁|); v₁ is the remembered value, so the similarity is
    /// asymmetric. A field that is unknown on either side earns nothing, and neither does a remembered 0, because z has no value there
    /// (digest section 3; C-2, C-3).
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
