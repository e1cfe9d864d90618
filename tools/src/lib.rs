//! The memory architectures on data of one's own, with the code the simulation runs: logs are read, stores are kept, questions are
//! answered, over a command line (`morta-memory`) or as tools of an MCP server. Nothing is lived here.
//!
//! | to | see |
//! |---|---|
//! | recall, stake, plan, reflect by outcome-weighted memory, on one's own trades | [`owm`] |
//! | hold outcome-weighted memory against simpler stakes on the same trades | [`validation`] |
//! | dream over the sessions of a game's agents | [`dark_pawns`] |
//! | promote what a workspace's notes are searched for | [`openclaw`] |
//! | answer an agent's calls | [`server`] |
//!
//! What is odd but doesn't stop the work (a line left out, a value replaced) is said to a [`Notes`], in the order in which it comes up.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod dark_pawns;
pub mod limits;
pub mod notes;
pub mod openclaw;
pub mod owm;
pub mod server;
pub mod validation;

pub use notes::Notes;
