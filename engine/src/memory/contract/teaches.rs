//! Exchange of lessons between living siblings: the capability of horizontal social learning. It is used where golems live in clades, and
//! for the pheromone of wisdom that a death leaves, whose intensity is the highest confidence among these lessons.
//!
//! Trust and confidence run from 0 to 1, ages of rules are in ticks. In `bardo` a lesson arrives as a claim under test, so that a rumour
//! can't spread unchecked; in `dark-pawns`, which tests nothing, it counts by its trust at once. How many are taken in an hour is bounded
//! by the golem. The trait is reached through `MemoryArchitecture::teaches`; without it, lessons are neither sent nor received.

use crate::episode::{Claim, Lesson};
use crate::memory::legacy::InheritOutcome;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// A capability trait for social learning (knowledge sharing between peers): a memory that has lessons for siblings, and a use for theirs.
pub trait Teaches {
    /// Lessons for siblings. A rule is one when it has been in force for `heuristic_age` ticks.
    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson>;

    /// Takes in siblings' lessons.
    fn receive_lessons(
        &mut self,
        lessons: Vec<(GolemId, Lesson)>,
        trust: CladeTrust,
        now: Tick,
    ) -> ReceivedLessons;

    /// A sibling confirmed a lesson of this memory.
    fn note_confirmed_lesson(&mut self, _claim: &Claim, _now: Tick) {}
}

/// A trust discount (discount factor and ceiling) on other agents' knowledge: by default a lesson begins at .8 of the giver's confidence,
/// at most .4.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeTrust {
    /// Factor on the giver's confidence, 0 to 1.
    pub factor: f64,
    /// Most confidence that a lesson begins with, 0 to 1.
    pub ceiling: f64,
}

/// The result of a batch of siblings' lessons: which of them were accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedLessons {
    /// For each lesson, in order, whether it was staged; `dark-pawns`, which stages none, says so of all.
    pub tested: Vec<bool>,
    /// The claims under test, and those displaced for them.
    pub received: InheritOutcome,
}

impl ReceivedLessons {
    /// The null result: all lessons are rejected, as of no use. A golem whose memory can't learn from siblings reports it.
    pub fn ignored(lessons: usize) -> Self {
        Self { tested: vec![false; lessons], received: InheritOutcome::default() }
    }
}
