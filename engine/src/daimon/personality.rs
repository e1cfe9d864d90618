//! The mood a golem returns to, and how life bends it.

use crate::base::TableChecker;
use crate::daimon::Pad;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The `[daimon.personality]` table. Golems differ from the middle by heritable traits (`golem.diversity` is their standard
/// deviation in each coordinate).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PersonalityConfig {
    /// Pleasure in the middle of the population, −1 to 1.
    pub pleasure: f64,
    /// Arousal in the middle, −1 to 1.
    pub arousal: f64,
    /// Dominance in the middle, −1 to 1.
    pub dominance: f64,
    /// Ticks between two pulls of personality on mood, at least 1.
    pub pull_interval_ticks: u64,
    /// Share of the way to its personality that a pull takes a mood, 0 to 1.
    pub pull: f64,
    /// Share of the way to the mood that a personality moves at the same time (proposed), 0 to 1: experience bends character,
    /// slowly. A successor inherits the bend as it does other traits, weakened by `golem.mutation`.
    pub drift: f64,
    /// Farthest that experience may bend each coordinate (proposed), 0 to 1.
    pub drift_limit: f64,
}

impl Default for PersonalityConfig {
    fn default() -> Self {
        Self {
            pleasure: 0.0,
            arousal: 0.0,
            dominance: 0.0,
            pull_interval_ticks: 10,
            pull: 0.05,
            drift: 0.001,
            drift_limit: 0.3,
        }
    }
}

impl PersonalityConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.within("pleasure", self.pleasure, -1.0, 1.0);
        table.within("arousal", self.arousal, -1.0, 1.0);
        table.within("dominance", self.dominance, -1.0, 1.0);
        table.whole("pull_interval_ticks", self.pull_interval_ticks, 1, 1_000_000_000);
        table.share("pull", self.pull);
        table.share("drift", self.drift);
        table.share("drift_limit", self.drift_limit);
    }

    /// The personality of inborn deviations from the middle and a bend by experience.
    pub fn of(&self, inborn: Pad, bend: Pad) -> Pad {
        Pad::new(self.pleasure, self.arousal, self.dominance).plus(inborn).plus(bend)
    }

    /// The bend after the mood has worked on it once more.
    pub fn bent(&self, bend: Pad, inborn: Pad, mood: Pad) -> Pad {
        let here = self.of(inborn, bend);
        let limit = self.drift_limit;
        let step = |bend: f64, mood: f64, here: f64| (bend + self.drift * (mood - here)).clamp(-limit, limit);
        Pad::new(
            step(bend.pleasure, mood.pleasure, here.pleasure),
            step(bend.arousal, mood.arousal, here.arousal),
            step(bend.dominance, mood.dominance, here.dominance),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experience_bends_slowly_and_not_without_end() {
        let config = PersonalityConfig::default();
        let (inborn, miserable) = (Pad::new(0.2, 0.0, 0.0), Pad::new(-0.8, 0.0, 0.0));
        let once = config.bent(Pad::default(), inborn, miserable);
        assert!((once.pleasure + 0.001).abs() < 1e-12, "a thousandth of −1: {once:?}");
        let mut bend = once;
        for _ in 0..10_000 {
            bend = config.bent(bend, inborn, miserable);
        }
        assert_eq!(bend, Pad::new(-0.3, 0.0, 0.0));
        assert!((config.of(inborn, bend).pleasure + 0.1).abs() < 1e-12);
    }
}
