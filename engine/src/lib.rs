//! Morta's domain: deterministic state machines and formulas.
//!
//! Nothing in this crate performs I/O, reads a clock, starts a thread or keeps global state. Everything
//! random is a function of a key (see [`morta_base::rng`]), so the same inputs give the same bytes anywhere. It is the functional core of
//! the program (deterministic simulation): actors, files and clocks are in other crates. Most rooms state their units at each item: money
//! in dollars (`Usdc`, whole micro-dollars), results in R (a trade's gain over what its stop risked), time in ticks or, where a name ends
//! in `_s`, in simulated seconds (a moment: since 1970-01-01 UTC). The order of rooms by floors, and what may import what, is in the
//! README.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

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
mod sums;
pub mod world;

pub use morta_base::keys;

// Tests that see no private item are in `tests/`, and name the engine as anybody does. Those that must stay are built from the same
// files of `tests/common`.
#[cfg(test)]
extern crate self as morta_engine;

#[cfg(test)]
#[path = "../tests/common"]
mod common {
    pub(crate) mod bardo;
    pub(crate) mod dark_pawns;
    pub(crate) mod dream;
    pub(crate) mod episodes;
    pub(crate) mod market;
    pub(crate) mod memory;
    pub(crate) mod openclaw;
    pub(crate) mod replay;
}
