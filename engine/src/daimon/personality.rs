//! Personality: the mood to which a golem returns, and its bend by experience (temperament, or affective baseline).
//!
//! All are PAD points from −1 to 1; rates are shares a step. A nature is the scenario's middle plus inborn deviations, which are heritable,
//! plus a bend that is learnt and limited.

use crate::daimon::Pad;
use morta_base::keys;

keys! {
    /// The `[daimon.personality]` table. Golems differ from the middle by heritable traits (`golem.diversity` is their
    /// standard deviation in each coordinate).
    pub struct PersonalityConfig {
        /// Pleasure in the middle of the population.
        pleasure: f64 = 0.0, in -1.0..=1.0, "PAD";
        /// Arousal in the middle.
        arousal: f64 = 0.0, in -1.0..=1.0, "PAD";
        /// Dominance in the middle.
        dominance: f64 = 0.0, in -1.0..=1.0, "PAD";
        /// Ticks between two pulls of personality on mood.
        pull_interval_ticks: u64 = 10, in 1..=1_000_000_000, "ticks";
        /// Share of the way to its personality that a pull takes a mood.
        pull: f64 = 0.05, in 0.0..=1.0, "share";
        /// Share of the way to the mood that a personality moves at the same time (proposed): experience bends
        /// character, slowly. A successor inherits the bend as it does other traits, weakened by `golem.mutation`.
        drift: f64 = 0.001, in 0.0..=1.0, "share";
        /// Farthest that experience may bend each coordinate (proposed).
        drift_limit: f64 = 0.3, in 0.0..=1.0, "PAD";
    }
}

impl PersonalityConfig {
    /// The personality of inborn deviations from the middle and a bend by experience. The baseline of mean reversion.
    pub fn nature(&self, inborn: Pad, bend: Pad) -> Pad {
        Pad::new(self.pleasure, self.arousal, self.dominance).plus(inborn).plus(bend)
    }

    /// The next bend: a small step towards the mood, within the limit. Without the limit, a life of losses would end in a nature that no
    /// success could lift. A slow drift (leaky integrator) with a bound.
    pub fn bent(&self, bend: Pad, inborn: Pad, mood: Pad) -> Pad {
        let here = self.nature(inborn, bend);
        let limit = self.drift_limit;
        let step = |bend: f64, mood: f64, here: f64| (bend + self.drift * (mood - here)).clamp(-limit, limit);
        Pad::new(
            step(bend.pleasure, mood.pleasure, here.pleasure),
            step(bend.arousal, mood.arousal, here.arousal),
            step(bend.dominance, mood.dominance, here.dominance),
        )
    }
}
