//! Outcome-weighted memory on a user's own trades: a store of what happened, and questions to it.

mod backfill;
pub mod context;
pub mod export;
pub mod exports;
mod files;
pub mod import;
pub mod kelly;
pub mod log;
pub mod mistake;
mod outcome;
mod own_trades;
pub mod plans;
pub mod recall;
mod recalls;
mod reflection;
pub mod remember;
pub mod report;
pub mod store;
pub mod validation;
