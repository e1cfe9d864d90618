//! Inference: typed tasks and replies, tiers with their price, the simulated model that answers, and the port to a real one (a hexagonal
//! port to a large language model).
//!
//! Prices are in dollars and paid from the asker's purse, latency is in ticks, temperatures run from 0 to 2, expected results are in R. The
//! askers are dreams, a dying golem's review of its life, memories that a model reads or reflects for, and feelings where the appraisal is
//! by `[daimon.chain]`. Decisions of trade ask no model; a gate of waking (`golem::gate`, off by default) charges a price for them all the
//! same. A simulated model is the default, because experiments need thousands of dreams that cost no real money and repeat to the byte. It
//! is made of `simulated`, its noise (`reader`), grouping (`subjects`), levels (`level`), imagination (`imagined`), feelings (`affect`) and
//! reading of summaries (`reading`); `broker` stands before it and before `outside`, the port.

mod affect;
pub mod broker;
pub mod config;
pub mod fragment;
pub(crate) mod imagined;
mod level;
pub mod method;
pub mod outside;
pub mod prompt;
pub mod reader;
pub mod reading;
pub mod simulated;
mod subjects;
pub mod task;

pub use broker::{Broker, BrokerAnswer, BrokerStep, InferenceRequest, ModelCall};
pub use config::{EndpointConfig, LlmConfig, LlmMode, SchemaForm, Tier, TierConfig};
pub use fragment::Fragment;
pub use method::{Generalisation, Level, ReadingConfig, ReadingMethod};
pub use task::{
    AppraisalBrief, BaseRate, BatchAnswers, Branch, CreativeMode, CreditBrief, EpisodeBrief,
    MorningSituation, OpenPosition, PartWorth, Prospect, Reply, SourcedClaim, Stance, Task, ThemeBrief,
    UnmetSituation, WhatIf,
};
