//! Runs with checkpoints: begun, and resumed.

use super::Telling;
use crate::failure::UserError;
use crate::terminal::{INTERRUPTED, attended};
use morta_actors::{EventSink, WriteError};
use morta_engine::base::Tick;
use morta_engine::event::Event;
use morta_engine::world::{Plan, Scenario, World};
use morta_lab::checkpoint::{self, Checkpoint, EventLog, State, Undertaking};
use morta_lab::drive::{Driver, Lived, go_on, write};
use morta_lab::lethe_start::{LetheRecord, LetheStart};
use morta_lab::run_folder::manifest::Build;
use morta_lab::run_folder::{RunFolder, Tables};
use morta_lab::scenario_file::{DataFile, Loaded, from_resolved};
use std::path::Path;
use std::process::ExitCode;

/// Where the events of a run with checkpoints go: to the tables, and to the log the tables can be made from again.
struct Kept {
    tables: Tables,
    log: EventLog,
}

impl EventSink for Kept {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        self.log.append(events)?;
        self.tables.take(events)
    }
}

/// A run with checkpoints, ready to go on.
struct Journey<'a> {
    folder: &'a RunFolder,
    checkpoint: Checkpoint,
    undertaking: Undertaking,
    data: Vec<DataFile>,
    lethe: LetheRecord,
    telling: Telling,
}

/// Begins a run.
pub fn begin(
    folder: &RunFolder,
    loaded: Loaded,
    plan: Plan,
    start: &LetheStart,
    (every, keep): (Tick, bool),
    started_at: String,
    telling: Telling,
) -> anyhow::Result<ExitCode> {
    let scenario = plan.scenario().clone();
    stands_alone(&scenario)?;
    let undertaking =
        Undertaking { scenario, data: loaded.data.clone(), build: Build::this(), started_at, every, keep };
    let checkpoint = Checkpoint::begin(folder.dir(), &undertaking)?;
    let sink = Kept { tables: Tables::create(folder, &undertaking.scenario)?, log: checkpoint.log() };
    let lethe = start.record(&undertaking.scenario);
    let world = World::new(plan, loaded.bars);
    Journey { lethe, folder, checkpoint, undertaking, data: loaded.data, telling }.go(world, sink, 0)
}

/// A checkpoint holds the whole world, its Lethe included; what lies in another folder it can't take back.
fn stands_alone(scenario: &Scenario) -> anyhow::Result<()> {
    let used = [("start_from", &scenario.lethe.start_from), ("persist", &scenario.lethe.persist)];
    match used.into_iter().find(|(_, folder)| folder.is_some()) {
        None => Ok(()),
        Some((key, _)) => Err(UserError::new(format!(
            "--checkpoint-every: lethe.{key} is set, and a run that shares a Lethe with others can't be resumed: leave one of the \
             two out"
        ))),
    }
}

/// Goes on with a run that was cut off; `every` changes the interval from here on.
pub fn resume(dir: &Path, every: Option<Tick>, telling: Telling) -> anyhow::Result<ExitCode> {
    let (checkpoint, mut undertaking) = Checkpoint::find(dir)?;
    undertaking.every = every.unwrap_or(undertaking.every);
    let loaded = from_resolved(undertaking.scenario.clone(), Path::new(""))?;
    for (then, now) in undertaking.data.iter().zip(&loaded.data) {
        if then.blake3 != now.blake3 {
            return Err(UserError::new(format!(
                "{}: the data file {} has changed since the run was begun: put it back, or run again",
                dir.display(),
                now.path.display()
            )));
        }
    }
    let plan = loaded.plan()?;
    let folder = RunFolder::reopen(dir)?;
    let mut sink = Kept { tables: Tables::create(&folder, plan.scenario())?, log: checkpoint.log() };
    let (world, lived) = match checkpoint::read(&checkpoint.state_path())? {
        None => {
            sink.log.replay(0, |_| Ok(()))?;
            (World::new(plan, loaded.bars), 0)
        }
        Some((state, snapshot)) => {
            let tables = &mut sink.tables;
            sink.log.replay(state.intervals, |events| write(tables, events))?;
            let world = World::resume(plan, loaded.bars, snapshot)
                .map_err(|error| UserError::new(format!("{}: {error}", dir.display())))?;
            (world, state.golem_ticks)
        }
    };
    let lethe = LetheStart::of(&undertaking.scenario)?.record(&undertaking.scenario);
    Journey { lethe, folder: &folder, checkpoint, undertaking, data: loaded.data, telling }
        .go(world, sink, lived)
}

impl Journey<'_> {
    fn go(self, world: World, sink: Kept, lived_so_far: u64) -> anyhow::Result<ExitCode> {
        let (every, path) = (self.undertaking.every, self.checkpoint.state_path());
        let keep = |world: &World, golem_ticks: u64, sink: &mut Kept| {
            let intervals = sink.log.end_interval()?;
            checkpoint::write(&path, State { intervals, golem_ticks }, world)
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
        let (world, mut lived) =
            attended(self.telling.json, |control| go_on(world, sink, lived_so_far, control, at_barrier))?;
        if lived.ended.interrupted {
            keep(&world, lived.ended.golem_ticks, &mut lived.sink)?;
            let (dir, tick) = (self.folder.dir().display(), world.tick());
            eprintln!("stopped before tick {tick}: go on with `morta run --resume {dir}`");
            return Ok(ExitCode::from(INTERRUPTED as u8));
        }
        write(&mut lived.sink.tables, &world.finish())?;
        let lived = Lived { ended: lived.ended, sink: lived.sink.tables, wall: lived.wall };
        let how = (Driver::PlainLoop, self.undertaking.started_at);
        let code = super::complete(
            self.folder,
            self.undertaking.scenario,
            (self.data, self.lethe),
            lived,
            how,
            &self.telling,
        )?;
        self.checkpoint.discard()?;
        Ok(code)
    }
}
