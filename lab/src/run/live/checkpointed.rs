//! Runs with checkpoints (`--checkpoint-every`; without it `morta run` makes one every 50 ticks where a real model is asked, unless the run
//! is steered, has `--threads` or shares a Lethe): begun, and resumed after a crash or an interrupt (checkpoint/restart). A resumed run
//! leaves the same bytes as one that was never interrupted; a crash costs one interval of ticks at most. The plain loop lives them. Refused
//! are a Lethe shared with other runs, an owner's directives and memory processes without `save`, because a checkpoint can't hold these;
//! and resuming with changed data or another build.

use super::{Checkpoints, Origin, RunSummary, complete};
use crate::io::error::{At as _, Error, Result};
use crate::run::checkpoint::{self, Checkpoint, CheckpointState, EventLog, Undertaking};
use crate::run::connection::{Connection, Paused};
use crate::run::drive::{Driver, RunControl, go_on, write};
use crate::run::foreign_memory::MemoryProcesses;
use crate::run::laboratory::Laboratory;
use crate::run::lethe_start::LetheStart;
use crate::run::provenance::Build;
use crate::run::run_folder::{RunFolder, Tables};
use crate::run::scenario_file::{Library, differences, from_resolved};
use morta_actors::{EventSink, WriteError};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::market::{AssetSource, Bar};
use morta_engine::world::{Plan, Scenario, World};
use std::path::Path;

/// The sink of a run with checkpoints: its tables, and the log from which the tables can be made again.
struct Kept {
    processes: MemoryProcesses,
    tables: Tables,
    log: EventLog,
}

impl EventSink for Kept {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.processes.check()?;
        self.log.append(events)?;
        self.tables.take(events)
    }
}

/// A run with checkpoints, ready to go on.
struct UnderWay<'a> {
    folder: &'a RunFolder,
    checkpoint: Checkpoint,
    undertaking: Undertaking,
    origin: Origin,
}

/// Begins a run.
pub(super) fn begin(
    folder: &RunFolder,
    (plan, bars): (Plan, Vec<Vec<Bar>>),
    Checkpoints { every, keep }: Checkpoints,
    origin: Origin,
    control: RunControl<'_>,
) -> Result<RunSummary> {
    let scenario = plan.scenario().clone();
    stands_alone(&scenario)?;
    if control.steering().is_some() {
        let why = "an owner's directives aren't in a checkpoint: give none, or live without checkpoints";
        return Err(Error::invalid(why));
    }
    origin.processes.demand_saving()?;
    let (data, started_at) = (origin.data.clone(), origin.started_at.clone());
    let undertaking = Undertaking { scenario, data, build: Build::this(), started_at, every, keep };
    let checkpoint = Checkpoint::begin(folder.dir(), &undertaking)?;
    origin.processes.record_into(folder.dir())?;
    let tables = Tables::create(folder, &undertaking.scenario)?;
    let sink = Kept { processes: origin.processes.clone(), tables, log: checkpoint.log() };
    UnderWay { folder, checkpoint, undertaking, origin }.go_on(World::new(plan, bars), sink, 0, control)
}

/// A checkpoint holds the whole world, its Lethe included. A Lethe in another folder is refused, because going back to a checkpoint
/// couldn't undo what was written there.
fn stands_alone(scenario: &Scenario) -> Result<()> {
    let used = [("start_from", &scenario.lethe.start_from), ("persist", &scenario.lethe.persist)];
    match used.into_iter().find(|(_, folder)| folder.is_some()) {
        None => Ok(()),
        Some((key, _)) => Err(Error::invalid(format!(
            "--checkpoint-every: lethe.{key} is set, and a run that shares a Lethe with others can't be resumed: leave one of the \
             two out"
        ))),
    }
}

/// The options that a resumed run may change: checkpoint interval, endpoint URL, expected scenario.
#[derive(Clone, Debug, Default)]
pub struct ResumeOptions {
    /// Ticks between checkpoints.
    pub every: Option<Tick>,
    /// Address of a real model, in place of `llm.endpoint.base_url`: a server may have moved since the run was begun.
    pub endpoint: Option<String>,
    /// The scenario that the caller expects; a run of another one is refused. None accepts any.
    pub expected: Option<Scenario>,
}

/// Refuses a run of another scenario than expected. The path of a file of prices is no difference: its hash is compared by itself.
fn refuse_another(dir: &Path, then: &Scenario, expected: &Scenario) -> Result<()> {
    let mut then = then.clone();
    for (then, now) in then.market.assets.iter_mut().zip(&expected.market.assets) {
        if let (AssetSource::Replay(then), AssetSource::Replay(now)) = (&mut then.source, &now.source) {
            then.file.clone_from(&now.file);
        }
    }
    let mut found = Vec::new();
    let (then, now) = (serde_json::to_value(then)?, serde_json::to_value(expected)?);
    differences::differ("scenario", &then, &now, &mut found);
    differences::refuse(dir, &found, "run")
}

/// Goes on with a run that was cut off, from its last checkpoint (resume from a checkpoint). Its golems may have any memory architecture of
/// a laboratory, whose processes take up again what those of the run have saved.
///
/// # Errors
/// [`Error::Invalid`] when the folder holds no such run, its data or the program are not what they were, or the laboratory lacks an
/// architecture that it names; [`Error::Stopped`] when
/// it was stopped again; others when it fails underway.
pub fn resume(
    dir: &Path,
    options: ResumeOptions,
    control: RunControl<'_>,
    laboratory: &Laboratory,
) -> Result<RunSummary> {
    let ResumeOptions { every, endpoint, expected } = options;
    let processes = laboratory.processes().clone();
    // Checked before the lock, which would leave its file in a folder that holds no such run.
    Checkpoint::find(dir)?;
    let folder = RunFolder::reopen(dir)?;
    let (checkpoint, mut undertaking) = Checkpoint::find(dir)?;
    undertaking.every = every.unwrap_or(undertaking.every);
    if let Some(expected) = expected {
        refuse_another(dir, &undertaking.scenario, &expected)?;
        undertaking.scenario = expected;
    }
    let mut library = Library::of_folder(dir, laboratory);
    let mut loaded = from_resolved(undertaking.scenario.clone(), Path::new(""), &mut library)?;
    if let Some(url) = endpoint {
        loaded.scenario.llm.endpoint.base_url = url;
    }
    for (then, now) in undertaking.data.iter().zip(&loaded.data) {
        if then.blake3 != now.blake3 {
            return Err(Error::at(
                dir,
                format!(
                    "the data file {} has changed since the run was begun: put it back, or run again",
                    now.path.display()
                ),
            ));
        }
    }
    folder.clear_unfinished()?;
    let connection = Connection::open(&loaded, Some(dir), control.stop())?;
    let plan = connection.connect(loaded.plan()?);
    processes.demand_saving()?;
    processes.record_into(dir)?;
    let tables = Tables::create(&folder, plan.scenario())?;
    let mut sink = Kept { processes: processes.clone(), tables, log: checkpoint.log() };
    let (world, lived) = match checkpoint::read(&checkpoint.state_path())? {
        None => {
            sink.log.replay(0, |_| Ok(()))?;
            (World::new(plan, loaded.bars), 0)
        }
        Some((state, snapshot)) => {
            let tables = &mut sink.tables;
            sink.log.replay(state.intervals, |events| write(tables, events))?;
            let world = World::resume(plan, loaded.bars, snapshot).at(dir)?;
            (world, state.golem_ticks)
        }
    };
    let lethe = LetheStart::for_scenario(&undertaking.scenario)?.record(&undertaking.scenario);
    let (data, driver, started_at) = (loaded.data, Driver::PlainLoop, undertaking.started_at.clone());
    let origin = Origin { data, lethe, driver, started_at, connection, processes, directives_given: 0 };
    UnderWay { folder: &folder, checkpoint, undertaking, origin }.go_on(world, sink, lived, control)
}

impl UnderWay<'_> {
    fn go_on(
        self,
        world: World,
        sink: Kept,
        lived_so_far: u64,
        control: RunControl<'_>,
    ) -> Result<RunSummary> {
        let (every, path) = (self.undertaking.every, self.checkpoint.state_path());
        let Origin { connection, processes, .. } = &self.origin;
        let is_sound = || processes.check().and_then(|()| control.check_soundness());
        let keep = |world: &World, golem_ticks: u64, sink: &mut Kept| {
            // Before the end of the interval: otherwise the log would have an interval that the state doesn't count.
            is_sound()?;
            let intervals = sink.log.end_interval()?;
            checkpoint::write(&path, CheckpointState { intervals, golem_ticks }, world, is_sound)
        };
        let at_barrier = |world: &World, golem_ticks: u64, sink: &mut Kept| {
            if !world.tick().is_multiple_of(every) {
                return Ok(());
            }
            keep(world, golem_ticks, sink)?;
            if self.undertaking.keep {
                checkpoint::keep_copy(&path, self.folder.dir(), world.tick())
            } else {
                Ok(())
            }
        };
        let lived = go_on(world, sink, lived_so_far, control, at_barrier);
        let paused = Paused::Resumable(self.folder.dir());
        let explained = |error| processes.explain(connection.explain(error, Some(paused)));
        let (world, mut lived) = lived.map_err(explained)?;
        processes.check()?;
        if lived.ended.interrupted {
            keep(&world, lived.ended.golem_ticks, &mut lived.sink)?;
            let (dir, tick) = (self.folder.dir().display(), world.tick());
            return Err(Error::stopped(format!(
                "stopped before tick {tick}: go on with `morta run --resume {dir}`"
            )));
        }
        let last = world.finish();
        control.tell(&last);
        write(&mut lived.sink.tables, &last)?;
        let Self { folder, checkpoint, undertaking, origin } = self;
        let summary =
            complete(Some(folder), undertaking.scenario, lived, |kept: Kept| kept.tables.finish(), origin)?;
        checkpoint.discard()?;
        Ok(summary)
    }
}
