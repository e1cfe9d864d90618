//! Lives through a finished run again, its turns included, and compares the files of both by their hashes: a deterministic replay as a
//! regression test of a build. The first row that differs is searched only where digests differ (reproducibility check). Data files, the
//! cassette and the run's own Lethe are checked too: a repetition with changed data counts as not identical. A real model isn't asked
//! again: the cassette answers. Wall-clock times aren't compared, because they differ on every machine. Three commands call it:
//! `morta reproduce RUN` with the default driver, `morta verify` with a choice of one, and `morta watch` to show a finished run.
//! An interrupted run is repeated up to its last tick.

use crate::io::error::{Context as _, Error, Result};
use crate::run::drive::{Driver, DriverChoice, RunControl, go_on_by};
use crate::run::foreign_memory::Guarded;
use crate::run::history::History;
use crate::run::laboratory::Laboratory;
use crate::run::run_folder::{FinishedRun, RepetitionVerdict, RunFolder, Tables, compare};

/// The result of a repetition (reproducibility report): differing files, changed data, digests.
pub struct Repetition {
    /// File by file.
    pub verdict: RepetitionVerdict,
    /// Data files, the cassette and the copy of a Lethe, as far as they aren't what they were.
    pub other_data: Vec<String>,
    /// Damage to the run's own Lethe, in words.
    pub lethe_harm: Option<String>,
    /// Hash of the repetition's events.
    pub digest: String,
    /// The driver of the repetition.
    pub driver: Driver,
}

impl Repetition {
    /// Whether everything is the same, bit for bit.
    pub fn is_identical(&self) -> bool {
        self.verdict.is_identical() && self.other_data.is_empty() && self.lethe_harm.is_none()
    }
}

/// Repeats a run, in a temporary folder that is gone afterwards. Its golems may have any memory architecture of a laboratory.
///
/// # Errors
/// When there is nothing to compare, its data can't be read, the laboratory lacks an architecture that the run names, or the repetition
/// fails or is stopped.
pub fn repeat(
    run: &FinishedRun,
    driver: DriverChoice,
    control: RunControl<'_>,
    laboratory: &Laboratory,
) -> Result<Repetition> {
    // A run that was interrupted is repeated up to where it got.
    let until = run.manifest.ticks;
    if until == 0 {
        return Err(Error::at(
            run.dir(),
            "the run was interrupted before its first tick: there is nothing to compare",
        ));
    }
    let history = History::from_run(run, until, laboratory)?;
    let other_data = history.changed_data(run);
    let lethe_harm = run.lethe_harm();
    let driver = driver.driver(history.plan(), true);
    let room = tempfile::tempdir().context("there is no room for the repetition")?;
    let again = RunFolder::create(&room.path().join("again"))?;
    let processes = &history.processes;
    let mut tables = Guarded::new(Tables::create(&again, &run.manifest.scenario)?, processes);
    let mut world = history.begin();
    let lived = history.live_to(&mut world, history.last_turn(), &mut tables, control);
    let lived = lived.map_err(|error| processes.explain(error))?;
    let stopped =
        || Error::stopped(format!("stopped before its end: nothing is known of {}", run.dir().display()));
    let lived = lived.ok_or_else(stopped)?;
    let lived = go_on_by(world, lived, driver, tables, control).map_err(|error| processes.explain(error))?;
    // Half a repetition differs from the whole run, which says nothing about it.
    if lived.ended.interrupted || control.is_stopped() {
        return Err(stopped());
    }
    processes.check()?;
    let summary = lived.sink.into_inner().finish()?;
    let verdict = compare(run, &again, &summary)?;
    Ok(Repetition { verdict, other_data, lethe_harm, digest: summary.digest, driver })
}

/// Words the differences, one line each.
pub fn differences(repetition: &Repetition) -> Vec<String> {
    let Repetition { verdict, other_data, lethe_harm, .. } = repetition;
    let mut lines = Vec::new();
    lines.extend(other_data.iter().map(|path| format!("the data file {path} has changed since the run")));
    lines.extend(lethe_harm.iter().map(|harm| format!("the run's Lethe has come to harm: {harm}")));
    lines.extend(verdict.missing.iter().map(|name| format!("{name} is missing on one side")));
    lines.extend(verdict.changed.iter().map(|name| format!("{name} has been changed since it was written")));
    lines.extend(verdict.differing.iter().map(|name| format!("{name} comes out differently now")));
    if let Some((then, now)) = &verdict.digests {
        lines.push(format!("the event log's digest was {then} and is {now}"));
    }
    if let Some(first) = &verdict.first {
        lines.push(format!("first difference: {first}"));
    }
    lines
}
