//! Morta's laboratory from Python: what `morta/runs.py` calls, and memories whose class is Python's.

mod lookout;
mod memory;
mod moment;
mod stream;

use lookout::Lookout;
use memory::PyMemory;
use morta_engine::memory::{MemoryName, MemoryRegistry};
use morta_lab::conformance::{Bounds, check};
use morta_lab::drive::{DriverChoice, RunControl};
use morta_lab::scenario_file::{self, Overrides};
use morta_lab::sweep_file;
use morta_lab::{Error, Laboratory, RunOptions, Scenario, SweepOptions};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::Path;
use std::sync::Arc;

/// Mistakes of the caller are `ValueError`s, with the line and key that a scenario's mistake has; the rest is what failed underway.
fn raised(error: &Error) -> PyErr {
    match error.mistakes() {
        Some(lines) => PyValueError::new_err(lines.join("\n")),
        None => PyRuntimeError::new_err(error.in_full()),
    }
}

/// The shipped memories, and classes under their names.
fn registry(classes: Vec<(String, Py<PyType>)>) -> PyResult<Arc<MemoryRegistry>> {
    let mut registry = MemoryRegistry::default();
    for (name, class) in classes {
        // Two threads that hand over different classes under one name have one each.
        let class = Arc::new(class);
        let again = Arc::clone(&class);
        registry
            .register_loading(
                &name,
                "A memory written in Python",
                move |birth| PyMemory::empty(&class, birth),
                move |bytes| PyMemory::from_bytes(&again, bytes),
            )
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(Arc::new(registry))
}

/// Changes by which all cohorts of a scenario, or those named, remember with an architecture.
fn remember_with(scenario: &Scenario, name: &str, cohorts: Option<Vec<String>>) -> Vec<String> {
    let all = || scenario.scenario.cohorts.iter().map(|cohort| cohort.name.clone()).collect();
    let line = |cohort: String| format!("cohorts.{cohort}.memory=\"{name}\"");
    cohorts.unwrap_or_else(all).into_iter().map(line).collect()
}

/// What is answered, as JSON.
fn told(answer: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Lives through a scenario; the figures of `morta run --json`.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "morta/runs.py names them")]
fn run(
    py: Python<'_>,
    scenario: &str,
    memory: Option<(String, Py<PyType>)>,
    cohorts: Option<Vec<String>>,
    set: Vec<String>,
    seed: Option<u64>,
    ticks: Option<u64>,
    out: Option<String>,
    threads: Option<u16>,
    plain: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let name = memory.as_ref().map(|(name, _)| name.clone());
    let laboratory = Laboratory::with_memories(registry(memory.into_iter().collect())?);
    let lookout = Lookout::default();
    let lived = lookout.wait_for(py, progress.as_ref(), || {
        let path = Path::new(scenario);
        let read = |set: Vec<String>| scenario_file::load(path, &Overrides { seed, ticks, set }, &laboratory);
        let mut loaded = read(set.clone())?;
        if let Some(name) = &name {
            let mut set = set;
            set.extend(remember_with(&loaded, name, cohorts));
            loaded = read(set)?;
        }
        let options = out.map_or_else(RunOptions::default, RunOptions::into_folder);
        // Golems that take turns at the interpreter gain nothing from threads of their own.
        let plain = plain || (name.is_some() && threads.is_none());
        let driver = DriverChoice { threads, plain };
        let control = RunControl::stopped_by(&lookout.stop).watched_by(&lookout);
        morta_lab::run(&loaded, RunOptions { driver, control, ..options })
    })?;
    told(&lived.map_err(|error| raised(&error))?)
}

/// Runs a sweep whose arms may name the classes; its analysis, and what became of its cells.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "morta/runs.py names them")]
fn sweep(
    py: Python<'_>,
    file: &str,
    out: &str,
    memories: Vec<(String, Py<PyType>)>,
    profile: Option<String>,
    seeds: Option<u64>,
    jobs: Option<u16>,
    resume: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let laboratory = Laboratory::with_memories(registry(memories)?);
    let lookout = Lookout::default();
    let swept = lookout.wait_for(py, progress.as_ref(), || {
        let sweep = sweep_file::load(Path::new(file), profile.as_deref(), seeds, &laboratory)?;
        let usual = SweepOptions::default();
        let jobs = jobs.map_or(usual.jobs, |jobs| usize::from(jobs.max(1)));
        let options = SweepOptions { jobs, resume, stop: &lookout.stop, watch: &lookout, ..usual };
        sweep.run(Path::new(out), options)
    })?;
    let swept = swept.map_err(|error| raised(&error))?;
    told(&serde_json::json!({
        "sweep_dir": swept.dir,
        "complete": swept.is_complete(),
        "ran_now": swept.ran,
        "failures": swept.failures,
        "analysis": swept.analysis,
    }))
}

/// Puts a class through the conformance kit; its report as JSON.
#[pyfunction]
fn conformance(py: Python<'_>, name: String, class: Py<PyType>, seed: u64) -> PyResult<String> {
    let registry = registry(vec![(name.clone(), class)])?;
    let bounds = Bounds { seed, ..Bounds::default() };
    let report = py.detach(|| check(&registry, &MemoryName::from(name.as_str()), &bounds));
    told(&report.map_err(|error| raised(&error))?)
}

/// The module `morta._morta`.
#[pymodule]
fn _morta(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(sweep, module)?)?;
    module.add_function(wrap_pyfunction!(conformance, module)?)
}
