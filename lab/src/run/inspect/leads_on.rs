//! Commands to look on after a view: other views of the same golem, or of its successor; after a table of lives or a lineage, those of a
//! life whose death may explain something. They are next-step hints that `morta inspect` prints below a view in text; its JSON has none.
//! Each is a whole command, so that nobody has to look up an id.

use crate::run::run_folder::{FinishedRun, Life};
use morta_base::GolemId;

/// A suggested command, which shows a view next to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// Its contents, in words.
    pub about: &'static str,
    /// Arguments after `morta inspect RUN`.
    pub command: String,
}

impl Next {
    /// Suggests a command that shows something by its id.
    pub fn new(about: &'static str, command: impl Into<String>) -> Self {
        Self { about, command: command.into() }
    }
}

/// Suggests the next steps after a view, the likeliest first.
pub trait LeadsOn {
    /// Views that exist in this run.
    fn next(&self, run: &FinishedRun) -> Vec<Next>;
}

/// The views of a life but for one of them, by its word.
pub(super) fn of_life(life: &Life, run: &FinishedRun, but: &str) -> Vec<Next> {
    let golem = &life.golem;
    let all = [
        (
            "death",
            life.cause.is_some(),
            "why it died, and what became of what it left",
            format!("death {golem}"),
        ),
        ("golem", true, "its life, and how it decided", format!("golem {golem}")),
        // Dreams are shown from the event log.
        ("dream", life.dreams > 0 && run.has_events(), "its first dream", format!("dream {golem}.D0")),
        ("playbook", life.rules > 0, "the rules it lived by", format!("playbook {golem}")),
        ("lineage", true, "who came before and after it", format!("lineage L{}", life.lineage)),
    ];
    let wanted = all.into_iter().filter(|(word, is_there, ..)| *is_there && *word != but);
    wanted.map(|(_, _, about, command)| Next::new(about, command)).collect()
}

/// The golem that took the place of one.
pub(super) fn successor_of(life: &Life) -> String {
    GolemId { lineage: life.lineage, generation: life.generation + 1 }.to_string()
}

/// The first life that ended otherwise than by chance, else the first that ended at all, because a death by chance has nothing to explain.
pub(super) fn telling_death<'a>(lives: impl Iterator<Item = &'a Life> + Clone) -> Option<&'a Life> {
    let dead = lives.filter(|life| life.cause.is_some());
    dead.clone().find(|life| life.cause.as_deref() != Some("stochastic")).or_else(|| dead.clone().next())
}
