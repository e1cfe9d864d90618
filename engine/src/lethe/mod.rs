//! The Styx Lethe: the service that keeps bloodstains of the dead for newborns to draw, lessons that siblings share, and
//! pheromones that warn and invite. It is a shared long-term memory (collective memory) and message broker. Scores and confidences run from
//! 0 to 1, delays are in simulated hours. Golems reach it by letters alone, at barriers, so that no golem sees within a tick what another
//! has left; pheromones alone are read directly, as they were at the last barrier. Here are its rules and state; the service that runs them
//! is `world::service::LetheService`, the golem's side `golem::{clade, pheromone, thanatopsis}`.

pub mod bloodstain;
pub mod clade;
pub mod config;
pub mod earlier_bloodstains;
pub mod pheromone;
pub mod rank;
pub mod state;
pub mod store;
pub mod testament;
pub mod vote;

pub use bloodstain::{Bequest, Bloodstain, DeathMark};
pub use clade::{CladeBoard, CladeConfig, CladeLetter, CladeMap, CladeNews};
pub use config::LetheConfig;
pub use earlier_bloodstains::{EarlierBloodstain, EarlierBloodstains, generations_crossed};
pub use pheromone::{Pheromone, PheromoneConfig, PheromoneField, PheromoneKind};
pub use rank::RankTerms;
pub use state::{Deposit, Drawn, Lethe, LetheQuery};
pub use store::{BloodstainStore, MemoryStore, StoreError};
pub use testament::DeathTestament;
pub use vote::{Vote, Votes};
