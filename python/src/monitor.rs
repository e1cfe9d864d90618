//! Reports from the Python memories of a run, or of all cells of a sweep, to its caller: faults, warnings, and the error that ends it
//! (exception handling, error propagation). `on_fault` decides: "raise" ends the run at the first fault, "warn" warns of the first and
//! counts all, "ignore" counts. Without it (None) the first is warned of, and the run ends with an error once each of the first hundred
//! lives has ended by a fault, or after its last tick if all its lives have, however few. `conformance` uses "ignore", because its report
//! has them. KeyboardInterrupt and SystemExit always end the run.
//!
//! Faults are counted by kind (method, exception type, line of code), at most a hundred kinds, because thousands of golems fail alike.

use morta_base::{GolemId, Tick};
use morta_lab::Error;
use pyo3::exceptions::{PyException, PySystemExit};
use pyo3::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lives after which a class whose every golem died of it is taken for one that can't work. Our choice: a slip shows in its first call,
/// while a fault that chance brings spares some of a hundred.
const HOPELESS_LIVES: u64 = 100;
/// The largest number of kinds of faults that are kept. Each is a line of code in a method, so that more couldn't be read anyway.
const KINDS_MAX: usize = 100;

/// The treatment of exceptions from memories (error handling policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnFault {
    /// The run ends at the first fault.
    Raise,
    /// The caller is warned of the first fault; all are counted.
    Warn,
    /// Faults are counted.
    Ignore,
    /// As [`Warn`](Self::Warn), and it ends once every life of the first hundred has ended by fault.
    Usual,
}

/// The call in which a memory failed (error location).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// Its name in scenarios.
    pub memory: &'a str,
    /// The method.
    pub method: &'static str,
    /// Its golem.
    pub golem: GolemId,
    /// The world's seed.
    pub seed: u64,
    /// The tick.
    pub tick: Tick,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { memory, method, golem, seed, tick } = self;
        write!(f, "memory \"{memory}\" in {method}(), golem {golem}, tick {tick}, seed {seed}")
    }
}

/// Faults of one kind: an exception type from a line of code, in a method.
#[derive(Clone, Debug, Serialize)]
struct Kind {
    memory: String,
    method: &'static str,
    exception: String,
    line: String,
    /// Number of lives that they ended.
    lives: u64,
    /// Text and place of the first one.
    message: String,
    golem: String,
    seed: u64,
    tick: Tick,
    traceback: String,
}

#[derive(Debug, Default)]
struct State {
    kinds: Vec<Kind>,
    /// Number of faults in the first [`HOPELESS_LIVES`] lives.
    early: u64,
    /// Number of all faults.
    faults: u64,
    /// The error that ends the run; the first one counts.
    ending: Option<PyErr>,
    /// Warnings for the caller: class and text.
    warnings: Vec<(&'static str, String)>,
    /// The first fault, the cause of the error if all lives end by faults.
    first: Option<PyErr>,
    /// Why a checkpoint or copy failed; the world counts as unsound from then on.
    unsaved: Option<String>,
}

/// The memories' reports of a run (fault collector).
#[derive(Debug)]
pub(crate) struct Monitor {
    on_fault: OnFault,
    /// Set when no memory is called any more.
    stop: Arc<AtomicBool>,
    /// Set when a call was skipped or interrupted because the run stops. Its tick then differs from that of an uninterrupted run.
    is_torn: AtomicBool,
    /// Number of created memories, those of a plan included.
    births: AtomicU64,
    /// Number of memories that were called at least once.
    lives: AtomicU64,
    state: Mutex<State>,
}

impl Monitor {
    /// A monitor with a flag that it sets when the run has to end (new fault collector).
    pub(crate) fn new(on_fault: OnFault, stop: &Arc<AtomicBool>) -> Arc<Self> {
        let (births, lives) = Default::default();
        let (is_torn, state) = Default::default();
        Arc::new(Self { on_fault, stop: Arc::clone(stop), is_torn, births, lives, state })
    }

    /// Whether memories aren't called any more (cancellation).
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes that a call was skipped or interrupted (dirty flag).
    pub(crate) fn note_torn(&self) {
        self.is_torn.store(true, Ordering::Relaxed);
    }

    /// Whether the world may be saved: no call was skipped, and every memory could be saved (consistent state).
    ///
    /// # Errors
    /// The reason, for the caller.
    pub(crate) fn check_soundness(&self) -> morta_lab::Result<()> {
        if let Some(why) = &self.state().unsaved {
            return Err(Error::invalid(why));
        }
        if self.is_torn.load(Ordering::Relaxed) {
            return Err(Error::stopped("stopped within a tick: the last checkpoint is the one before it"));
        }
        Ok(())
    }

    /// Notes that a memory can't be saved for a checkpoint or a copy (serialization). The first reason is kept.
    pub(crate) fn note_unsaved(&self, memory: &str, golem: GolemId, why: &PyErr) {
        let text = format!(
            "checkpoint: memory \"{memory}\" of golem {golem} can't be saved ({why}): write save() and load(), or run without checkpoints"
        );
        self.state().unsaved.get_or_insert(text);
    }

    /// Counts a created memory; returns the number before (atomic counter).
    pub(crate) fn count_birth(&self) -> u64 {
        self.births.fetch_add(1, Ordering::Relaxed)
    }

    /// Counts a life at its memory's first call; returns the number before (atomic counter). Births aren't counted, because plans create
    /// memories that are never called.
    pub(crate) fn count_life(&self) -> u64 {
        self.lives.fetch_add(1, Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run with an error; the first one counts.
    fn end(&self, error: PyErr) {
        let late = {
            let mut state = self.state();
            if state.ending.is_some() { Some(error) } else { state.ending.replace(error) }
        };
        self.stop.store(true, Ordering::Relaxed);
        drop(late);
    }

    /// Ends the run with a fault and drops all warnings, because its traceback reaches the caller.
    fn end_by(&self, fault: PyErr) {
        self.state().warnings.clear();
        self.end(fault);
    }

    /// Handles an exception from a memory in a life. Returns whether it ends the golem's life; an exception outside `Exception`
    /// (`KeyboardInterrupt`, `SystemExit`) ends the run instead.
    pub(crate) fn raised(&self, py: Python<'_>, place: Place<'_>, life: u64, error: PyErr) -> bool {
        // No Python code may run while the lock is held: another thread could be given the interpreter, and wait for the lock with it.
        let said = error.to_string();
        if !error.is_instance_of::<PyException>(py) {
            // Python ends a process at an uncaught SystemExit without its place, so the place is reported here.
            if error.is_instance_of::<PySystemExit>(py) {
                self.warn("MemoryFaultWarning", format!("{place}, raised {said}: the run stops"));
            }
            self.end(error);
            return false;
        }
        let exception =
            error.get_type(py).name().map_or_else(|_| "Exception".to_owned(), |name| name.to_string());
        let line = line_of(py, &error).unwrap_or_default();
        if !self.state().counted(place, &exception, &line) {
            let (message, traceback) = (error.value(py).to_string(), traceback(py, &error));
            let Place { memory, method, golem, seed, tick } = place;
            let (memory, golem) = (memory.to_owned(), golem.to_string());
            let kind =
                Kind { memory, method, exception, line, lives: 1, message, golem, seed, tick, traceback };
            self.state().first_of(kind);
        }
        let (is_first, is_hopeless) = {
            let mut state = self.state();
            state.faults += 1;
            let is_early = life < HOPELESS_LIVES;
            state.early += u64::from(is_early);
            if state.faults == 1 {
                state.first = Some(error.clone_ref(py));
            }
            (state.faults == 1, is_early && state.early == HOPELESS_LIVES)
        };
        if is_first && matches!(self.on_fault, OnFault::Warn | OnFault::Usual) {
            let traceback = traceback(py, &error);
            let text = format!(
                "{place}, raised, which ended the golem's life. Further faults are counted in `faults`.\n{traceback}"
            );
            self.warn("MemoryFaultWarning", text);
        }
        if self.on_fault == OnFault::Raise {
            self.end_by(fault(py, &format!("{place}: {said}"), error));
        } else if is_hopeless && self.on_fault == OnFault::Usual {
            let text = format!(
                "each of the first {HOPELESS_LIVES} lives ended by a fault, the last of them {place}: {said}"
            );
            self.end_by(fault(py, &text, error));
        }
        true
    }

    fn warn(&self, class: &'static str, text: String) {
        self.state().warnings.push((class, text));
    }

    /// Ends the run at its first birth if that memory can't be created (constructor error), because every golem of that name would die of
    /// the same error.
    pub(crate) fn refuse(&self, py: Python<'_>, memory: &str, why: &str, error: PyErr) {
        self.end_by(fault(py, &format!("memory \"{memory}\" can't be made: {why}"), error));
    }

    /// Notes that a memory can't be saved as it is (serialization warning). This is no fault unless a checkpoint needs it.
    pub(crate) fn unsavable(&self, memory: &str, why: &PyErr) {
        if self.on_fault != OnFault::Ignore {
            let text =
                format!("memory \"{memory}\" can't be saved, which conformance and checkpoints need: {why}");
            self.warn("MemorySaveWarning", text);
        }
    }

    /// Takes the pending Python warnings for the caller: classes and texts.
    pub(crate) fn take_warnings(&self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.state().warnings)
    }

    /// Takes the error that ends the run, if a memory causes one; a second call doesn't find it. With `is_over` (after the run) that
    /// includes the case that every life ended by a fault.
    pub(crate) fn ending(&self, py: Python<'_>, is_over: bool) -> Option<PyErr> {
        if let Some(error) = self.state().ending.take() {
            return Some(error);
        }
        let lives = self.lives.load(Ordering::Relaxed);
        let is_hopeless =
            is_over && self.on_fault == OnFault::Usual && lives > 0 && self.state().faults >= lives;
        let first = if is_hopeless { self.state().first.take() } else { None }?;
        Some(fault(py, &format!("all {lives} lives ended by a fault, the first by {first}"), first))
    }

    /// Reports all faults so far as JSON, a list of kinds.
    pub(crate) fn faults(&self) -> String {
        serde_json::to_string(&self.state().kinds).expect("kinds of faults are plain data")
    }
}

impl State {
    /// Counts a fault of a known kind; false for a new kind.
    fn counted(&mut self, place: Place<'_>, exception: &str, line: &str) -> bool {
        let same = |kind: &&mut Kind| {
            (kind.memory.as_str(), kind.method, kind.exception.as_str(), kind.line.as_str())
                == (place.memory, place.method, exception, line)
        };
        self.kinds.iter_mut().find(same).map(|kind| kind.lives += 1).is_some()
    }

    /// Keeps the first fault of a kind.
    fn first_of(&mut self, kind: Kind) {
        if self.kinds.len() < KINDS_MAX {
            self.kinds.push(kind);
        }
    }
}

/// A `morta.MemoryFault` with another exception as its cause (Python exception chaining).
pub(crate) fn fault(py: Python<'_>, text: &str, cause: PyErr) -> PyErr {
    let class = py.import("morta.memory").and_then(|module| module.getattr("MemoryFault"));
    match class.and_then(|class| class.call1((text,))) {
        Ok(raised) => {
            let raised = PyErr::from_value(raised);
            raised.set_cause(py, Some(cause));
            raised
        }
        Err(error) => error,
    }
}

fn traceback(py: Python<'_>, error: &PyErr) -> String {
    let lines = py
        .import("traceback")
        .and_then(|module| {
            module
                .call_method1("format_exception", (error.get_type(py), error.value(py), error.traceback(py)))
        })
        .and_then(|lines| lines.extract::<Vec<String>>());
    lines.map_or_else(|_| error.to_string(), |lines| lines.concat())
}

/// File and line of the innermost frame; none if no Python code raised the exception.
fn line_of(py: Python<'_>, error: &PyErr) -> Option<String> {
    let mut at = error.traceback(py)?.into_any();
    while let Ok(next) = at.getattr("tb_next")
        && !next.is_none()
    {
        at = next;
    }
    let code = at.getattr("tb_frame").ok()?.getattr("f_code").ok()?;
    let (file, line) = (code.getattr("co_filename").ok()?, at.getattr("tb_lineno").ok()?);
    Some(format!("{file}:{line}"))
}
