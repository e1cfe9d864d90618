//! The clade: siblings of one cohort that share lessons while they live (digest section 15, layer L1).

pub mod board;
pub mod config;
pub mod letter;
pub mod map;

pub use board::CladeBoard;
pub use config::{CladeConfig, SharingRule};
pub use letter::{CladeLetter, CladeNews, CladeSync, Shared};
pub use map::CladeMap;
