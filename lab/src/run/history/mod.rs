//! The history of a run: the scenario it began with and every turn it took since, ready to be lived through again. It is event sourcing: a
//! run is determined by its seed, its scenario, its data and its turns, so a history replays to the same bytes under the same build.
//! Branches (`morta branch`, a viewer's) refuse changed data (`refuse_changed_data`), because the difference would look like one of the
//! change; repetitions (`morta reproduce`, `morta verify`, `morta watch RUN`) only report them. Branches of a branch are lived again turn
//! by turn from the start. Times are ticks. In repetitions a real model and memories of processes are played from the run's recordings;
//! runs with such memories can't be branched.

mod apply;

pub use apply::{TurnError, take_turn};

use crate::io::error::{Error, Result};
use crate::run::connection::Connection;
use crate::run::drive::{self, RunControl};
use crate::run::foreign_memory::MemoryProcesses;
use crate::run::laboratory::Laboratory;
use crate::run::lethe_start::{self, LetheStart};
use crate::run::provenance::{Changes, file_hash};
use crate::run::run_folder::FinishedRun;
use crate::run::scenario_file::{DataFile, Library, Scenario, demand_memories, from_resolved};
use morta_actors::EventSink;
use morta_base::Tick;
use morta_engine::market::Bar;
use morta_engine::world::{self, Plan, World};
use std::path::Path;

/// A history that can be lived: plans in the order of their ticks, the bars and the Lethe they share (timeline).
pub struct History {
    /// The plan up to the first turn.
    first: Plan,
    /// The tick of each turn, the plan from then on, and the bloodstains and memories that were changed there.
    turns: Vec<(Tick, Plan, Changes)>,
    /// The bars of each asset.
    pub bars: Vec<Vec<Bar>>,
    /// The files of prices.
    pub data: Vec<DataFile>,
    /// The Lethe it starts from.
    pub start: LetheStart,
    /// The memories that processes brought: their recordings are played.
    pub processes: MemoryProcesses,
}

impl History {
    /// Makes the history of a finished run for a deterministic replay, as if the run had been meant to last until a tick. Its golems may
    /// have any memory architecture of a laboratory; memories of processes are played from the run's recordings.
    ///
    /// # Errors
    /// [`Error::Invalid`] when its data or its copy of a Lethe can't be read, or the laboratory lacks an architecture that it names.
    pub(crate) fn from_run(run: &FinishedRun, until: Tick, laboratory: &Laboratory) -> Result<Self> {
        let manifest = &run.manifest;
        let laboratory =
            laboratory.with_processes(MemoryProcesses::of_run(run.dir(), &manifest.memories)?)?;
        let swapped = manifest.branch.iter().flat_map(|turn| turn.changes.swapped_memories.values());
        demand_memories(run.dir(), swapped, laboratory.memories())?;
        let mut library = Library::of_folder(run.dir(), &laboratory).finding_data(run.dir(), run.data());
        let connection = Connection::of_run(run)?;
        let mut read = |scenario: &world::Scenario| {
            let scenario = world::Scenario { ticks: until, ..scenario.clone() };
            let loaded = from_resolved(scenario, Path::new(""), &mut library)?;
            Result::<_>::Ok(loaded.answered_by(connection.outside()))
        };
        let turns = &manifest.branch;
        let after = turns.iter().skip(1).map(|turn| &turn.from).chain([&manifest.scenario]);
        let first: Scenario = read(turns.first().map_or(&manifest.scenario, |turn| &turn.from))?;
        let mut later = Vec::new();
        for (turn, scenario) in turns.iter().zip(after) {
            let loaded = read(scenario)?;
            later.push((turn.tick, plan_of(&loaded, &turn.changes)?, turn.changes.clone()));
        }
        let plan = first.plan()?;
        let start = match &manifest.lethe {
            Some(then) => {
                let lethe = run.lethe();
                LetheStart::again(plan.scenario(), then, &lethe)
                    .map_err(|error| lethe_start::folder_error(&lethe, &error))?
            }
            None => LetheStart::default(),
        };
        let processes = laboratory.processes().clone();
        Ok(Self { first: plan, turns: later, bars: first.bars, data: first.data, start, processes })
    }

    /// The plan after the last turn.
    pub fn plan(&self) -> &Plan {
        self.turns.last().map_or(&self.first, |(_, plan, _)| plan)
    }

    /// Lists the input files that have changed since the run was made: data files, the cassette and the copy of the Lethe. They are found
    /// by their checksum.
    pub fn changed_data(&self, run: &FinishedRun) -> Vec<String> {
        let differs = |(then, now): &(&DataFile, &DataFile)| then.blake3 != now.blake3;
        let pairs = run.manifest.data.iter().zip(&self.data).filter(differs);
        let mut changed: Vec<String> = pairs.map(|(then, _)| then.path.display().to_string()).collect();
        if let (Some(path), Some(then)) = (run.cassette(), &run.manifest.cassette)
            && file_hash(&path).ok().as_ref() != Some(&then.blake3)
        {
            changed.push(path.display().to_string());
        }
        let then = run.manifest.lethe.as_ref().and_then(|then| then.started_from.as_ref());
        if then.is_some_and(|then| then.blake3 != self.start.digest()) {
            changed.push(run.lethe().display().to_string());
        }
        changed
    }

    /// Makes the world before its first tick (initial state).
    pub fn begin(&self) -> World {
        let (plan, bars) = (self.first.clone(), self.bars.clone());
        World::begin(plan, bars, &self.start.ancestry.earlier_bloodstains, self.start.in_memory())
    }

    /// Lives on up to a tick (deterministic replay), taking the turns on the way, that of the tick itself included. Returns the number of
    /// golem steps.
    ///
    /// # Errors
    /// When a turn can't be taken, a shared service fails or events can't be written; `None` when it was stopped.
    pub(crate) fn live_to(
        &self,
        world: &mut World,
        until: Tick,
        sink: &mut impl EventSink,
        control: RunControl<'_>,
    ) -> Result<Option<u64>> {
        let mut golem_ticks = 0;
        for (tick, plan, changes) in self.turns.iter().filter(|(tick, ..)| *tick <= until) {
            let Some(lived) = drive::live_until(world, *tick, sink, control)? else { return Ok(None) };
            golem_ticks += lived;
            take_turn(world, plan.clone(), changes)?;
        }
        let lived = drive::live_until(world, until, sink, control)?;
        Ok(lived.map(|lived| golem_ticks + lived))
    }

    /// The tick of the last turn (intervention); 0 without one.
    pub(crate) fn last_turn(&self) -> Tick {
        self.turns.last().map_or(0, |(tick, ..)| *tick)
    }
}

/// The plan from a turn on: the scenario's, with the foreknowledge that swapped memories need of the bars
/// (simulation plan with an intervention).
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(crate) fn plan_of(loaded: &Scenario, changes: &Changes) -> Result<Plan> {
    let wrong = loaded.scenario.check_policy(changes.swapped_memories.values());
    if !wrong.is_empty() {
        return Err(wrong.into());
    }
    changes.swapped_memories.values().try_fold(loaded.plan()?, |plan, name| {
        let foreknowledge = plan.memories().foreknowledge(name);
        Ok(plan.knowing(foreknowledge, &loaded.bars)?)
    })
}

/// Refuses to go on with changed data: the run would differ from its record, and the difference would look like one of the change or the
/// build (checksum mismatch).
///
/// # Errors
/// [`Error::Invalid`], with a line for each file.
pub(crate) fn refuse_changed_data(run: &Path, changed: &[String]) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let line = |path: &String| {
        format!("{}: {path} has changed since the run: put it back, or run again", run.display())
    };
    Err(Error::all(changed.iter().map(line)))
}
