//! Outcome-Weighted Memory: what is recalled depends on how it turned out, in which circumstances, how long ago, with which trust and in which
//! state of mind. Five memories: episodic (events), semantic (beliefs), procedural (habits), affective (state of mind), prospective
//! (intentions).

pub mod affective;
mod columns;
pub mod context;
pub mod drift;
pub mod episodic;
pub mod induction;
pub mod kelly;
pub mod mind;
pub mod procedural;
pub mod prospective;
pub mod recall;
pub mod recollect;
pub mod score;
pub mod semantic;
pub mod sharpe;
pub mod similarity;
pub mod strength;
#[cfg(test)]
mod tests;
pub mod trigger;
#[cfg(test)]
mod vectors;

pub use mind::{Mind, MindConfig};
pub use recollect::{MemoryType, RankedMemory, Recollected, Wanted};
