//! The PAD space and the mood that moves in it (digest section 10).

use crate::daimon::Appraisal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A point in pleasure–arousal–dominance space, each from −1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pad {
    /// Pleasure: how good it is.
    pub pleasure: f64,
    /// Arousal: how stirring it is.
    pub arousal: f64,
    /// Dominance: how much in control the golem is.
    pub dominance: f64,
}

impl Pad {
    /// A point; each coordinate is clamped to [−1, 1].
    pub fn new(pleasure: f64, arousal: f64, dominance: f64) -> Self {
        Self {
            pleasure: pleasure.clamp(-1.0, 1.0),
            arousal: arousal.clamp(-1.0, 1.0),
            dominance: dominance.clamp(-1.0, 1.0),
        }
    }
}

/// The `[daimon]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DaimonConfig {
    /// Whether golems feel. Without, episodes carry no arousal and moods stay neutral; luck is the same either way.
    pub enabled: bool,
    /// How much of the old mood an event leaves, 0 to 1.
    pub mood_decay_rate: f64,
}

impl Default for DaimonConfig {
    fn default() -> Self {
        Self { enabled: true, mood_decay_rate: 0.95 }
    }
}

impl DaimonConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        check.table("daimon").share("mood_decay_rate", self.mood_decay_rate);
    }
}

/// The slowly moving sum of what was felt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mood(Pad);

impl Mood {
    /// Where it is.
    pub fn pad(&self) -> Pad {
        self.0
    }

    /// Moves the mood by an appraisal: mood ← d·mood + (1 − d)·PAD·intensity (digest section 10, event form; d = .95).
    pub fn feel(&mut self, appraisal: Appraisal, config: &DaimonConfig) {
        if !config.enabled {
            return;
        }
        let keep = config.mood_decay_rate;
        let step = (1.0 - keep) * appraisal.intensity;
        self.0 = Pad::new(
            keep * self.0.pleasure + step * appraisal.pad.pleasure,
            keep * self.0.arousal + step * appraisal.pad.arousal,
            keep * self.0.dominance + step * appraisal.pad.dominance,
        );
    }
}
