//! The clade: siblings of one cohort that share lessons while they live (digest section 15, layer L1), which is social learning by peers,
//! beside inheritance from the dead. Moods, deaths and confirmations travel with lessons.
//!
//! Lessons have a confidence from 0 to 1; `bardo` tests them for itself, `dark-pawns` counts them by its trust. A golem whose memory
//! doesn't teach, or with `clade.enabled` off (the default), shares nothing and receives nothing here; one alone in its clade pays for its
//! offers all the same. Votes on bloodstains go by the same letter type and are cast all the same, because heirs draw with or without a
//! clade; pheromones need a clade, but no memory that teaches. Giving and taking are in `golem::clade`; here are the keys, the messages,
//! the groups and the board between them.

pub mod board;
pub mod config;
pub mod letter;
pub mod map;

pub use board::CladeBoard;
pub use config::{CladeConfig, SharingRule};
pub use letter::{CladeLetter, CladeNews, CladeSync, Shared};
pub use map::CladeMap;
