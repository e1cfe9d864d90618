//! Work of the laboratory while Python waits for it: Ctrl-C ends it, and progress is told.

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

/// How far some work has come, and the flag that stops it.
#[derive(Default)]
pub struct Lookout {
    /// Set when it is to stop.
    pub stop: Arc<AtomicBool>,
    done: AtomicU64,
    total: AtomicU64,
    world: Mutex<Option<Arc<Progress>>>,
}

impl Lookout {
    /// How much is done, of how much; nothing before that is known.
    fn standing(&self) -> Option<(u64, u64)> {
        let total = self.total.load(Ordering::Relaxed);
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        let done = match &*world {
            Some(progress) => progress.ticks.load(Ordering::Relaxed),
            None => self.done.load(Ordering::Relaxed),
        };
        (total > 0).then_some((done, total))
    }

    /// Does the work on a thread of its own. What Python raises meanwhile, as at Ctrl-C, or what a memory ends it with stops it, and is handed
    /// back with the work's result once it has stopped.
    pub fn wait_for<T: Send>(
        &self,
        py: Python<'_>,
        monitor: &Monitor,
        progress: Option<&Py<PyAny>>,
        work: impl FnOnce() -> T + Send,
    ) -> (T, Option<PyErr>) {
        let (sender, result) = bounded(1);
        std::thread::scope(|scope| {
            // Python knows the thread all along: to get to know it anew at every question of a golem would take longer than most answers.
            scope.spawn(move || sender.send(Python::attach(|py| py.detach(work))));
            let mut raised = None;
            loop {
                // Golems on other threads ask their memories, which need the interpreter.
                let waited = py.detach(|| result.recv_timeout(INTERVAL));
                if raised.is_none() {
                    // Signals come first: a warning may be made an error, which must not hide that somebody asked to stop.
                    let heard = py.check_signals().and_then(|()| warn(py, monitor));
                    raised = heard.and_then(|()| self.tell(py, progress)).err();
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

/// Says what the memories have to say, on the caller's thread: in a notebook the output of others goes to whichever cell is run.
fn warn(py: Python<'_>, monitor: &Monitor) -> PyResult<()> {
    for (class, text) in monitor.take_warnings() {
        let class = py.import("morta.memory")?.getattr(class)?;
        // Above this module stand three functions of `morta.runs`; the line that is named is their caller's.
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
