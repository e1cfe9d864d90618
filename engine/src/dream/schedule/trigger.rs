//! Triggers of a dream (digest section 9). An emergency precedes a directive, and that the interval, in whose mode nothing follows; then come sleep windows, and
//! last urgency, under the name of its largest term ([`UrgencyTerms`](crate::dream::urgency::UrgencyTerms)): the other seven. Their order
//! decides ties and is that of recorded bytes. Urgency itself is a sum of weighted terms from 0 to 1; the trigger is only the name of its
//! largest one, for logs and statistics.

morta_base::words! {
    /// What made a golem want to dream. A scheduling trigger (start condition of the job).
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
        /// Urgency, mostly of losses or of a smelled threat.
        ThreatExposure = "threat_exposure",
        /// Urgency, mostly of failing predictions.
        EpistemicDrift = "epistemic_drift",
        /// Urgency, mostly of `carried`: steps from reflections and micro-consolidations awake, less what has decayed since.
        Accumulation = "accumulation",
    }
}

impl DreamTrigger {
    /// Whether urgency did it (a demand-driven trigger, sleep pressure); only then is urgency compared with the threshold.
    pub const fn is_urgency(self) -> bool {
        !matches!(self, Self::Interval | Self::Window | Self::Directive | Self::Emergency)
    }
}
