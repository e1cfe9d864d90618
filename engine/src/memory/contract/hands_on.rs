//! Legacies from a golem to its own successor: the capability of vertical inheritance. Unlike bloodstains, a legacy goes to one heir, whole
//! and without a price, where `succession.policy` is "continue".
//!
//! A sudden death (by chance, the stochastic clock; kills from outside aren't sudden) leaves what was known at the last snapshot, which the
//! tick argument says. By default one is due every 540 ticks, every 50 when money dwindles, and is skipped where its price can't be paid.
//! Snapshots are taken only where chance can kill and the memory draws bloodstains (`Bequeaths::draws`), so a memory that hands on and
//! doesn't draw loses all to chance. Without a snapshot, or after a fault of the program, nothing is handed over. The heir receives it in
//! its first tick. The trait is reached through `MemoryArchitecture::hands_on`; without it, a successor gets nothing but traits.

use crate::memory::legacy::{AffectLegacy, Growth, Heir, InheritOutcome, Legacy, SuccessionConfig};
use morta_base::Tick;

/// A capability trait for vertical inheritance (warm start): a memory that can be handed on.
pub trait HandsOn {
    /// The legacy for the successor, with the contribution of affect; limited to knowledge of that tick and before where one is
    /// given.
    fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Legacy;

    /// Receives a predecessor's legacy.
    fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> InheritOutcome;

    /// Growth of a life over its inheritance so far; `None` if it inherited nothing.
    fn growth(&self) -> Option<Growth> {
        None
    }
}
