//! The mode of a golem, one at a time: awake, drowsy, dreaming, dying (behavioural state, state machine). A dream's phase makes a golem
//! drowsy or dreaming, its end awake unless the golem is dying, and the beginning of its death dying; `Narrator` keeps it from the events.
//! A golem whose mode isn't known, as after a resumption, counts as awake; one that fails in its own step is never dying. It is coarser
//! than the phases of a dream, for viewers that only need to know whether a golem trades.

use morta_engine::dream::DreamPhase;

morta_base::words! {
    /// What a golem is doing with itself: one at a time.
    pub enum Mode {
        /// It trades, or could.
        Awake = "awake",
        /// It falls asleep or wakes up: the onset and the return of a rich dream.
        Drowsy = "drowsy",
        /// It replays, imagines or consolidates.
        Dreaming = "dreaming",
        /// It is on its way out.
        Dying = "dying",
    }
}

impl Mode {
    /// The mode of a dream's phase (sleep stage).
    pub(crate) const fn from_phase(phase: DreamPhase) -> Self {
        match phase {
            DreamPhase::Onset | DreamPhase::Return => Self::Drowsy,
            DreamPhase::Nrem | DreamPhase::Rem | DreamPhase::Integration => Self::Dreaming,
        }
    }
}
