//! Inference: typed tasks and replies, tiers with their price, and the simulated model that answers.

pub mod broker;
pub mod config;
pub mod fragment;
mod imagined;
mod level;
pub mod method;
pub mod prompt;
pub mod reading;
pub mod simulated;
mod subjects;
pub mod task;

pub use broker::{Broker, BrokerAnswer, InferenceRequest};
pub use config::{LlmConfig, Tier, TierConfig};
pub use fragment::Fragment;
pub use method::{Correction, Generalisation, Level, ReadingConfig, ReadingMethod};
pub use reading::Stance;
pub use task::{
    BaseRate, Branch, CreativeMode, CreditBrief, EpisodeBrief, Pattern, Prospect, Reply, Task, WhatIf,
};
