//! Scorers under load: actors that score Grimoires for golems about to dream, each on an arbiter of its own, and the
//! [`Site`](morta_engine::load::Site) through which a load generator reaches them.

mod actor;
mod crew;
mod desk;

pub use crew::{ROOM_MAX, ScorerCrew, ScorerError};
pub use desk::{Desk, Situation};
