//! The Styx Lethe: where the dead leave their bloodstains, and the living find them.

pub mod bloodstain;
pub mod config;
pub mod state;
pub mod testament;

pub use bloodstain::{Bloodstain, DeathMark, Relic};
pub use config::LetheConfig;
pub use state::{BloodstainStore, Drawn, Lethe, LetheQuery, MemoryStore, StoreError, Testament};
pub use testament::DeathTestament;
