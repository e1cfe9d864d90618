//! Three clocks (money, knowledge, chance), the vitality they add up to, the phases of a life, and death.

pub mod clock;
pub mod config;
pub mod epistemic;
pub mod purse;
pub mod vitality;

pub use clock::{Cause, hazard};
pub use config::{EpistemicDeath, MortalityConfig};
pub use epistemic::{Epistemics, Observed};
pub use purse::{Compartment, Purse};
pub use vitality::{Phase, vitality};
