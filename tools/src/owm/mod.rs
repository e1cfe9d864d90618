//! Outcome-weighted memory of a user's own trades (`morta-memory owm`): a store in a folder, and questions to it. It is a trade journal
//! with retrieval, position sizing and triggers; results are R, moments Unix epoch seconds. The algorithms are in `morta_memories::owm`, so
//! that the simulation uses the same ones. Here `store` and `append_log` are the folder on the disk, `open_store` its cache for servers;
//! `log` applies actions; `remember` and `import` take in files, which `exports` reads; `recall`, `kelly`, `plans` and `report` answer
//! questions; `shared_db` synchronises with TradeMemory's database, and `validation` backtests.

mod append_log;
mod backfill;
pub mod context;
pub mod export;
pub mod exports;
mod files;
pub mod import;
pub mod inferred;
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
mod same;
pub mod shared_db;
pub mod store;
pub mod validation;
