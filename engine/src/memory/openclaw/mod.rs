//! `openclaw`: what is recalled often, by different queries, on different days, is worth keeping. Light sleep sorts what was
//! found lately, deep sleep promotes to long-term memory, REM sleep looks for themes.

pub mod block;
pub mod config;
pub mod entry;
pub mod execution;
pub mod health;
pub mod light;
pub mod long_term;
pub mod promote;
pub mod rank;
pub mod relocate;
pub mod rem;
pub mod schedule;
pub mod settings;
pub mod signals;
pub mod status;
pub mod store;
mod store_json;
pub mod tags;
pub mod text;
pub mod time;

pub use store_json::Dropped;
