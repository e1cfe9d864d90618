//! Idle spin: an arbiter's thread stays awake for up to 200 µs after its work, because waking it for the next tick costs more than a tick
//! of a small world takes. It is busy-waiting (spin-then-park). A dispatcher begins it when it has handed a tick back and ends it when the
//! next arrives. With one arbiter, or more arbiters than cores, nothing spins; with as many, nothing spins while the event writer works.
//! It changes the speed of a run alone.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest spin. It is longer than other threads and the shared actors of a small world take between two ticks, so that the threads
/// of small worlds never sleep. The threads of a larger world sleep once a tick, and 200 µs are little beside such a tick.
const SPIN_TIME: Duration = Duration::from_micros(200);

/// Keeps an arbiter's thread awake while it waits for a message: at most for [`SPIN_TIME`], and not while the writer needs its core
/// (busy-waiting).
pub(crate) struct IdleSpin {
    state: Rc<SpinState>,
}

struct SpinState {
    /// Whether spinning pays: there are at least two arbiters and a core for each. With fewer cores a spinning arbiter would take the
    /// core from the one it waits for.
    worth_it: bool,
    /// Whether the writer is at work; `None` where it has a core of its own.
    core_is_needed: Option<Arc<AtomicBool>>,
    /// When the spin ends; `None` while there is work.
    until: Cell<Option<Instant>>,
    /// Whether the spinning task runs: a second one would spin beside it for nothing.
    spinning: Cell<bool>,
}

impl SpinState {
    fn goes_on(&self) -> bool {
        let needed = self.core_is_needed.as_ref().is_some_and(|needed| needed.load(Ordering::Relaxed));
        !needed && self.until.get().is_some_and(|until| Instant::now() < until)
    }
}

impl IdleSpin {
    /// Makes the spin of one arbiter among `arbiters`; `writer_at_work` is true while the event writer's thread writes.
    pub(crate) fn new(arbiters: usize, writer_at_work: Arc<AtomicBool>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let state = SpinState {
            // A single arbiter runs the conductor too, so it has nothing to wait for.
            worth_it: (2..=cores).contains(&arbiters),
            core_is_needed: (arbiters >= cores).then_some(writer_at_work),
            until: Cell::default(),
            spinning: Cell::default(),
        };
        Self { state: Rc::new(state) }
    }

    /// Begins to spin: there is no work until the next message (spin-wait).
    pub(crate) fn begin(&self) {
        if !self.state.worth_it {
            return;
        }
        self.state.until.set(Some(Instant::now() + SPIN_TIME));
        if !self.state.spinning.replace(true) {
            let state = Rc::clone(&self.state);
            actix_rt::spawn(async move {
                // Yields to the executor between two checks, so that a message is handled as soon as it arrives.
                while state.goes_on() {
                    tokio::task::yield_now().await;
                }
                state.spinning.set(false);
            });
        }
    }

    /// Ends the spin: a message has arrived (wake-up).
    pub(crate) fn end(&self) {
        self.state.until.set(None);
    }
}
