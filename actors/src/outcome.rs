//! The outcome of a run: how it ended, or why it could not be finished. An actor's own error is kept, because "an actor is gone" would
//! explain nothing. A run that the user stops has an outcome, not an error. The plain loop of the laboratory returns the same types.

use crate::lethe_store::LetheFolderError;
use crate::sink::WriteError;
use morta_base::Tick;
use morta_engine::llm::outside::OutsideError;

/// The end of a run, in brief: ticks, golem steps, conservation of money, and whether it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Ticks closed.
    pub ticks: Tick,
    /// Steps of golems: the sum over ticks of the golems living in each.
    pub golem_ticks: u64,
    /// Whether money was conserved at every barrier: the accounts of a tick added up to those before it and its flows.
    pub ledger_conserved: bool,
    /// Whether the user stopped it before the scenario's end.
    pub interrupted: bool,
}

/// A run that has ended without an error, with its sink: what the actor system returns.
#[derive(Debug)]
pub struct Finished<S> {
    /// The way it ended.
    pub ended: Ended,
    /// The sink that took its events.
    pub sink: S,
}

/// The reason why a run could not be finished: an actor failed, a model didn't answer, or events couldn't be written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A dispatcher, a golem's shell, a shared actor or the recorder failed. A golem that dies of its own rules isn't among them.
    #[error("{actor} failed at tick {tick}: {reason}")]
    ActorFailed {
        /// The actor's name in errors.
        actor: &'static str,
        /// The conductor's tick.
        tick: Tick,
        /// The panic's message or the error's text.
        reason: String,
    },
    /// The model outside the simulation gave no answer.
    #[error("the LLM broker waited in vain at tick {tick}: {error}")]
    Unanswered {
        /// The conductor's tick.
        tick: Tick,
        /// The reason, as the connection to the model gives it.
        error: OutsideError,
    },
    /// An actor could not be reached.
    #[error("{actor} could not be reached: {reason}")]
    Unreachable {
        /// The actor's name in errors.
        actor: &'static str,
        /// Whether its mailbox is full or closed.
        reason: String,
    },
    /// Events could not be written.
    #[error("the events could not be written: {}", in_full(.0.as_ref()))]
    Write(WriteError),
    /// The Lethe's store could not be opened.
    #[error(transparent)]
    Store(#[from] LetheFolderError),
    /// A thread could not be started.
    #[error("a thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// The text of an error followed by those of its causes, each after a colon. The whole chain, because a sink's own error names only the file
/// and its cause names the reason.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    #[error("journal.jsonl can't be written")]
    struct Unwritten(#[source] io::Error);

    #[test]
    fn a_write_error_is_shown_with_its_cause() {
        let error = RunError::Write(Box::new(Unwritten(io::Error::other("the disk is full"))));
        let text = "the events could not be written: journal.jsonl can't be written: the disk is full";
        assert_eq!(error.to_string(), text);
    }
}
