//! Triggers of a dream.

morta_base::words! {
    /// What made a golem want to dream.
    pub enum DreamTrigger {
        /// It was due (mode `interval`).
        Interval = "interval",
        /// A sleep window is open.
        Window = "window",
        /// The owner said so.
        Directive = "directive",
        /// It has entered its terminal phase.
        Emergency = "emergency",
        /// Urgency, mostly of the time since the last dream.
        Time = "time",
        /// Urgency, mostly of arousal not worked through.
        EmotionalLoad = "emotional_load",
        /// Urgency, mostly of surprises.
        NoveltyStreak = "novelty_streak",
        /// Urgency, mostly of episodes not replayed.
        ConsolidationDebt = "consolidation_debt",
        /// Urgency, mostly of losses.
        ThreatExposure = "threat_exposure",
        /// Urgency, mostly of failing predictions.
        EpistemicDrift = "epistemic_drift",
        /// Urgency, mostly of what has accumulated while awake.
        Accumulation = "accumulation",
    }
}

impl DreamTrigger {
    /// Whether urgency did it.
    pub const fn is_urgency(self) -> bool {
        !matches!(self, Self::Interval | Self::Window | Self::Directive | Self::Emergency)
    }
}
