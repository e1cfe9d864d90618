//! Runs the laboratory's work on a thread of its own while Python waits, with the GIL released. Every 100 ms it looks at signals
//! (KeyboardInterrupt), issues the memories' warnings, and calls the caller's progress function with (done, in all): ticks of a run, cells
//! of a sweep. An exception stops the work at its next barrier and is raised after it. Work is on another thread, because Python must see
//! the interrupt.

use crate::monitor::Monitor;
use crossbeam_channel::{RecvTimeoutError, bounded};
use morta_engine::world::Plan;
use morta_lab::drive::{Onlooker, Progress};
use morta_lab::sweep_run::CellWatch;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Between two looks at signals and progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Progress of some work, and the flag that stops it (progress and interrupt flag).
#[derive(Default)]
pub(crate) struct Lookout {
    /// Set to stop the work.
    pub stop: Arc<AtomicBool>,
    /// Ended cells of a sweep.
    done: AtomicU64,
    /// Ticks of a run or cells of a sweep; 0 until the work has begun.
    total: AtomicU64,
    /// The world of a run, which counts its own ticks; none in a sweep.
    world: Mutex<Option<Arc<Progress>>>,
}

impl Lookout {
    /// Work done and work in all; none before the latter is known.
    fn standing(&self) -> Option<(u64, u64)> {
        let total = self.total.load(Ordering::Relaxed);
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let done = match &*world {
            Some(progress) => progress.ticks.load(Ordering::Relaxed),
            None => self.done.load(Ordering::Relaxed),
        };
        (total > 0).then_some((done, total))
    }

    /// Runs work on a background thread. An exception from Python, such as that of Ctrl-C, or from a memory stops the work, and is returned
    /// beside its result.
    pub(crate) fn wait_for<T: Send>(
        &self,
        py: Python<'_>,
        monitor: &Monitor,
        progress: Option<&Py<PyAny>>,
        work: impl FnOnce() -> T + Send,
    ) -> (T, Option<PyErr>) {
        let (sender, result) = bounded(1);
        std::thread::scope(|scope| {
            // The thread is attached once for its whole life, because attaching anew at every question of a golem would take longer than most
            // answers.
            scope.spawn(move || sender.send(Python::attach(|py| py.detach(work))));
            let mut raised = None;
            loop {
                // The interpreter is released while waiting, because golems on other threads need it for their memories.
                let waited = py.detach(|| result.recv_timeout(INTERVAL));
                if raised.is_none() {
                    // Signals are checked first: a warning that the user has turned into an error must not hide an interrupt.
                    let checked = py.check_signals().and_then(|()| warn(py, monitor));
                    raised = checked.and_then(|()| self.tell(py, progress)).err();
                    if raised.is_some() {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
                match waited {
                    Ok(done) => {
                        let is_over = raised.is_none();
                        return (done, monitor.ending(py, is_over).or(raised));
                    }
                    Err(RecvTimeoutError::Disconnected) => panic!("the work has ended without a result"),
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }

    fn tell(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        match (progress, self.standing()) {
            (Some(progress), Some(standing)) => progress.call1(py, standing).map(|_| ()),
            _ => Ok(()),
        }
    }
}

/// Issues the memories' warnings on the caller's thread, because a notebook shows output of other threads in whichever cell is running.
fn warn(py: Python<'_>, monitor: &Monitor) -> PyResult<()> {
    for (class, text) in monitor.take_warnings() {
        let class = py.import("morta.memory")?.getattr(class)?;
        // Three functions of `morta.runs` are on the stack above this module, so level 4 names the line of their caller.
        py.import("warnings")?.call_method1("warn", (text, class, 4))?;
    }
    Ok(())
}

impl Onlooker for Lookout {
    fn begun(&self, plan: &Plan, progress: &Arc<Progress>) {
        self.total.store(plan.scenario().ticks, Ordering::Relaxed);
        *self.world.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(progress));
    }

    fn ended(&self) {}
}

impl CellWatch for Lookout {
    fn begun(&self, cells: u64, ended_before: u64) {
        self.done.store(ended_before, Ordering::Relaxed);
        self.total.store(cells, Ordering::Relaxed);
    }

    fn cell_ended(&self, _: bool) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    fn over(&self) {}
}
