//! Three clocks (money, knowledge, chance), the vitality they add up to, the phases of a life, and death.

pub mod cause;
pub mod config;
pub mod economic;
pub mod epistemic;
pub mod fitness;
pub mod hazard;
pub mod kill;
pub mod ladder;
pub mod narrative;
#[cfg(test)]
mod oracle_life;
pub mod phase_effects;
pub mod purse;
pub mod reading;
pub mod senescence;
pub mod thanatopsis;
pub mod vitality;

pub use cause::{Cause, Clock};
pub use config::{EpistemicDeath, MortalityConfig};
pub use epistemic::{Epistemics, Observed};
pub use hazard::hazard;
pub use kill::Kill;
pub use ladder::Rung;
pub use purse::{Compartment, Purse};
pub use reading::{ClockReading, ReadingRing};
pub use thanatopsis::{DyingPhase, TestamentTier};
pub use vitality::{Phase, urgency, vitality};
