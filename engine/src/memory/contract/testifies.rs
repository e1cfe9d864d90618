//! What a dreamer's memory says of a life that is over.

use crate::lethe::testament::{Remembered, Section, ToxicEntry, UnvalidatedDream};
use crate::replay::causal::CausalConfig;

/// What a testament is written from. An architecture may leave any of it to what is said here.
pub trait Testifies {
    /// The episodes a dying golem may look back on.
    fn reviewable(&self) -> Vec<Remembered> {
        Vec::new()
    }

    /// The nine sections of a testament.
    fn testament_sections(&self, _causal: &CausalConfig) -> Vec<Section> {
        Section::none()
    }

    /// What it believed against experience, for the testament of a golem that died of that.
    fn autopsy(&self) -> Vec<ToxicEntry> {
        Vec::new()
    }

    /// Dreams of which nothing was borne out.
    fn unvalidated_dreams(&self) -> Vec<UnvalidatedDream> {
        Vec::new()
    }
}
