//! `openclaw`: what is recalled often, by different queries, on different days, is worth keeping. Light sleep sorts what was
//! found lately, deep sleep promotes to long-term memory, REM sleep looks for themes.
//!
//! The rules know nothing of markets: a store and an instant in, what was done out.
//! "Digest" means the digest of the OpenClaw dreaming document; where the document and the program of its days disagree, both
//! ways are keys, and the document's is the default.

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
