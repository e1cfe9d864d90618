//! What comes of a run: how it ended, or why it could not be finished.

use crate::lethe_store::LetheFolderError;
use crate::sink::WriteError;
use morta_base::Tick;
use morta_engine::llm::outside::OutsideError;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Ticks lived through.
    pub ticks: Tick,
    /// Steps of golems.
    pub golem_ticks: u64,
    /// Whether every tick's accounts added up.
    pub ledger_conserved: bool,
    /// Whether it was stopped before its time.
    pub interrupted: bool,
}

/// A run that has ended well.
#[derive(Debug)]
pub struct Finished<S> {
    /// How it ended.
    pub ended: Ended,
    /// Where its events went.
    pub sink: S,
}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A shared actor failed.
    #[error("{actor} failed at tick {tick}: {reason}")]
    ActorFailed {
        /// The actor, as errors call it.
        actor: &'static str,
        /// The conductor's tick.
        tick: Tick,
        /// The panic's message or the error's text.
        reason: String,
    },
    /// Who answers from outside the simulation didn't.
    #[error("the LLM broker waited in vain at tick {tick}: {error}")]
    Unanswered {
        /// The conductor's tick.
        tick: Tick,
        /// Why.
        error: OutsideError,
    },
    /// An actor could not be reached.
    #[error("{actor} could not be reached: {reason}")]
    Unreachable {
        /// The actor, as errors call it.
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

/// An error with its causes, each after a colon: what couldn't be written, and then why.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    #[error("journal.jsonl can't be written")]
    struct Unwritten(#[source] io::Error);

    #[test]
    fn what_could_not_be_written_is_told_with_its_cause() {
        let error = RunError::Write(Box::new(Unwritten(io::Error::other("the disk is full"))));
        let told = "the events could not be written: journal.jsonl can't be written: the disk is full";
        assert_eq!(error.to_string(), told);
    }
}
