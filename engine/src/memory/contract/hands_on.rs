//! What passes from a golem to its own successor.

use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use morta_base::Tick;

/// A memory that hands itself on.
pub trait HandsOn {
    /// All that is handed over to the successor of its golem, with what affect adds; of what it knows, what was known by then.
    fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Legacy;

    /// Takes over a predecessor's legacy.
    fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> Received;

    /// What a life has added to what it inherited so far; `None` if it inherited nothing.
    fn growth(&self) -> Option<Growth> {
        None
    }
}
