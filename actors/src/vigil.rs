//! Staying awake between ticks: a thread that goes to sleep has to be woken for the next tick, which costs more than a tick of a small
//! world takes.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer than other threads and the shared actors of a small world take; a larger world doesn't notice.
const PATIENCE: Duration = Duration::from_micros(200);

/// Keeps an arbiter's thread awake while it waits for a message, but not for long, and not when another thread needs its core.
pub struct Vigil {
    watch: Rc<Watch>,
}

struct Watch {
    /// Whether there is a core for each arbiter, and something to wait for.
    worth_it: bool,
    /// Whether the writer is at work and has no core of its own.
    core_is_needed: Option<Arc<AtomicBool>>,
    /// When sleep is allowed; `None` when there is work.
    until: Cell<Option<Instant>>,
    /// Whether somebody watches.
    kept: Cell<bool>,
}

impl Watch {
    fn goes_on(&self) -> bool {
        let needed = self.core_is_needed.as_ref().is_some_and(|needed| needed.load(Ordering::Relaxed));
        !needed && self.until.get().is_some_and(|until| Instant::now() < until)
    }
}

impl Vigil {
    /// For one of so many arbiters, beside a writer that says when it is at work.
    pub fn of(arbiters: usize, writer: Arc<AtomicBool>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let watch = Watch {
            // A single arbiter waits for nobody.
            worth_it: (2..=cores).contains(&arbiters),
            core_is_needed: (arbiters >= cores).then_some(writer),
            until: Cell::default(),
            kept: Cell::default(),
        };
        Self { watch: Rc::new(watch) }
    }

    /// There is nothing to do until the next message.
    pub fn begin(&self) {
        if !self.watch.worth_it {
            return;
        }
        self.watch.until.set(Some(Instant::now() + PATIENCE));
        if !self.watch.kept.replace(true) {
            let watch = Rc::clone(&self.watch);
            actix_rt::spawn(async move {
                while watch.goes_on() {
                    tokio::task::yield_now().await;
                }
                watch.kept.set(false);
            });
        }
    }

    /// The message has come.
    pub fn end(&self) {
        self.watch.until.set(None);
    }
}
