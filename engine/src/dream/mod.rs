//! Dreaming: when, with what, and what comes of it.
//!
//! A dream can't act. Its code gets a [`DreamView`], which only reads a golem's memory and can't name the
//! market, and returns a [`DreamReport`]; the report is applied by [`integration`], the only place that can
//! change a playbook.

pub mod config;
pub mod cycle;
pub mod integration;
pub mod micro;
pub mod schedule;
pub mod scheduler;
pub mod urgency;

pub use config::DreamConfig;
pub use cycle::{DreamCycle, DreamReport, DreamStep, DreamView};
pub use integration::playbook::{Playbook, Rule};
pub use schedule::{
    DreamOrder, DreamScope, DreamTier, DreamTrigger, Petition, Refusal, Timetable, WakeSource,
};
pub use scheduler::{DreamAnswer, DreamRequest, DreamScheduler};
