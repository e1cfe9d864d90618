//! What passes between the memories of living siblings.

use crate::episode::{Claim, Lesson};
use crate::memory::legacy::Received;
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};

/// A memory that has lessons to tell siblings, and a use for theirs.
pub trait Teaches {
    /// What it could tell its siblings. Rules count when they have been in force for `heuristic_age` ticks.
    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson>;

    /// Hears what siblings tell.
    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, trust: CladeTrust, now: Tick) -> HeardLessons;

    /// A sibling has borne out what this one told it.
    fn hear_borne_out(&mut self, _claim: &Claim, _now: Tick) {}
}

/// How far a sibling is believed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CladeTrust {
    /// What is left of the giver's trust in a lesson, 0 to 1.
    pub factor: f64,
    /// Most trust a lesson begins with, 0 to 1.
    pub ceiling: f64,
}

/// What became of lessons that siblings told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeardLessons {
    /// Of each lesson, in the order told, whether it is put to the test.
    pub tested: Vec<bool>,
    /// What is under test from now on, and what had to make room for it.
    pub received: Received,
}

impl HeardLessons {
    /// None of so many lessons was of any use.
    pub fn ignored(lessons: usize) -> Self {
        Self { tested: vec![false; lessons], received: Received::default() }
    }
}
