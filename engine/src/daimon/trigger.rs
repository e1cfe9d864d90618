//! The trigger of feelings: not every happening moves a mood (digest section 10, "trigger"). It is habituation: a faint happening of a kind
//! that was felt within some ticks is ignored.
//!
//! Intensity runs from 0 to 1, the window is in ticks. Strong and mandatory happenings always pass, so that a run of routine trades neither
//! floods the log nor wears the mood down while a crash is felt each time. What isn't felt moves no mood and is put to no model; a closed
//! trade is tagged with its arousal and moves its somatic marker all the same.

use crate::daimon::{Happening, MoodCause};
use morta_base::Tick;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// The `[daimon.trigger]` table. Something is felt when nothing of its kind was felt lately, when it is strong, or
    /// when it is one of those that always are: mortality, changes of regime, deaths of siblings, the Curator's hour.
    /// The specs leave both values open.
    pub struct Trigger {
        /// Ticks for which another happening of the same kind counts as more of the same (proposed); 0: everything is
        /// felt.
        window_ticks: u64 = 10, in 0..=1_000_000_000, "ticks";
        /// Intensity from which it is felt nonetheless (proposed).
        magnitude: f64 = 0.3, in 0.0..=1.0, "strength";
    }
}

/// The last tick at which each cause was felt, counted from 1; 0 for never. This debounce table (rate limiter) suppresses repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lately([Tick; MoodCause::HAPPENINGS]);

impl Lately {
    /// Whether a happening of this intensity is felt, given habituation; if so, it is noted. Only felt ones restart the window, or a steady
    /// trickle of faint ones would never be felt again.
    pub fn is_felt(&mut self, happening: Happening, intensity: f64, now: Tick, trigger: &Trigger) -> bool {
        let last = &mut self.0[happening.cause().index()];
        let is_new = *last == 0 || now + 1 >= *last + trigger.window_ticks;
        let felt = is_new || intensity >= trigger.magnitude || happening.is_mandatory();
        if felt {
            *last = now + 1;
        }
        felt
    }

    /// Whether a happening of this cause was felt in this tick. Mode `tick` asks it of changes of regime.
    pub fn now(&self, cause: MoodCause, now: Tick) -> bool {
        self.0.get(cause.index()) == Some(&(now + 1))
    }
}
