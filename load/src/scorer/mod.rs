//! Scorers under load: actors that score Grimoires for golems about to dream, each on an arbiter of its own, and the
//! [`LoadTarget`](crate::generator::LoadTarget) through which a load generator reaches them. It is a worker pool,
//! one actor per thread. Each scores by the engine's own `Scorer`, because another implementation would have another speed.

mod actor;
mod case;
mod pool;

pub use case::{OwnedReplayContext, ScoringCase};
pub use pool::{ScorerError, ScorerPool, UNDER_WAY_MAX};
