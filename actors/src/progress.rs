//! The progress of a run, for readers on other threads: atomic counters, for the progress bar of the terminal and for Python among others.
//! It is written with relaxed atomics instead of a lock, because a reader only shows it: figures of two neighbouring ticks may be mixed,
//! and the run is never slowed down. The conductor or the plain loop updates it at the close of each tick; golems may have lived some ticks
//! further by then.

use morta_engine::event::{Event, EventKind};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// The progress of a run as of its last closed tick, in atomic counters; all 0 before the first.
#[derive(Debug, Default)]
pub struct Progress {
    /// Ticks closed.
    pub ticks: AtomicU64,
    /// Golems alive.
    pub alive: AtomicU64,
    /// Deaths since tick 0.
    pub died: AtomicU64,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: AtomicI64,
}

impl Progress {
    /// Takes over the figures of a closed tick; any other event is ignored (progress update).
    pub fn note(&self, closed: &Event) {
        if let EventKind::TickClosed(record) = &closed.kind {
            self.ticks.store(closed.tick + 1, Ordering::Relaxed);
            self.alive.store(record.alive.into(), Ordering::Relaxed);
            self.died.store(record.died, Ordering::Relaxed);
            self.time_s.store(record.time_s, Ordering::Relaxed);
        }
    }
}
