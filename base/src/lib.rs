//! What every crate of Morta stands on: identities, money, keyed randomness, digests, portable mathematics, and the declaration of keys.
//!
//! Nothing here does I/O, reads a clock or knows what a golem does. It is deterministic on every platform, so that a seed means the same
//! run everywhere. Only `wide` depends on the machine, and no result depends on `wide`. `keys`, `check` and `problem` declare and validate
//! configuration; `id`, `units`, `rng` and `digest` are identities, money, luck and hashes; `math`, `moments`, `quantile`, `dot` and
//! `fading` compute; `screen` and `wide` leave out what can't be among the best; `lazy_box`, `shared`, `decimal` and `panic` are helpers.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod check;
pub mod decimal;
pub mod digest;
pub mod dot;
pub mod fading;
pub mod id;
pub mod keys;
pub mod lazy_box;
pub mod math;
pub mod moments;
pub mod panic;
pub mod problem;
pub mod quantile;
pub mod rng;
pub mod screen;
pub mod shared;
pub mod units;
pub mod wide;

pub use check::{Checker, TableChecker};
pub use digest::Digest;
pub use id::{BloodstainId, DreamId, EpisodeId, GolemId, LetterId, Lineage, RuleId};
pub use panic::panic_message;
pub use problem::Problem;
pub use rng::{Purpose, Stream, WorldSeed};
pub use units::{Bps, Tick, Usdc};
