//! Causes of moods: the fifteen happenings that can be felt, then five processes within the golem.
//!
//! An event of a mood names its cause (of several in a tick the last that moved it), so that a log can be read as emotion elicitor and
//! effect. The trigger keeps the last tick of each happening by it. The order is fixed, because the index of a happening is its place in
//! arrays and in recorded bytes. No decision reads the cause of a recorded move.

morta_base::words! {
    /// The cause of a mood's move: a happening, or a process within the golem. An emotion elicitor (antecedent event), as an event type.
    #[allow(missing_docs)]
    pub enum MoodCause {
        Profit = "profit",
        Loss = "loss",
        PredictionMissed = "prediction_missed",
        RegimeShifted = "regime_shifted",
        SiblingDied = "sibling_died",
        RuleValidated = "rule_validated",
        RuleContradicted = "rule_contradicted",
        DreamThreat = "dream_threat",
        DreamConfirmed = "dream_confirmed",
        DreamRefuted = "dream_refuted",
        InsightGained = "insight_gained",
        ThreatRealised = "threat_realised",
        CuratorCycle = "curator_cycle",
        ThreatSmelled = "threat_smelled",
        MortalityReminder = "mortality_reminder",
        /// How things stand, where moods are made of that.
        Standing = "standing",
        /// The pull of its own nature.
        Personality = "personality",
        /// A death in the family.
        Grief = "grief",
        /// The moods of others.
        Contagion = "contagion",
        /// Something long past.
        Rumination = "rumination",
    }
}

impl MoodCause {
    /// Number of causes that are happenings; they come first, so that their index serves as a place in arrays.
    pub(crate) const HAPPENINGS: usize = 15;
}
