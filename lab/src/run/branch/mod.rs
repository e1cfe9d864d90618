//! Branches (`morta branch`, and the page of `morta watch`): the world of a recorded run up to a tick, and from there two arms, one with a
//! change and one without. They are what-if runs: counterfactual simulation with common random numbers. Both arms share every random number
//! that they draw for the same purpose, so what differs between them is the work of the change; without shared numbers they would drift
//! apart by luck at once. The changed arm becomes a run folder of its own, with the comparison as `divergence.json`; the parent folder
//! isn't touched. Runs whose memories are processes of their own are refused. `base` lives what both arms share, `change` checks the
//! change.

mod base;
mod change;

use crate::io::error::{Error, Result};
use crate::io::text::json_file;
use crate::run::connection::{Connection, Paused};
use crate::run::divergence::{BranchComparison, DivergenceReport, PairedSink};
use crate::run::drive::{DriverChoice, LivedWorld, RunControl, go_on_by};
use crate::run::foreign_memory::MemoryRecord;
use crate::run::history::take_turn;
use crate::run::laboratory::Laboratory;
use crate::run::lethe_start::LetheRecord;
use crate::run::provenance::{Changes, Parent, Turn};
use crate::run::run_folder::manifest::{Manifest, RunObservation};
use crate::run::run_folder::tables::Cast;
use crate::run::run_folder::{FinishedRun, RunFolder, Tables};
use base::{AtBranch, Base};
use change::ResolvedChange;
use morta_base::Tick;
use morta_engine::world::Scenario;
use std::path::Path;
use std::time::Instant;

/// The comparison's file in the branch's folder.
pub const DIVERGENCE: &str = "divergence.json";

/// A counterfactual as a user asks for it: the tick at which a run is forked, and the intervention there.
#[derive(Clone, Debug, Default)]
pub struct BranchRequest {
    /// First tick to be lived under the change; everything before is as it was.
    pub at: Tick,
    /// Ticks to live from there, at least 1; up to the run's end when none. May go beyond it.
    pub ticks: Option<Tick>,
    /// Keys that get another value, as `--set` has them.
    pub set: Vec<String>,
    /// Other changes; their list of keys is made from `set`.
    pub changes: Changes,
    /// Whether calls of a real model that the run's cassette lacks are made, and recorded; otherwise the first of them ends the branch,
    /// because calls cost money.
    pub record: bool,
}

/// A counterfactual that was checked and can be lived: a fork of a run with one intervention.
pub struct Branch<'a> {
    parent: &'a FinishedRun,
    base: Base<'a>,
    at: Tick,
    changed: ResolvedChange,
    record: bool,
    started_at: String,
    begun: Instant,
}

/// The result of a counterfactual that was lived: the divergence report, and the manifest of its folder.
#[derive(Debug)]
pub struct Branched {
    /// The differences between the arms.
    pub report: DivergenceReport,
    /// The manifest of the branch's folder.
    pub manifest: Manifest,
}

impl<'a> Branch<'a> {
    /// Checks a request for a counterfactual against a run; nothing is lived yet. The run's golems may have any memory architecture of a
    /// laboratory, and a golem may get any.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each mistake, when the run has no such tick, can't be changed like that, or its data are not
    /// what they were.
    pub fn prepare(parent: &'a FinishedRun, request: BranchRequest, laboratory: &Laboratory) -> Result<Self> {
        let (begun, started_at) = (Instant::now(), jiff::Timestamp::now().to_string());
        let (at, record) = (request.at, request.record);
        let until = horizon(parent, at, request.ticks)?;
        refuse_processes(parent)?;
        let base = Base::prepare(parent, at, until, laboratory)?;
        let changed = change::resolve(base.history.plan(), request, parent, laboratory)?;
        Ok(Self { parent, base, at, changed, record, started_at, begun })
    }

    /// The scenario with the intervention; its length in ticks is that of the branch.
    pub fn scenario(&self) -> &Scenario {
        self.changed.plan.scenario()
    }

    /// Lives both arms, and writes the one under the change and the comparison into a folder, which must not hold anything yet.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the folder or the change can't be used, and then the folder is as it was; [`Error::Stopped`] when
    /// it was stopped; others when it fails underway or what is lived isn't what was recorded.
    pub fn live(self, dir: &Path, driver: DriverChoice, control: RunControl<'_>) -> Result<Branched> {
        let scenario = self.scenario().clone();
        let was_there = dir.exists();
        let folder = RunFolder::create(dir)?;
        let stopped = || Error::stopped(format!("stopped before its end: {} holds no branch", dir.display()));
        let recording = (self.parent, self.record);
        let connection = Connection::of_branch(&self.changed.loaded, recording, folder.dir(), control.stop());
        let connection = match connection {
            Ok(connection) => connection,
            Err(error) => {
                clear(dir, was_there)?;
                return Err(error);
            }
        };
        let tables = Tables::create(&folder, &scenario)?;
        let at_branch = self.base.live_to_branch(tables, control)?.ok_or_else(stopped)?;
        let AtBranch { mut world, golem_ticks, tables, control: unchanged, checkpoint, unused_checkpoint } =
            at_branch;
        let ResolvedChange { loaded, plan, changes } = self.changed;
        let plan = connection.connect(plan);
        if let Err(error) = take_turn(&mut world, plan, &changes) {
            drop(tables);
            clear(dir, was_there)?;
            return Err(error.into());
        }
        let comparison = BranchComparison::new(Cast::from_scenario(&scenario), world.plan().lineages());
        let driver = driver.driver(world.plan(), true);
        let sink = PairedSink::new(tables, unchanged, comparison, self.at);
        let lived = go_on_by(world, golem_ticks, driver, sink, control);
        let paused = Some(Paused::ForGood(folder.dir()));
        let LivedWorld { ended, sink, .. } = lived.map_err(|error| connection.explain(error, paused))?;
        if ended.interrupted {
            return Err(stopped());
        }
        let (tables, unchanged, comparison) = sink.finish()?;
        self.base.check(&unchanged)?;
        let tables = tables.finish()?;
        let start = &self.base.history.start;
        start.copy_to(&folder.lethe_under_way(), &scenario)?;
        let content = folder.keep_lethe()?;
        let (parting, lineages, sum, series) = comparison.finish();
        let report = DivergenceReport {
            parent: self.parent.dir().to_owned(),
            at: self.at,
            until: ended.ticks,
            lived_from: checkpoint.unwrap_or(0),
            unused_checkpoint,
            changes: changes.clone(),
            control: unchanged.name().to_owned(),
            control_digest: unchanged.digest(),
            branch_digest: tables.digest.clone(),
            parting,
            lineages,
            sum,
            series,
        };
        folder.write_whole(DIVERGENCE, json_file(&report)?.as_bytes())?;
        let origin = (loaded.data, LetheRecord { content, ..start.record(&scenario) });
        let observed = RunObservation::new(driver, self.started_at, self.begun.elapsed().as_secs_f64());
        let manifest = Manifest {
            cassette: connection.keep(&folder, true)?,
            branch: turns(self.parent, self.at, changes),
            ..Manifest::from_run(scenario, &ended, &tables, origin, observed)
        };
        folder.complete(&manifest)?;
        Ok(Branched { report, manifest })
    }
}

/// Refuses runs with memories of processes: a recording has their answers in the run, and none under a change.
fn refuse_processes(parent: &FinishedRun) -> Result<()> {
    let line = |record: &MemoryRecord| {
        format!(
            "{}: its golems remember with `{}`, a memory in a process of its own: such runs can't be branched yet; run the scenario \
             again with the change",
            parent.dir().display(),
            record.memory
        )
    };
    match parent.manifest.memories.first() {
        None => Ok(()),
        Some(record) => Err(Error::invalid(line(record))),
    }
}

/// The tick at which both arms end.
fn horizon(parent: &FinishedRun, at: Tick, ticks: Option<Tick>) -> Result<Tick> {
    let manifest = &parent.manifest;
    let refuse = |why: String| Err(Error::invalid(format!("--at {at}: {why}")));
    if at >= manifest.ticks {
        return match manifest.ticks.checked_sub(1) {
            Some(last) => refuse(format!("the run has no such tick: its last is {last}")),
            None => refuse("the run was stopped before its first tick".to_owned()),
        };
    }
    if let Some(turn) = manifest.branch.last().filter(|turn| at < turn.tick) {
        return refuse(format!(
            "this run is itself a branch of {} from tick {} on: branch it there or later, or branch that run",
            turn.parent.path.display(),
            turn.tick
        ));
    }
    // A run that was interrupted is recorded up to its last tick; one whose golems died out could have gone on.
    let end = if manifest.interrupted { manifest.ticks } else { manifest.scenario.ticks };
    Ok(ticks.map_or(end, |ticks| at.saturating_add(ticks)))
}

/// The history of the branch: the parent's turns, and this one.
fn turns(parent: &FinishedRun, tick: Tick, changes: Changes) -> Vec<Turn> {
    let manifest = &parent.manifest;
    let own = Turn {
        parent: Parent { path: parent.dir().to_owned(), digest: manifest.digest.clone() },
        tick,
        changes,
        from: manifest.scenario.clone(),
    };
    manifest.branch.iter().cloned().chain([own]).collect()
}

/// Removes the files of a branch whose connection or change was refused, and its folder unless that was there before (rollback).
fn clear(dir: &Path, keep_folder: bool) -> Result<()> {
    std::fs::remove_dir_all(dir)?;
    if keep_folder {
        std::fs::create_dir(dir)?;
    }
    Ok(())
}
