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
use crate::run::run_folder::{RunFolder, Tables, TablesSummary};
use crate::run::scenario_file::{DataFile, Scenario};
use morta_actors::{EventSink, LetheFiles, SledStore};
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
    /// Lives it to its end: what it left, its scenario as it was steered, and where it came from.
    fn lived<S: EventSink>(
        self,
        driver: Driver,
        store: SledStore,
        sink: S,
        paused: Option<Paused<'_>>,
    ) -> Result<(LivedWorld<S>, world::Scenario, Origin)> {
        let Self { scenario: loaded, plan, connection, start, started_at, control } = self;
        let scenario = plan.scenario().clone();
        let processes = loaded.laboratory.processes().clone();
        let lethe = (&start.ancestry.earlier_bloodstains, store);
        let sink = Guarded::new(sink, &processes);
        let lived = drive::live(plan, loaded.bars.clone(), driver, lethe, sink, control);
        let LivedWorld { ended, sink, wall } =
            lived.map_err(|error| processes.explain(connection.explain(error, paused)))?;
        processes.check()?;
        let lived = LivedWorld { ended, sink: sink.into_inner(), wall };
        let (data, lethe) = (loaded.data.clone(), start.record(&scenario));
        let directives_given = control.directives_given();
        let origin = Origin { data, lethe, driver, started_at, connection, processes, directives_given };
        Ok((lived, control.as_steered(scenario), origin))
    }

    fn unrecorded(self, choice: DriverChoice) -> Result<RunSummary> {
        let driver = choice.driver(&self.plan, false);
        let store = self.start.store(self.plan.scenario(), LetheFiles::default())?;
        let gist = Gist::from_scenario(self.plan.scenario());
        let (lived, scenario, origin) = self.lived(driver, store, gist, None)?;
        complete(None, scenario, lived, |gist| Ok(gist.finish()), origin)
    }

    fn recorded(
        self,
        folder: &RunFolder,
        log: Option<std::fs::File>,
        choice: DriverChoice,
    ) -> Result<RunSummary> {
        let scenario = self.plan.scenario();
        let driver = choice.driver(&self.plan, true);
        let under_way = folder.lethe_under_way();
        let persist = scenario.lethe.persist.as_deref().map(Path::new);
        let files = LetheFiles { folder: Some(&under_way), persist, log };
        let store = self.start.store(scenario, files);
        let store = store.map_err(|error| self.scenario.lethe_mistake("persist", &error))?;
        let closing = store.closing();
        self.scenario.laboratory.processes().record_into(folder.dir())?;
        let tables = Tables::create(folder, scenario)?;
        let paused = Some(Paused::ForGood(folder.dir()));
        let (lived, scenario, origin) = self.lived(driver, store, tables, paused)?;
        closing.close(lived.ended.ticks)?;
        complete(Some(folder), scenario, lived, Tables::finish, origin)
    }

    fn checkpointed(self, folder: &RunFolder, checkpoints: Checkpoints) -> Result<RunSummary> {
        let Self { scenario, plan, connection, start, started_at, control } = self;
        let (data, lethe) = (scenario.data.clone(), start.record(plan.scenario()));
        let (driver, processes) = (Driver::PlainLoop, scenario.laboratory.processes().clone());
        let origin = Origin { data, lethe, driver, started_at, connection, processes, directives_given: 0 };
        checkpointed::begin(folder, (plan, scenario.bars.clone()), checkpoints, origin, control)
    }
}

/// Where a run comes from: the parts of its manifest besides the scenario and the results.
struct Origin {
    data: Vec<DataFile>,
    lethe: LetheRecord,
    driver: Driver,
    started_at: String,
    connection: Connection,
    processes: MemoryProcesses,
    directives_given: u64,
}

/// Closes the tables of a run that was lived through, and makes its folder, if it has one, a whole one.
fn complete<S>(
    folder: Option<&RunFolder>,
    scenario: world::Scenario,
    lived: LivedWorld<S>,
    finish: impl FnOnce(S) -> Result<TablesSummary>,
    origin: Origin,
) -> Result<RunSummary> {
    let LivedWorld { ended, sink, wall } = lived;
    let tables = finish(sink)?;
    let Origin { data, mut lethe, driver, started_at, connection, processes, directives_given } = origin;
    let (mut cassette, mut memories) = (None, Vec::new());
    if let Some(folder) = folder {
        lethe.content = folder.keep_lethe()?;
        cassette = connection.keep(folder, false)?;
        memories = processes.keep(|name, content| folder.write_whole(name, content))?;
    }
    let observed =
        RunObservation { directives_given, ..RunObservation::new(driver, started_at, wall.as_secs_f64()) };
    let manifest = Manifest::from_run(scenario, &ended, &tables, (data, lethe), observed);
    let manifest = Manifest { cassette, memories, ..manifest };
    folder.map_or(Ok(()), |folder| folder.complete(&manifest))?;
    let (calls, processes) = (connection.counters(), processes.costs());
    let dir = folder.map(|folder| folder.dir().to_owned());
    Ok(RunSummary { dir, manifest, totals: tables.totals, calls, processes })
}
