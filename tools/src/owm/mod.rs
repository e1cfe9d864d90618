//! Outcome-weighted memory on a user's own trades: a store of what happened, and questions to it.

mod append_log;
mod backfill;
pub mod context;
pub mod export;
mod files;
pub mod import;
pub mod inferred;
mod journal;
pub mod kelly;
pub mod log;
pub mod mistake;
pub mod open_store;
mod outcome;
mod own_trades;
pub mod plans;
pub mod priced;
pub mod recall;
mod reflection;
pub mod remember;
pub mod report;
mod rows;
mod same;
pub mod shared_db;
mod sqlite;
pub mod store;
pub mod validation;
