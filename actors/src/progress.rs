//! Where a run is, for whoever looks on from another thread.

use morta_engine::event::{Event, EventKind};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Where a run is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Ticks closed.
    pub ticks: AtomicU64,
    /// Golems living.
    pub alive: AtomicU64,
    /// Deaths so far.
    pub died: AtomicU64,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: AtomicI64,
}

impl Progress {
    /// Notes a closed tick.
    pub fn note(&self, closed: &Event) {
        if let EventKind::TickClosed(record) = &closed.kind {
            self.ticks.store(closed.tick + 1, Ordering::Relaxed);
            self.alive.store(record.alive.into(), Ordering::Relaxed);
            self.died.store(record.died, Ordering::Relaxed);
            self.time_s.store(record.time_s, Ordering::Relaxed);
        }
    }
}
