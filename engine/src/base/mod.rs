//! What every other room stands on: identities, units, keyed randomness, portable mathematics, digests.

pub mod check;
pub mod digest;
pub mod dot;
pub mod id;
pub(crate) mod lazy_box;
pub mod math;
pub mod moments;
pub mod phase;
pub mod problem;
pub mod quantile;
pub mod rng;
pub(crate) mod screen;
pub mod shared;
pub mod units;
pub(crate) mod wide;

pub use check::{Checker, TableChecker};
pub use digest::Digest;
pub use id::{BloodstainId, DreamId, EpisodeId, GolemId, LetterId, Lineage, RuleId};
pub use problem::Problem;
pub use rng::{Purpose, Stream, WorldSeed};
pub use units::{Bps, Tick, Usdc};
