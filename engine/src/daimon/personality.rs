//! Personality: the mood to which a golem returns, and its bend by experience (temperament, or affective baseline).
//!
//! All are PAD points from −1 to 1; rates are shares a pull, and a pull comes every 10 waking ticks by default. A nature is the scenario's
//! middle plus inborn deviations, which are heritable (`golem::genome`), plus a bend that is learnt and limited to ±.3 in each coordinate.
//! Without the pull (mean reversion) a mood would never return in quiet times, because nothing but happenings, memories that come back and
//! grief moves it (in mode `tick` the standing of each tick does).

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
    }
}

/// Share of the way to the mood that a personality moves with each pull: experience bends character, slowly. A successor inherits the bend as it
/// does other traits, weakened by mutation. Our choice: a fiftieth of the pull, so that a mood returns long before character follows.
const DRIFT: f64 = 0.001;
/// Farthest that experience may bend each coordinate. Our choice: as far as moods count as high or low (`dream.replay.mood.threshold`), so that a
/// bend alone is no mood.
const DRIFT_LIMIT: f64 = 0.3;

impl PersonalityConfig {
    /// The personality of inborn deviations from the middle and a bend by experience: the baseline to which moods return, and a newborn's
    /// mood.
    pub fn nature(&self, inborn: Pad, bend: Pad) -> Pad {
        Pad::new(self.pleasure, self.arousal, self.dominance).plus(inborn).plus(bend)
    }

    /// The next bend: a small step towards the mood, within the limit (a bounded leaky integrator). Without the limit, a life of losses
    /// would end in a nature that no success could lift.
    pub fn bent(&self, bend: Pad, inborn: Pad, mood: Pad) -> Pad {
        let here = self.nature(inborn, bend);
        let step =
            |bend: f64, mood: f64, here: f64| (bend + DRIFT * (mood - here)).clamp(-DRIFT_LIMIT, DRIFT_LIMIT);
        Pad::new(
            step(bend.pleasure, mood.pleasure, here.pleasure),
            step(bend.arousal, mood.arousal, here.arousal),
            step(bend.dominance, mood.dominance, here.dominance),
        )
    }
}
