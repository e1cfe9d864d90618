//! Gut feelings: the valence of a strategy's trades in similar situations (digest section 10, somatic markers).
//!
//! A marker v ← v + α (valence − v), α = .15. The gut is the mean of the five nearest markers of a strategy, weighted by 1/(distance +
//! softening). Valence runs from −1 to 1, features from 0 to 1, results are in R. Every closed trade of a golem with affect moves one
//! marker; at a decision the gut times `GUT_WEIGHT_R` (.05 R) is added to each candidate's expected R or, under the action score, is its
//! pleasure (neither with `daimon.behaviour.gut` off). It is the somatic marker hypothesis (Damasio) as k-nearest-neighbour regression: a
//! fast voice beside memory's, from results alone. It is never handed to an heir.

use morta_base::keys;
use serde::{Deserialize, Serialize};

/// R that a gut feeling of 1 adds to what is expected of a candidate. Our choice: half of the usual spread of choices (`golem.choice_temperature_r`), so that it
/// decides between equals. No consequence was found of half and twice as much (`scenarios/sensitivity`).
pub(crate) const GUT_WEIGHT_R: f64 = 0.05;

keys! {
    /// The `[daimon.somatic]` table.
    pub struct SomaticConfig {
        /// Weight of the newest trade in a marker.
        alpha: f64 = 0.15, in 0.0..=1.0, "weight";
        /// Nearest markers that speak.
        neighbours: u32 = 5, in 1..=MAX_NEIGHBOURS as u32, "markers";
    }
}

/// Distance at which a neighbour speaks half as loud as one in the very same circumstances. Our choice: a tenth of one feature's range.
const SOFTENING: f64 = 0.1;
/// How far a marker must move to be reported again, of the 2 between the worst and the best valence. Our choice: a fifth of that; from the middle the
/// fourth of the best trades in a row gets there.
const REPORT_DISTANCE: f64 = 0.4;

/// Most neighbours: a strategy has one marker for each of four regimes, so a scenario that asks for more gets all there are.
const MAX_NEIGHBOURS: usize = 8;

/// Number of numeric features of a situation: volatility, liquidity and gas.
pub(crate) const FEATURES: usize = 3;
/// Distance of another regime: one feature's whole range. Our choice, because a trade in another regime should be as far as one at the other end of
/// volatility, and nearer than one that differs in two features.
const OTHER_REGIME: f64 = 1.0;

/// The situation of a strategy's trade: a feature vector (query point) for nearest neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SomaticSituation {
    /// The strategy, by its index.
    pub strategy: u8,
    /// The regime, by its index.
    pub regime: u8,
    /// Volatility, liquidity and gas, each from 0 to 1.
    pub features: [f64; FEATURES],
}

/// Valence (emotional reward) of a trade, −1 to 1: 1.2(win − .5) + .4·clamp(pnl, ±1), the profit in R (digest section 10).
pub fn valence(realised_r: f64) -> f64 {
    let win = f64::from(u8::from(realised_r > 0.0));
    1.2 * (win - 0.5) + 0.4 * realised_r.clamp(-1.0, 1.0)
}

/// A somatic marker that has moved far enough to be reported: a change event for the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marked {
    /// Its present valence, −1 to 1.
    pub valence: f64,
    /// Number of trades that have moved it.
    pub trades: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Marker {
    /// The strategy and regime, with the running mean of the features.
    place: SomaticSituation,
    valence: f64,
    /// The valence that was last reported; 0 before the first report.
    #[serde(rename = "told")]
    reported: f64,
    trades: u32,
}

/// One marker for each strategy in each regime that was traded: affective memory, one exponential moving average each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SomaticMarkers(Vec<Marker>);

impl SomaticMarkers {
    /// Takes in a trade: its marker moves by `alpha` towards the trade's valence, from 0 at first (exponential moving average). Returns the
    /// marker when it has moved at least .4 since it was last returned.
    pub fn note(
        &mut self,
        place: SomaticSituation,
        realised_r: f64,
        config: &SomaticConfig,
    ) -> Option<Marked> {
        let same = |m: &Marker| (m.place.strategy, m.place.regime) == (place.strategy, place.regime);
        let index = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Marker { place, valence: 0.0, reported: 0.0, trades: 0 });
            self.0.len() - 1
        });
        let marker = &mut self.0[index];
        marker.trades += 1;
        marker.valence += config.alpha * (valence(realised_r) - marker.valence);
        for (feature, new) in marker.place.features.iter_mut().zip(place.features) {
            *feature += config.alpha * (new - *feature);
        }
        if (marker.valence - marker.reported).abs() < REPORT_DISTANCE {
            return None;
        }
        marker.reported = marker.valence;
        Some(Marked { valence: marker.valence, trades: marker.trades })
    }

    /// The gut feeling about a strategy here, −1 to 1: its nearest markers, weighted by 1/(distance + softening). `None` when it was never
    /// tried. It is inverse distance weighting over the k nearest neighbours (kNN).
    pub fn gut(&self, here: &SomaticSituation, config: &SomaticConfig) -> Option<f64> {
        let mut nearest = [(f64::INFINITY, 0.0); MAX_NEIGHBOURS];
        let count = (config.neighbours as usize).min(MAX_NEIGHBOURS);
        for marker in self.0.iter().filter(|marker| marker.place.strategy == here.strategy) {
            let mut new = (distance(&marker.place, here), marker.valence);
            for place in &mut nearest[..count] {
                if new.0 < place.0 {
                    std::mem::swap(place, &mut new);
                }
            }
        }
        let (mut weights, mut sum) = (0.0, 0.0);
        for (distance, valence) in nearest.into_iter().filter(|(distance, _)| distance.is_finite()) {
            let weight = 1.0 / (distance + SOFTENING);
            weights += weight;
            sum += weight * valence;
        }
        (weights > 0.0).then(|| sum / weights)
    }
}

fn distance(a: &SomaticSituation, b: &SomaticSituation) -> f64 {
    let mut square = if a.regime == b.regime { 0.0 } else { OTHER_REGIME * OTHER_REGIME };
    for (x, y) in a.features.iter().zip(b.features) {
        square += (x - y) * (x - y);
    }
    square.sqrt()
}
