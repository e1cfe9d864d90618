//! Answers of models to the questions of a memory: the capability of having a language model read its summary or estimate its themes
//! (asynchronous callback).
//!
//! Stances run from −1 to 1, estimates are in R. A memory asks by what it returns from its upkeep, and its golem pays. Answers may come
//! ticks later or never, so a memory must do without. Among the shipped ones Dark Pawns reads stances and OpenClaw reads estimates.

use crate::llm::Stance;

/// A capability trait for language model callbacks: a memory that has models asked in its upkeep.
pub trait Reads {
    /// Takes in the stances on strategies of a model that read its summary ([`Attended::summary`](super::Attended::summary)).
    fn receive_stances(&mut self, _stances: Vec<Stance>) {}

    /// Takes in a model's estimates for its themes ([`Attended::reflects`](super::Attended::reflects)): places of themes, from 0,
    /// and the worth of trades of their kind, in R.
    fn receive_reflections(&mut self, _worth: Vec<(u32, f64)>) {}
}
