//! From a reading to the standardised vector (embedding) a golem remembers it by: feature engineering with online standardisation
//! (z-scores).
//!
//! Memories, dreams and the Lethe compare markets by it, and models learn from it; strategies and regimes are read from the raw measures.
//! Each feature is centred and scaled by its own running mean and deviation, causally (no look-ahead bias), and clamped to [−4, 4].
//! Dimension 16 is the core; 32 (the default) adds the core of 4 ticks ago; 64 the cores of 4, 16 and 64 ticks ago.
//!
//! m ← m + w (x − m), v ← (1 − w)(v + w (x − m)²), with (x − m) from before the update: exponentially weighted mean and variance (Finch
//! 2009, "Incremental calculation of weighted mean and variance"), w = 1/1024, larger while fewer ticks are known. The feature is (x − m) /
//! max(√v, least). A feature that never varied is 0. All golems of a world share the vector; it starts with the warm-up.

use crate::market::reading::Reading;
use morta_base::math::{cos, ln, sin};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Features of one tick.
pub(crate) const CORE_FEATURES: usize = 16;
/// Least standard deviation of each, so that a feature that hardly changes is not blown up into noise; in the feature's own unit, our
/// choice.
const DEVIATION_MIN: [f64; CORE_FEATURES] =
    [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.05, 0.05, 0.05, 0.05, 0.1, 0.05, 0.05, 0.1, 0.5, 0.5];
/// Lags of the further parts of an embedding, in ticks: the horizons of the returns in the core.
const LOOKS_BACK: [u32; 4] = [0, 4, 16, 64];
/// Weight of the newest value in running means and variances, once there are that many; slower than every window of a reading (512 ticks at
/// most), or standardising would take out what the reading measures.
const WEIGHT: f64 = 1.0 / 1024.0;
/// Largest standardised feature, in standard deviations: without it one jump would outweigh the fifteen other features in every distance.
const CLAMP: f64 = 4.0;
const SECONDS_A_DAY: i64 = 86_400;

type Core = [f32; CORE_FEATURES];

/// A running feature scaler (standard scaler) of one asset, with the lagged vectors that an embedding looks back on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Features {
    dimensions: u32,
    count: u64,
    means: [f64; CORE_FEATURES],
    variances: [f64; CORE_FEATURES],
    /// Oldest first; as many as the farthest look back needs.
    cores: VecDeque<Core>,
}

impl Features {
    /// A feature extractor without history: the first features are 0.
    pub(crate) fn new(dimensions: u32) -> Self {
        Self {
            dimensions,
            count: 0,
            means: [0.0; CORE_FEATURES],
            variances: [0.0; CORE_FEATURES],
            cores: VecDeque::new(),
        }
    }

    /// Updates means and variances online (z-score normalisation) by the raw features of one tick, with exponential weights.
    pub(crate) fn update(&mut self, raw: &[f64; CORE_FEATURES]) {
        self.count += 1;
        let weight = WEIGHT.max(1.0 / self.count as f64);
        let mut core = [0.0; CORE_FEATURES];
        for (index, &value) in raw.iter().enumerate() {
            // West's update of exponentially weighted mean and variance (Finch 2009).
            let difference = value - self.means[index];
            self.means[index] += weight * difference;
            self.variances[index] =
                (1.0 - weight) * (self.variances[index] + weight * difference * difference);
            let deviation = self.variances[index].sqrt().max(DEVIATION_MIN[index]);
            core[index] = ((value - self.means[index]) / deviation).clamp(-CLAMP, CLAMP) as f32;
        }
        self.cores.push_back(core);
        let farthest = LOOKS_BACK[self.parts() - 1];
        if self.cores.len() as u64 > u64::from(farthest) + 1 {
            self.cores.pop_front();
        }
    }

    fn parts(&self) -> usize {
        self.dimensions as usize / CORE_FEATURES
    }

    /// The feature vector (observation embedding) of the tick last taken in, with its lags; zeros for ticks before the first.
    pub(crate) fn embedding(&self) -> Box<[f32]> {
        let mut embedding = Vec::with_capacity(self.dimensions as usize);
        for &ago in &LOOKS_BACK[..self.parts()] {
            let core = self.cores.len().checked_sub(1 + ago as usize).map(|index| self.cores[index]);
            embedding.extend_from_slice(&core.unwrap_or([0.0; CORE_FEATURES]));
        }
        embedding.into_boxed_slice()
    }
}

/// The raw features (unscaled technical indicators) of a reading, in the order of the embedding.
pub(crate) fn raw_features(reading: &Reading, gas_ratio: f64, time_s: i64) -> [f64; CORE_FEATURES] {
    // Ratios and spreads may be 0, whose log isn't finite.
    const SMALL: f64 = 1e-6;
    let [one, four, sixteen, sixty_four] = reading.scaled_returns;
    let day_share = time_s.rem_euclid(SECONDS_A_DAY) as f64 / SECONDS_A_DAY as f64;
    // As an angle, so that a minute to midnight and a minute past it are near each other.
    let angle = std::f64::consts::TAU * day_share;
    [
        one,
        four,
        sixteen,
        sixty_four,
        reading.trend_strength,
        reading.range_position,
        reading.autocorrelation,
        reading.relative_strength,
        ln(reading.volatility),
        ln(reading.volatility_ratio),
        ln(reading.half_spread + SMALL),
        ln(gas_ratio + SMALL),
        ln(reading.depth_ratio + SMALL),
        reading.oracle_gap / reading.volatility,
        sin(angle),
        cos(angle),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::{Purpose, WorldSeed};

    #[test]
    fn features_become_standard() {
        let mut features = Features::new(16);
        let (mut sum, mut squares, n) = (0.0, 0.0, 4_000);
        for step in 0..n {
            let value = 7.0 + 3.0 * WorldSeed(1).world(Purpose::Bootstrap, 0, step).normal();
            features.update(&[value; CORE_FEATURES]);
            let z = f64::from(features.embedding()[0]);
            sum += z;
            squares += z * z;
        }
        assert!((sum / n as f64).abs() < 0.1 && (squares / n as f64 - 1.0).abs() < 0.1, "{sum} {squares}");
    }

    #[test]
    fn longer_embeddings_look_back() {
        let mut features = Features::new(64);
        let mut history = Vec::new();
        for step in 0..100 {
            features.update(&[f64::from(step % 13); CORE_FEATURES]);
            history.push(features.embedding()[0]);
        }
        let embedding = features.embedding();
        assert_eq!(embedding.len(), 64);
        for (part, ago) in LOOKS_BACK.iter().enumerate() {
            assert_eq!(embedding[part * CORE_FEATURES], history[99 - *ago as usize]);
        }
    }
}
