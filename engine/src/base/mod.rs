//! What every other room stands on: identities, units, keyed randomness, portable mathematics, digests.

pub mod digest;
pub mod id;
pub(crate) mod lazy_box;
pub mod panic;
pub mod phase;
pub mod rng;
pub mod shared;
pub mod units;

pub use digest::Digest;
pub use id::{BloodstainId, DreamId, EpisodeId, GolemId, LetterId, Lineage, RuleId};
pub use morta_memories::base::{Checker, Problem, TableChecker, check, keys, math, problem};
pub(crate) use morta_memories::base::{screen, wide};
pub use panic::panic_message;
pub use rng::{Purpose, Stream, WorldSeed};
pub use units::{Bps, Tick, Usdc};
