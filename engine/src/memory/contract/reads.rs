//! What comes back from models that a memory has asked about itself.

use crate::llm::Stance;

/// A memory that has questions put to models when it is attended to.
pub trait Reads {
    /// Hears how a model that has read its summary ([`Attended::summary`](super::Attended::summary)) stands to the strategies.
    fn hear_stances(&mut self, _stances: Vec<Stance>) {}

    /// Hears what a model makes of what keeps coming up ([`Attended::reflects`](super::Attended::reflects)): places of themes, from 0,
    /// and what trades of their kind are worth, in R.
    fn hear_reflections(&mut self, _worth: Vec<(u32, f64)>) {}
}
