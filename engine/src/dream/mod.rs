//! Dreaming: when, with what, and what comes of it.
//!
//! A dream can't act. Its code gets a [`DreamView`], which only reads a golem's memory and can't name the
//! market, and returns a [`DreamReport`]; the report is applied by [`integration`], the only place that can
//! change a playbook.
//!
//! | rule of the dream architecture | where |
//! |---|---|
//! | five phases, budget by behavioural phase | [`cycle::DreamPhase::budget_share`] |
//! | no budget exceeded by a token | [`account::Account`] |
//! | tiers, models by operation | [`tier::DreamTier`] |
//! | thalamic gate, executive loosener, Dalí interrupt, observer, incubation | [`onset`] |
//! | batches, reverse, forward and perturbed replay | [`nrem`] |
//! | preserve, abstract, forget | [`nrem::triage`] |
//! | counterfactuals, reappraisal | [`rem`] |
//! | Boden's three kinds, stochastic activation | [`rem::creative`] |
//! | threats: taxonomy, priorities | [`rem::threat`], [`crate::episode::ThreatRecord`] |
//! | intensity by uncertainty | [`imagination::Intensity`] |
//! | six output classes, staging, single writer | [`integration`] |
//! | admission gate | [`integration::admission`] |
//! | journal, self-assessed quality | [`journal`] |

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
