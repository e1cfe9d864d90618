//! Outcome-weighted memory on a user's own trades: a store of what happened, and questions to it.

pub mod context;
mod files;
pub mod kelly;
pub mod log;
pub mod mistake;
pub mod plans;
pub mod recall;
pub mod remember;
pub mod report;
pub mod store;
pub mod validation;
