//! Morta's domain: deterministic state machines and formulas.
//!
//! Nothing in this crate performs I/O, reads a clock, starts a thread or keeps global state. Everything
//! random is a function of a key (see [`morta_base::rng`]), so the same inputs give the same bytes anywhere.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod curator;
pub mod daimon;
pub mod dream;
pub mod episode;
pub mod event;
pub mod golem;
pub mod lethe;
pub mod llm;
pub mod market;
pub mod memory;
pub mod mortality;
pub mod phase;
pub mod replay;
pub mod world;

pub use morta_base::keys;
