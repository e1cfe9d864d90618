//! The clade: siblings of one cohort that share lessons while they live (digest section 15, layer L1), which is social learning by peers,
//! beside inheritance from the dead.
//!
//! Lessons have a confidence from 0 to 1 and are tested by each receiver for itself. A golem without siblings, whose memory doesn't teach,
//! or with `clade.enabled` off (the default), sends and receives nothing. Giving and taking are in `golem::clade`; here are the keys, the
//! messages, the groups and the board between them.

pub mod board;
pub mod config;
pub mod letter;
pub mod map;

pub use board::CladeBoard;
pub use config::{CladeConfig, SharingRule};
pub use letter::{CladeLetter, CladeNews, CladeSync, Shared};
pub use map::CladeMap;
