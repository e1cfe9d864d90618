//! Memory architectures for a user's own data, by the code that the simulation runs. Logs are read, stores are kept and questions are
//! answered, over a command line (`morta-memory`) or as tools of an MCP server. No golem lives and no market is made here: trades, sessions
//! and searches are the user's, and at most their order in time is lived through again.
//!
//! | to | see |
//! |---|---|
//! | recall, stake, plan, reflect by outcome-weighted memory, on one's own trades | [`owm`] |
//! | hold outcome-weighted memory against simpler stakes on the same trades | [`validation`] |
//! | dream over the sessions of a game's agents | [`dark_pawns`] |
//! | promote what a workspace's notes are searched for | [`openclaw`] |
//! | answer an agent's calls | [`server`] |
//!
//! Remarks that don't stop the work (a skipped line, a replaced value) are passed to a [`Notes`] in the order of their occurrence.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod dark_pawns;
pub mod limits;
pub mod notes;
pub mod openclaw;
pub mod owm;
pub mod server;
pub mod validation;

pub use notes::Notes;
