//! What passes between the memories of living siblings.

use crate::memory::legacy::Received;
use serde::{Deserialize, Serialize};

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
