//! The feelings of a whole life in a few numbers: mean pleasure, arousal and dominance (−1 to 1), and the share of waking ticks in each
//! mood (0 to 1). Asleep or dying, nothing is added.
//!
//! Sums are kept and not samples, so a life takes a constant amount of memory. The summary goes into the record of a life and, by the
//! number of moods that had 5 % or more, into the confidence of an heir's inheritance.

use crate::daimon::{Emotion, Pad};
use serde::{Deserialize, Serialize};

/// Moods of a life, summed by tick: an accumulator (running sums and a histogram).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AffectSums {
    pleasure: f64,
    arousal: f64,
    dominance: f64,
    ticks_by_mood: [u32; Emotion::OF_MOODS.len()],
}

impl AffectSums {
    /// Takes in one waking tick: an accumulator update (running total and histogram).
    pub fn note(&mut self, mood: Pad, label: Emotion) {
        self.pleasure += mood.pleasure;
        self.arousal += mood.arousal;
        self.dominance += mood.dominance;
        if let Some(ticks) = self.ticks_by_mood.get_mut(label.index()) {
            *ticks = ticks.saturating_add(1);
        }
    }

    /// Summary statistics: means, and shares of time by label (a normalised histogram); `None` before the first tick.
    pub fn summary(&self) -> Option<AffectSummary> {
        let ticks: u64 = self.ticks_by_mood.iter().map(|ticks| u64::from(*ticks)).sum();
        (ticks > 0).then(|| AffectSummary {
            mean_pleasure: self.pleasure / ticks as f64,
            mean_arousal: self.arousal / ticks as f64,
            mean_dominance: self.dominance / ticks as f64,
            share_by_mood: self.ticks_by_mood.map(|own| f64::from(own) / ticks as f64),
        })
    }
}

/// Mean moods of a life: descriptive statistics over its waking ticks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffectSummary {
    /// Mean pleasure over waking ticks, −1 to 1.
    pub mean_pleasure: f64,
    /// Mean arousal, −1 to 1.
    pub mean_arousal: f64,
    /// Mean dominance, −1 to 1.
    pub mean_dominance: f64,
    /// Share of its ticks in each mood, in the order of [`Emotion::OF_MOODS`]; they add up to 1.
    pub share_by_mood: [f64; Emotion::OF_MOODS.len()],
}
