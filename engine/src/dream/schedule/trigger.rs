//! What made a golem want to dream.

use serde::{Deserialize, Serialize};

/// What made a golem want to dream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DreamTrigger {
    /// It was due (mode `interval`).
    Interval,
    /// A sleep window is open.
    Window,
    /// The owner said so.
    Directive,
    /// It has entered its terminal phase.
    Emergency,
    /// Urgency, mostly of the time since the last dream.
    Time,
    /// Urgency, mostly of arousal not worked through.
    EmotionalLoad,
    /// Urgency, mostly of surprises.
    NoveltyStreak,
    /// Urgency, mostly of episodes not replayed.
    ConsolidationDebt,
    /// Urgency, mostly of losses.
    ThreatExposure,
    /// Urgency, mostly of failing predictions.
    EpistemicDrift,
    /// Urgency, mostly of what has accumulated while awake.
    Accumulation,
}

impl DreamTrigger {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interval => "interval",
            Self::Window => "window",
            Self::Directive => "directive",
            Self::Emergency => "emergency",
            Self::Time => "time",
            Self::EmotionalLoad => "emotional_load",
            Self::NoveltyStreak => "novelty_streak",
            Self::ConsolidationDebt => "consolidation_debt",
            Self::ThreatExposure => "threat_exposure",
            Self::EpistemicDrift => "epistemic_drift",
            Self::Accumulation => "accumulation",
        }
    }

    /// Whether urgency did it.
    pub const fn is_urgency(self) -> bool {
        !matches!(self, Self::Interval | Self::Window | Self::Directive | Self::Emergency)
    }
}
