//! What can move a mood.

use serde::{Deserialize, Serialize};

/// What moved a mood: something that happened, or what goes on in a golem by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum MoodCause {
    Profit,
    Loss,
    PredictionMissed,
    RegimeShifted,
    SiblingDied,
    RuleValidated,
    RuleContradicted,
    DreamThreat,
    DreamConfirmed,
    DreamRefuted,
    InsightGained,
    ThreatRealised,
    CuratorCycle,
    ThreatSmelled,
    MortalityReminder,
    /// How things stand, where moods are made of that.
    Standing,
    /// The pull of its own nature.
    Personality,
    /// A death in the family.
    Grief,
    /// The moods of others.
    Contagion,
    /// Something long past.
    Rumination,
}

impl MoodCause {
    /// How many of them happen to a golem; the others come after these.
    pub const HAPPENINGS: usize = 15;

    /// Its place in the order above.
    pub const fn index(self) -> usize {
        self as usize
    }
}
