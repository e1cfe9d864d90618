//! The testimony of a dreamer's memory on a finished life: the capability of giving material to a testament (post-mortem).
//!
//! It is a part of `Dreams`, so a memory that doesn't dream has no part in a testament.
//!
//! Results are in R, confidence and arousal run from 0 to 1. It is read-only, so a testament may be written without ending the memory.
//! After a sudden death neither sections nor dreams are asked for: the sections are then made of the last snapshot's bequests. The autopsy
//! is asked for after a death by failing knowledge alone.

use crate::lethe::testament::{Remembered, Section, ToxicEntry, UnvalidatedDream};
use crate::replay::causal::CausalConfig;

/// A capability trait for post-mortem reporting: sources of a testament. By default a memory has nothing to testify.
pub trait Testifies {
    /// The episodes that a dying golem may review.
    fn reviewable(&self) -> Vec<Remembered> {
        Vec::new()
    }

    /// The nine sections of a testament.
    fn testament_sections(&self, _causal: &CausalConfig) -> Vec<Section> {
        Section::none()
    }

    /// Beliefs held against experience, for the testament of an epistemic death.
    fn autopsy(&self) -> Vec<ToxicEntry> {
        Vec::new()
    }

    /// Dreams of which no conclusion was confirmed.
    fn unvalidated_dreams(&self) -> Vec<UnvalidatedDream> {
        Vec::new()
    }
}
