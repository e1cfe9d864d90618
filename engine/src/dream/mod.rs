//! Dreaming: when, with what, and what comes of it.
//!
//! A dream can't act. Its code gets a [`DreamView`], which only reads a golem's memory and can't name the
//! market, and returns a [`DreamReport`]; the report is applied by [`integration`], the only place that can
//! change a playbook.

pub mod account;
pub mod config;
pub mod cycle;
pub mod imagination;
pub mod integration;
pub mod journal;
pub mod micro;
pub mod nrem;
pub mod onset;
pub mod rem;
pub mod schedule;
pub mod scheduler;
pub mod tier;
pub mod urgency;
mod wake;

pub use config::DreamConfig;
pub use cycle::{Circumstances, DreamCycle, DreamNote, DreamPhase, DreamReport, DreamStep, DreamView};
pub use integration::playbook::{Playbook, Rule};
pub use journal::DreamJournalEntry;
pub use schedule::{DreamOrder, DreamScope, DreamTrigger, Petition, Refusal, Timetable, WakeSource};
pub use scheduler::{DreamAnswer, DreamRequest, DreamScheduler};
pub use tier::DreamTier;
