//! Idle spin: a thread that goes to sleep has to be woken for the next tick, which costs more than a tick of a small world takes. So it
//! stays awake for a while.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer than other threads and the shared actors of a small world take between two ticks, so that small worlds never sleep. A larger
/// world sleeps once a tick, whose length the lost 200 µs don't show in.
const SPIN_TIME: Duration = Duration::from_micros(200);

/// Keeps an arbiter's thread awake while it waits for a message, but not for long, and not when another thread needs its core.
pub struct IdleSpin {
    state: Rc<SpinState>,
}

struct SpinState {
    /// Whether there is a core for each arbiter, and something to wait for.
    worth_it: bool,
    /// Whether the writer is at work; `None` where it has a core of its own.
    core_is_needed: Option<Arc<AtomicBool>>,
    /// When sleep is allowed; `None` when there is work.
    until: Cell<Option<Instant>>,
    /// Whether the spinning task runs, so that there is never more than one.
    spinning: Cell<bool>,
}

impl SpinState {
    fn goes_on(&self) -> bool {
        let needed = self.core_is_needed.as_ref().is_some_and(|needed| needed.load(Ordering::Relaxed));
        !needed && self.until.get().is_some_and(|until| Instant::now() < until)
    }
}

impl IdleSpin {
    /// For one of so many arbiters, beside a writer that says when it is at work.
    pub fn new(arbiters: usize, writer_at_work: Arc<AtomicBool>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let state = SpinState {
            // A single arbiter waits for nobody.
            worth_it: (2..=cores).contains(&arbiters),
            core_is_needed: (arbiters >= cores).then_some(writer_at_work),
            until: Cell::default(),
            spinning: Cell::default(),
        };
        Self { state: Rc::new(state) }
    }

    /// There is nothing to do until the next message.
    pub fn begin(&self) {
        if !self.state.worth_it {
            return;
        }
        self.state.until.set(Some(Instant::now() + SPIN_TIME));
        if !self.state.spinning.replace(true) {
            let state = Rc::clone(&self.state);
            actix_rt::spawn(async move {
                // Yields between two looks, so that the message is handled as soon as it is there.
                while state.goes_on() {
                    tokio::task::yield_now().await;
                }
                state.spinning.set(false);
            });
        }
    }

    /// The message has come.
    pub fn end(&self) {
        self.state.until.set(None);
    }
}
