//! Counters of a pool, for the progress line and the summary of a run: atomic metrics of calls, cache hits, attempts and tokens. They are
//! observed and enter no event, since a retry depends on the network. They are read without a lock, because an observer must not slow
//! calls. A run has one pool, and so have all cells of a sweep together.

use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Request metrics: atomic counts that threads add to, and that are read at any time.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) calls: AtomicU64,
    pub(super) cache_hits: AtomicU64,
    pub(super) answered: AtomicU64,
    pub(super) attempts: AtomicU64,
    pub(super) failed_attempts: AtomicU64,
    pub(super) input_tokens: AtomicU64,
    pub(super) output_tokens: AtomicU64,
    pub(super) estimated: AtomicU64,
}

/// A snapshot of the request metrics: the counts at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CounterValues {
    /// Calls that were asked, each once; one that failed counts anew where it is asked again.
    pub calls: u64,
    /// Of these, calls that the cassette had already.
    pub cache_hits: u64,
    /// Of the calls, those that the endpoint has answered with a reply that was kept.
    pub answered: u64,
    /// Requests sent.
    pub attempts: u64,
    /// Of these, requests that failed; one that the run's end cut off counts as neither failed nor answered.
    pub failed_attempts: u64,
    /// Tokens that the endpoint has read, without those of cache hits.
    pub input_tokens: u64,
    /// Tokens that the endpoint has written, without those of cache hits.
    pub output_tokens: u64,
    /// Replies whose tokens the endpoint didn't count, and which were taken for a quarter of the bytes. The
    /// number shows how far a run's costs are an estimate.
    pub estimated: u64,
}

impl fmt::Display for CounterValues {
    /// One line: "54 calls (12 from the cassette), 45 attempts (3 failed), 30211 tokens read, 4022 written".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, cache_hits, attempts, failed_attempts, input_tokens, output_tokens, .. } = self;
        write!(
            f,
            "{calls} calls ({cache_hits} from the cassette), {attempts} attempts ({failed_attempts} failed), {input_tokens} tokens \
             read, {output_tokens} written"
        )
    }
}

pub(super) fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Ordering::Relaxed);
}

impl Counters {
    /// Takes a snapshot of all counts. Each is right by itself; those of one moment may be a call apart. Loads are `Relaxed`.
    pub fn snapshot(&self) -> CounterValues {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CounterValues {
            calls: of(&self.calls),
            cache_hits: of(&self.cache_hits),
            answered: of(&self.answered),
            attempts: of(&self.attempts),
            failed_attempts: of(&self.failed_attempts),
            input_tokens: of(&self.input_tokens),
            output_tokens: of(&self.output_tokens),
            estimated: of(&self.estimated),
        }
    }
}
