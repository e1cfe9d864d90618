//! The PyO3 extension module `morta._morta` (Python bindings): the functions behind `morta/runs.py`, and memories that are Python
//! classes. Users call `morta`, not this module. Answers of runs, sweeps and conformance tests cross as JSON texts, a page as HTML and a
//! survival curve as tuples. A mistake of the caller raises ValueError, any other failure RuntimeError, a failing memory
//! `morta.MemoryFault`. The GIL is released while worlds run, except in calls of a Python memory. It is thin, because what it calls is
//! tested in Rust. `memory` wraps a Python object, `moment` and `stream` are the arguments of its methods, `monitor` decides on its
//! exceptions, `lookout` waits for the work.
//!
//! With a memory in Python a run uses the plain loop and a sweep one job, unless threads or jobs are named: golems would wait for one
//! interpreter. A process that was forked after a run is refused.

mod lookout;
mod memory;
mod moment;
mod monitor;
mod stream;

use lookout::Lookout;
use memory::PyMemory;
use moment::{Candidates, Moment, Outcome, Waking};
use monitor::{Monitor, OnFault};
use morta_engine::memory::{MemoryName, MemoryRegistry};
use morta_lab::conformance::{ConformanceBounds, check};
use morta_lab::drive::{DriverChoice, RunControl};
use morta_lab::report::ReportPage;
use morta_lab::run::{Checkpoints, RecordingOptions};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::sweep_file;
use morta_lab::sweep_run::units::Share;
use morta_lab::{Error, Laboratory, ResumeOptions, RunOptions, Scenario, SweepOptions};
use morta_stats::survival::Lifetimes;
use morta_stats::survival::kaplan_meier::{KaplanMeier, SurvivalStep};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use stream::Random;

/// Converts an error: a mistake of the caller becomes a Python `ValueError` with the scenario's line and key, any other a `RuntimeError`.
fn raised_by(error: &Error) -> PyErr {
    match error.mistakes() {
        Some(lines) => PyValueError::new_err(lines.join("\n")),
        None => PyRuntimeError::new_err(error.in_full()),
    }
}

/// The shipped memories, and Python classes under their names. Each run has a registry of its own, so that the classes are released with it.
fn registry(classes: Vec<(String, Py<PyType>)>, monitor: &Arc<Monitor>) -> PyResult<Arc<MemoryRegistry>> {
    let mut registry = MemoryRegistry::default();
    for (name, class) in classes {
        let class = Arc::new(class);
        let (again, born, read) = (Arc::clone(&class), Arc::clone(monitor), Arc::clone(monitor));
        registry
            .register_loading(
                &name,
                "A memory written in Python",
                move |birth| PyMemory::empty(&class, birth, &born),
                move |bytes| PyMemory::from_bytes(&again, bytes, &read),
            )
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(Arc::new(registry))
}

/// The process that ran a simulation first; 0 before. Storage engines start threads, which a fork doesn't copy, so the child's next run would wait
/// for them for ever.
static LIVED_IN: AtomicU32 = AtomicU32::new(0);

/// Refuses to run in a fork of a process that has run a simulation.
fn demand_no_fork() -> PyResult<()> {
    let here = std::process::id();
    match LIVED_IN.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed) {
        Err(there) if there != here => Err(PyRuntimeError::new_err(format!(
            "this process was forked from process {there} after a run in it, and a fork has none of the threads that runs need: start \
             processes with multiprocessing.get_context(\"spawn\") or \"forkserver\", or fork before the first run"
        ))),
        _ => Ok(()),
    }
}

fn on_fault(word: Option<&str>) -> PyResult<OnFault> {
    match word {
        None => Ok(OnFault::Usual),
        Some("raise") => Ok(OnFault::Raise),
        Some("warn") => Ok(OnFault::Warn),
        Some("ignore") => Ok(OnFault::Ignore),
        Some(other) => Err(PyValueError::new_err(format!(
            "on_fault={other:?}: must be \"raise\", \"warn\", \"ignore\" or None"
        ))),
    }
}

/// The result of a call: JSON of the answer, if there is one; JSON of the faults; the exception that ended it.
type Answer = (Option<String>, String, Option<Py<PyAny>>);

fn answer<T: serde::Serialize>(
    py: Python<'_>,
    (done, raised): (morta_lab::Result<T>, Option<PyErr>),
    monitor: &Monitor,
) -> PyResult<Answer> {
    let exception = |error: PyErr| error.into_value(py).into_any();
    match (done, raised) {
        (Ok(done), ended) => Ok((Some(json_of(&done)?), monitor.faults(), ended.map(exception))),
        // An error after the run was stopped only says that its end is missing, so it is replaced by the exception.
        (Err(_), Some(ended)) => Ok((None, monitor.faults(), Some(exception(ended)))),
        (Err(error), None) => Err(raised_by(&error)),
    }
}

/// Settings by which all cohorts of a scenario, or the named ones, use an architecture.
fn remember_with(scenario: &Scenario, name: &str, cohorts: Option<Vec<String>>) -> Vec<String> {
    let all = || scenario.scenario.cohorts.iter().map(|cohort| cohort.name.clone()).collect();
    let line = |cohort: String| format!("cohorts.{cohort}.memory=\"{name}\"");
    cohorts.unwrap_or_else(all).into_iter().map(line).collect()
}

/// An answer as JSON.
fn json_of(answer: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Lives through a scenario; the figures of `morta run --json`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "morta/runs.py names them")]
fn run(
    py: Python<'_>,
    scenario: &str,
    memory: Option<(String, Option<Py<PyType>>)>,
    cohorts: Option<Vec<String>>,
    set: Vec<String>,
    seed: Option<u64>,
    ticks: Option<u64>,
    out: Option<String>,
    threads: Option<u16>,
    plain: bool,
    checkpoint_every: Option<u64>,
    resume: bool,
    faults: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    demand_no_fork()?;
    let lookout = Lookout::default();
    let monitor = Monitor::new(on_fault(faults)?, &lookout.stop);
    let name = memory.as_ref().map(|(name, _)| name.clone());
    let own = memory.and_then(|(name, class)| class.map(|class| (name, class)));
    // Threads bring no gain if golems wait for one interpreter, so the plain loop is used.
    let plain = plain || (own.is_some() && threads.is_none());
    let laboratory = Laboratory::with_memories(registry(own.into_iter().collect(), &monitor)?);
    let done = lookout.wait_for(py, &monitor, progress.as_ref(), || {
        let path = Path::new(scenario);
        let read = |set: Vec<String>| scenario_file::load(path, &Overrides { seed, ticks, set }, &laboratory);
        let mut loaded = read(set.clone())?;
        if let Some(name) = &name {
            let mut set = set;
            set.extend(remember_with(&loaded, name, cohorts));
            loaded = read(set)?;
        }
        let is_sound = || monitor.check_soundness();
        let control = RunControl::stopped_by(&lookout.stop).watched_by(&lookout).sound_by(&is_sound);
        if let Some(out) = out.as_ref().filter(|_| resume) {
            let expected = Some(loaded.scenario);
            let options = ResumeOptions { every: checkpoint_every, expected, ..ResumeOptions::default() };
            return morta_lab::resume(Path::new(out), options, control, &laboratory);
        }
        let checkpoints = checkpoint_every.map(|every| Checkpoints { every, keep: false });
        let recording = out.map(|out| RecordingOptions { folder: out.into(), lethe_log: None, checkpoints });
        let driver = DriverChoice { threads, plain };
        morta_lab::run(&loaded, RunOptions { recording, driver, control })
    });
    answer(py, done, &monitor)
}

/// Age from which unfinished files of a share are left over: a day, as in `morta sweep --collect`.
const DEBRIS: Duration = Duration::from_secs(24 * 3_600);

/// The part of a sweep that a call runs.
#[derive(Clone, Copy)]
enum Extent {
    /// All of it.
    Whole,
    /// The cells of a share: its number from 0, and the number of shares.
    Share(u64, u64),
    /// The tables and the analysis of all shares' results.
    Collection,
}

impl Extent {
    /// All of the sweep without a share. The number after the last share collects the results.
    fn of_share(share: Option<(u64, u64)>) -> Self {
        match share {
            None => Self::Whole,
            Some((number, count)) if number < count => Self::Share(number, count),
            Some(_) => Self::Collection,
        }
    }
}

/// Runs a sweep whose arms may name the classes, or a share of it; its analysis, and what became of its cells. Every arm carries the notes,
/// keys of the scenario and their texts.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "morta/runs.py names them")]
fn sweep(
    py: Python<'_>,
    file: &str,
    out: &str,
    memories: Vec<(String, Py<PyType>)>,
    notes: Vec<(String, String)>,
    profile: Option<String>,
    seeds: Option<u64>,
    jobs: Option<u16>,
    resume: bool,
    share: Option<(u64, u64)>,
    faults: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer> {
    demand_no_fork()?;
    let lookout = Lookout::default();
    let monitor = Monitor::new(on_fault(faults)?, &lookout.stop);
    let in_python = !memories.is_empty();
    let laboratory = Laboratory::with_memories(registry(memories, &monitor)?);
    let done = lookout.wait_for(py, &monitor, progress.as_ref(), || {
        let sweep = sweep_file::load_noted(Path::new(file), profile.as_deref(), seeds, &notes, &laboratory)?;
        let usual = SweepOptions::default();
        // Two cells that take turns at the interpreter take twice as long as one after the other: handing it over costs more than a call.
        let usual_jobs = if in_python { 1 } else { usual.jobs };
        let jobs = jobs.map_or(usual_jobs, |jobs| usize::from(jobs.max(1)));
        let options = SweepOptions { jobs, resume, stop: &lookout.stop, watch: &lookout, ..usual };
        let out = Path::new(out);
        // Read before the folder exists, otherwise this sweep's own results would count as an earlier use of its seeds.
        let notes = sweep.notes_before(out);
        let swept = match Extent::of_share(share) {
            Extent::Whole => sweep.run(out, options)?,
            Extent::Share(number, count) => {
                let cells = sweep.arms.len() as u64 * sweep.worlds();
                let from = |number| number * cells / count;
                let range = from(number)..from(number + 1);
                if range.is_empty() {
                    return Ok(serde_json::json!({ "ran_now": 0 }));
                }
                let end = sweep.run_share(out, &Share::Cells(range), options)?;
                return Ok(serde_json::json!({ "ran_now": if end.was_there { 0 } else { end.cells } }));
            }
            Extent::Collection => sweep.collect(out, false, DEBRIS)?,
        };
        Ok(serde_json::json!({
            "sweep_dir": swept.dir,
            "complete": swept.is_complete(),
            "ran_now": swept.ran,
            "failures": swept.failures,
            "notes": notes,
            "analysis": swept.analysis,
        }))
    });
    answer(py, done, &monitor)
}

/// Puts a class through the conformance kit; its report as JSON.
#[pyfunction]
fn conformance(py: Python<'_>, name: String, class: Py<PyType>, seed: u64) -> PyResult<Answer> {
    demand_no_fork()?;
    let lookout = Lookout::default();
    let monitor = Monitor::new(OnFault::Ignore, &lookout.stop);
    let registry = registry(vec![(name.clone(), class)], &monitor)?;
    let bounds = ConformanceBounds { seed, ..ConformanceBounds::default() };
    let name = MemoryName::from(name.as_str());
    let done = lookout.wait_for(py, &monitor, None, || check(&registry, &name, &bounds));
    answer(py, done, &monitor)
}

/// Names of the shipped memories.
#[pyfunction]
fn memories() -> Vec<String> {
    MemoryRegistry::default().names().map(str::to_owned).collect()
}

/// The page of a run's or sweep's folder, and its figures: their names, and SVG files.
#[pyfunction]
fn report(py: Python<'_>, folder: &str) -> PyResult<(String, Vec<(String, String)>)> {
    let report =
        py.detach(|| ReportPage::from_folder(Path::new(folder))).map_err(|error| raised_by(&error))?;
    let figures = report.figures.into_iter().map(|figure| (figure.name, figure.svg)).collect();
    Ok((report.html, figures))
}

/// A step of a survival curve: time, the share surviving it, and its log-log band, which isn't defined once nobody is left.
type Step = (f64, f64, Option<(f64, f64)>);

/// The survival curve of lives, as the report's figure has it: the same estimator, so that axes of matplotlib show the same numbers.
#[pyfunction]
fn kaplan_meier(durations: Vec<f64>, died: Vec<bool>, level: f64) -> PyResult<Vec<Step>> {
    let curve = Lifetimes::new(durations, died).and_then(|lives| KaplanMeier::from_lifetimes(&lives, level));
    let curve = curve.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let band = |step: &SurvivalStep| step.spread.map(|spread| (spread.log_log.low, spread.log_log.high));
    Ok(curve.steps.iter().map(|step| (step.time, step.survival, band(step))).collect())
}

/// The module `morta._morta`.
#[pymodule]
fn _morta(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Moment>()?;
    module.add_class::<Candidates>()?;
    module.add_class::<Outcome>()?;
    module.add_class::<Waking>()?;
    module.add_class::<Random>()?;
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(memories, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(kaplan_meier, module)?)?;
    module.add_function(wrap_pyfunction!(sweep, module)?)?;
    module.add_function(wrap_pyfunction!(conformance, module)?)
}
