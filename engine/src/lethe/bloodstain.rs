//! One thing a dead golem left behind.

use crate::base::{BloodstainId, Tick};
use crate::episode::{Context, Episode, Lesson};
use crate::mortality::Cause;
use serde::{Deserialize, Serialize};

/// What is passed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relic {
    /// An episode that hurt: one of those that led to the death.
    Scar(Episode),
    /// A rule the dead golem lived by, or a hypothesis it could not finish testing.
    Lesson(Lesson),
}

/// A relic with the circumstances of the death.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bloodstain {
    /// Whose, and which of theirs.
    pub id: BloodstainId,
    /// What the golem died of.
    pub cause: Cause,
    /// When it died.
    pub died: Tick,
    /// How long it had lived.
    pub age: Tick,
    /// Vitality at death.
    pub vitality: f64,
    /// Circumstances at death, or of the scar.
    pub context: Context,
    /// The market's embedding then.
    pub embedding: Box<[f32]>,
    /// What is passed on.
    pub relic: Relic,
}

impl Bloodstain {
    /// How good the relic is as a lesson, 0 to 1: for a scar how far the result was from what was expected (3 R and more
    /// count as 1), for a lesson the trust in it.
    pub fn quality(&self) -> f64 {
        match &self.relic {
            Relic::Scar(episode) => (episode.surprise / LARGE_SURPRISE_R).min(1.0),
            Relic::Lesson(lesson) => lesson.confidence,
        }
    }

    /// Whether it is an episode rather than a conclusion.
    pub fn is_scar(&self) -> bool {
        matches!(self.relic, Relic::Scar(_))
    }
}

const LARGE_SURPRISE_R: f64 = 3.0;
