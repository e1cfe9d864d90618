//! Lives through a scenario, and leaves a run folder behind if one is asked for. It is the entry point of a simulation run (`morta run`,
//! `morta watch` of a scenario, the Python package): the plan, the driver, recording, the manifest. `lethe.persist` adds to the Lethe that
//! it names, and a model is asked in the modes `live` and `record`. The manifest comes last, so that a folder with one holds a whole run. A
//! run without a folder has the same digest; it adds to no Lethe, and refuses `record`. Branches and repetitions (`Branch::live`, `repeat`)
//! and cells of sweeps don't pass through here; they begin their worlds themselves. But a viewer's branch of a scenario under way first
//! lives the ticks before it here, as a run of its own, because a branch needs a recorded run.

mod checkpointed;
mod need;
mod summary;

pub use checkpointed::{ResumeOptions, resume};
pub use need::MemoryNeed;
pub use summary::RunSummary;

use crate::io::error::{Error, Result};
use crate::run::connection::{Connection, Paused};
use crate::run::drive::{self, Driver, DriverChoice, LivedWorld, RunControl};
use crate::run::foreign_memory::{Guarded, MemoryProcesses};
use crate::run::lethe_start::{self, LetheRecord, LetheStart};
use crate::run::profile;
use crate::run::run_folder::manifest::{Manifest, RunObservation};
use crate::run::run_folder::tables::Gist;
use crate::run::run_folder::{RunFolder, Tables};
use crate::run::scenario_file::{DataFile, Scenario};
use checkpointed::Begun;
use morta_actors::LetheFiles;
use morta_base::Tick;
use morta_engine::world::{self, Plan};
use std::path::{Path, PathBuf};

/// How a scenario is lived (run options): recording or none, the driver, observers and cancellation. No option changes what happens, but
/// for an owner's directives ([`RunControl::steered_by`]).
#[derive(Clone, Default)]
pub struct RunOptions<'a> {
    /// The recording; none writes nothing.
    pub recording: Option<RecordingOptions>,
    /// The driver; a run with checkpoints uses the plain loop.
    pub driver: DriverChoice,
    /// Observers, and the flag that stops it.
    pub control: RunControl<'a>,
}

/// Which files a run writes: the output directory, a log file of bloodstains, and the interval of checkpoints.
#[derive(Clone, Debug)]
pub struct RecordingOptions {
    /// The folder; must not hold anything yet.
    pub folder: PathBuf,
    /// A file that gets a line for each bloodstain once it is safe on disk; refused with checkpoints.
    pub lethe_log: Option<PathBuf>,
    /// Whether the world is written down on the way.
    pub checkpoints: Option<Checkpoints>,
}

/// When the world is written down for a resumption after a crash or an interrupt (checkpoint interval).
#[derive(Clone, Copy, Debug)]
pub struct Checkpoints {
    /// Ticks between two of them, at least 1.
    pub every: Tick,
    /// Whether all of them outlive the run, so that branches need not live through it from its start.
    pub keep: bool,
}

impl RunOptions<'_> {
    /// Has everything written into an output directory, without checkpoints.
    pub fn into_folder(folder: impl Into<PathBuf>) -> Self {
        let recording = RecordingOptions { folder: folder.into(), lethe_log: None, checkpoints: None };
        Self { recording: Some(recording), ..Self::default() }
    }
}

/// Runs the simulation of a scenario from its first tick to its end.
///
/// # Errors
/// [`Error::Invalid`] when the scenario, its Lethe or the folder can't be used; [`Error::Stopped`] when a run with
/// checkpoints was stopped, which can be [resumed](resume); others when it fails underway. A run without checkpoints that is stopped is
/// complete up to there.
pub fn run(scenario: &Scenario, options: RunOptions<'_>) -> Result<RunSummary> {
    let planning = profile::phase!("loading").entered();
    let plan = scenario.plan()?;
    drop(planning);
    let start = LetheStart::for_scenario(plan.scenario());
    let start = start.map_err(|error| scenario.lethe_mistake("start_from", &error))?;
    let started_at = jiff::Timestamp::now().to_string();
    if options.control.is_stopped() {
        return Err(Error::stopped("stopped before its first tick: nothing was written"));
    }
    let control = options.control;
    let driver =
        DriverChoice { plain: options.driver.plain || control.steering().is_some(), ..options.driver };
    let Some(RecordingOptions { folder, lethe_log, checkpoints }) = options.recording else {
        let connection = Connection::open(scenario, None, control.stop())?;
        let plan = connection.connect(plan);
        return Ready { scenario, plan, connection, start, started_at, control }.unrecorded(driver);
    };
    if let (Some(log), Some(_)) = (&lethe_log, checkpoints) {
        let why = "a run with checkpoints has its bloodstains in them, and none is safe by itself: leave out the log or the checkpoints";
        return Err(Error::at(log, why));
    }
    let log = lethe_start::open_log(lethe_log.as_ref())?;
    let folder = RunFolder::create(&folder)?;
    let connection = match Connection::open(scenario, Some(folder.dir()), control.stop()) {
        Ok(connection) => connection,
        Err(error) => {
            // An empty folder would look like a run that was begun.
            folder.give_back_empty();
            return Err(error);
        }
    };
    let plan = connection.connect(plan);
    let ready = Ready { scenario, plan, connection, start, started_at, control };
    match checkpoints {
        None => ready.recorded(&folder, log, driver),
        Some(checkpoints) => ready.checkpointed(&folder, checkpoints),
    }
}

/// A run that has been planned.
struct Ready<'a> {
    scenario: &'a Scenario,
    plan: Plan,
    connection: Connection,
    start: LetheStart,
    started_at: String,
    control: RunControl<'a>,
}

impl Ready<'_> {
    fn unrecorded(self, choice: DriverChoice) -> Result<RunSummary> {
        let Self { scenario: loaded, plan, connection, start, started_at, control } = self;
        let scenario = plan.scenario().clone();
        let driver = choice.driver(&plan, false);
        let store = start.store(&scenario, LetheFiles { folder: None, persist: None, log: None })?;
        let lethe = (&start.ancestry.earlier_bloodstains, store);
        let sink = Guarded::new(Gist::from_scenario(&scenario), loaded.laboratory.processes());
        let lived = drive::live(plan, loaded.bars.clone(), driver, lethe, sink, control);
        let lived =
            lived.map_err(|error| loaded.laboratory.processes().explain(connection.explain(error, None)))?;
        let scenario = control.as_steered(scenario);
        loaded.laboratory.processes().check()?;
        let observed = RunObservation {
            directives_given: control.directives_given(),
            ..RunObservation::new(driver, started_at, lived.wall.as_secs_f64())
        };
        let origin = (loaded.data.clone(), start.record(&scenario));
        let gist = lived.sink.into_inner().finish();
        let manifest = Manifest::from_run(scenario, &lived.ended, &gist, origin, observed);
        let (calls, processes) = (connection.counters(), loaded.laboratory.processes().costs());
        Ok(RunSummary { dir: None, manifest, totals: gist.totals, calls, processes })
    }

    fn recorded(
        self,
        folder: &RunFolder,
        log: Option<std::fs::File>,
        choice: DriverChoice,
    ) -> Result<RunSummary> {
        let Self { scenario: loaded, plan, connection, start, started_at, control } = self;
        let scenario = plan.scenario().clone();
        let driver = choice.driver(&plan, true);
        let under_way = folder.lethe_under_way();
        let persist = scenario.lethe.persist.as_deref().map(Path::new);
        let files = LetheFiles { folder: Some(&under_way), persist, log };
        let store = start.store(&scenario, files).map_err(|error| loaded.lethe_mistake("persist", &error))?;
        let closing = store.closing();
        let processes = loaded.laboratory.processes();
        processes.record_into(folder.dir())?;
        let tables = Guarded::new(Tables::create(folder, &scenario)?, processes);
        let lethe = (&start.ancestry.earlier_bloodstains, store);
        let lived = drive::live(plan, loaded.bars.clone(), driver, lethe, tables, control);
        let paused = Some(Paused::ForGood(folder.dir()));
        let lived = lived.map_err(|error| processes.explain(connection.explain(error, paused)))?;
        processes.check()?;
        let lived = LivedWorld { ended: lived.ended, sink: lived.sink.into_inner(), wall: lived.wall };
        closing.close(lived.ended.ticks)?;
        let lethe = start.record(&scenario);
        let scenario = control.as_steered(scenario);
        let (data, processes) = (loaded.data.clone(), processes.clone());
        let directives_given = control.directives_given();
        let origin = Origin { data, lethe, driver, started_at, connection, processes, directives_given };
        complete(folder, scenario, lived, origin)
    }

    fn checkpointed(self, folder: &RunFolder, checkpoints: Checkpoints) -> Result<RunSummary> {
        let Self { scenario, plan, connection, start, started_at, control } = self;
        let lethe = start.record(plan.scenario());
        let (data, bars) = (scenario.data.clone(), scenario.bars.clone());
        let processes = scenario.laboratory.processes().clone();
        let begun = Begun { plan, bars, data, lethe, checkpoints, started_at, connection, processes };
        checkpointed::begin(folder, begun, control)
    }
}

/// The parts of a manifest besides the scenario and the results.
struct Origin {
    data: Vec<DataFile>,
    lethe: LetheRecord,
    driver: Driver,
    started_at: String,
    connection: Connection,
    processes: MemoryProcesses,
    directives_given: u64,
}

/// Closes the tables of a run that was lived through, and makes its folder a whole one.
fn complete(
    folder: &RunFolder,
    scenario: world::Scenario,
    lived: LivedWorld<Tables>,
    origin: Origin,
) -> Result<RunSummary> {
    let LivedWorld { ended, sink, wall } = lived;
    let tables = sink.finish()?;
    let lethe = LetheRecord { content: folder.keep_lethe()?, ..origin.lethe };
    let observed = RunObservation {
        directives_given: origin.directives_given,
        ..RunObservation::new(origin.driver, origin.started_at, wall.as_secs_f64())
    };
    let cassette = origin.connection.keep(folder, false)?;
    let memories = origin.processes.keep(|name, content| folder.write_whole(name, content))?;
    let made_of = (origin.data, lethe);
    let manifest =
        Manifest { cassette, memories, ..Manifest::from_run(scenario, &ended, &tables, made_of, observed) };
    folder.complete(&manifest)?;
    let (calls, processes) = (origin.connection.counters(), origin.processes.costs());
    let dir = Some(folder.dir().to_owned());
    Ok(RunSummary { dir, manifest, totals: tables.totals, calls, processes })
}
