//! Answers of models to the questions of a memory: the capability of having a language model read its summary or estimate its themes
//! (asynchronous callback).
//!
//! Stances run from −1 to 1, estimates are in R. Answers may come ticks later or never, so a memory must do without.

use crate::llm::Stance;

/// A memory that has models asked in its upkeep. A capability trait for language model callbacks.
pub trait Reads {
    /// Takes in the stances on strategies of a model that read its summary ([`Attended::summary`](super::Attended::summary)).
    fn receive_stances(&mut self, _stances: Vec<Stance>) {}

    /// Takes in a model's estimates for its themes ([`Attended::reflects`](super::Attended::reflects)): places of themes, from 0,
    /// and the worth of trades of their kind, in R.
    fn receive_reflections(&mut self, _worth: Vec<(u32, f64)>) {}
}
