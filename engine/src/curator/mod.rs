//! The Curator: waking housekeeping every 50 ticks. It clusters what a golem has lived through lately, draws
//! insights from what agrees, and tags what doesn't for the next dream.

pub mod config;
pub mod distil;

pub use config::CuratorConfig;
pub use distil::{CuratorReport, CuratorRequest, DreamTag, Insight, TagReason, curate};
