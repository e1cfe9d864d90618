//! What a golem is doing with itself.

use morta_engine::dream::DreamPhase;
use serde::Serialize;

/// What a golem is doing with itself: one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It trades, or could.
    Awake,
    /// It falls asleep or wakes up: the onset and the return of a rich dream.
    Drowsy,
    /// It replays, imagines or consolidates.
    Dreaming,
    /// It is on its way out.
    Dying,
}

impl Mode {
    /// The mode of a dream's phase.
    pub const fn of(phase: DreamPhase) -> Self {
        match phase {
            DreamPhase::Onset | DreamPhase::Return => Self::Drowsy,
            DreamPhase::Nrem | DreamPhase::Rem | DreamPhase::Integration => Self::Dreaming,
        }
    }
}
