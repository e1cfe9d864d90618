//! Views of a finished run for `morta inspect`: lives, one golem or one of its decisions, one death, a dream, a playbook, a lineage;
//! `lethe` is the view of `morta lethe`. The page of `morta watch` shows a golem, its playbook and its last dream by them once the run has
//! ended. They are read-only queries on a run folder, and touch no world. A view's text is made of the same data as its JSON, so that the
//! two can't disagree.

pub mod death;
pub mod decision;
pub mod dream;
pub mod golem;
pub mod leads_on;
pub mod lethe;
pub mod lineage;
pub mod lives;
pub mod playbook;
pub mod prompts;
pub mod register;
mod replays;
mod trail;

#[cfg(test)]
mod tests;

use crate::io::error::Error;

/// The reason why something can't be shown when the event log was not kept.
const NO_EVENTS: &str = "the event log was not kept (record.events = false)";

fn no_events(run: &crate::run::run_folder::FinishedRun, subject: &str) -> Error {
    Error::at(run.dir(), format!("{subject} can't be told: {NO_EVENTS}"))
}
