//! Lives through cells on worker threads, each cell with the plain loop on one of them: cells are the parallelism.

use crate::lethe_start::LetheStart;
use crate::measure::Meter;
use crate::run_folder::manifest::{Build, Manifest, Observed, SCHEMA_VERSION, scenario_hash};
use crate::run_folder::tables::{Cast, LivesTable};
use crate::run_folder::{RunFolder, Tables};
use crate::sweep_file::{Arm, Sweep};
use crate::sweep_folder::cell::Done;
use crate::sweep_folder::{CellId, CellRecord, Outcome, SweepFolder};
use morta_actors::EventSink as _;
use morta_engine::event::Event;
use morta_engine::world::{Plan, World};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Instant;

/// What all workers share.
pub struct Work<'a> {
    /// The sweep.
    pub sweep: &'a Sweep,
    /// Its folder.
    pub folder: &'a SweepFolder,
    /// Set by Ctrl-C: cells under way are abandoned.
    pub stop: &'a AtomicBool,
    /// Set when something failed after which the others aren't wanted.
    pub halt: &'a AtomicBool,
    /// Whether the first failure sets it.
    pub fail_fast: bool,
}

impl Work<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.halt.load(Ordering::Relaxed)
    }
}

/// A cell that has ended.
#[derive(Clone, Debug)]
pub struct CellEnd {
    /// Which.
    pub id: CellId,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// Why a cell has no outcome, or a failed one.
enum Trouble {
    /// The cell itself failed.
    Cell(String),
    /// Its results can't be kept: the whole sweep ends.
    Disk(anyhow::Error),
    /// It was abandoned.
    Stopped,
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        Self::Disk(error)
    }
}

/// Lives through cells on `jobs` threads; `ended` is told of each on the calling thread.
///
/// # Errors
/// When results can't be kept; what `ended` returns.
pub fn live_all(
    work: &Work<'_>,
    todo: Vec<CellId>,
    jobs: usize,
    mut ended: impl FnMut(CellEnd) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let queue = Mutex::new(todo.into_iter());
    // A worker that has this many ends to tell waits: results are on the disk already, so nothing is lost.
    let (tell, told) = mpsc::sync_channel(2 * jobs);
    keep_panics_quiet();
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let (tell, queue) = (tell.clone(), &queue);
            let worker = std::thread::Builder::new().name(format!("{WORKER}{number}"));
            let worker = worker.spawn_scoped(scope, move || worker_loop(work, queue, &tell));
            worker.map_err(|error| anyhow::anyhow!("a thread can't be started: {error}"))?;
        }
        drop(tell);
        let mut result = Ok(());
        for end in told {
            let outcome = end.and_then(&mut ended);
            if outcome.is_err() && result.is_ok() {
                work.halt.store(true, Ordering::Relaxed);
                result = outcome;
            }
        }
        result
    })
}

fn worker_loop(
    work: &Work<'_>,
    queue: &Mutex<std::vec::IntoIter<CellId>>,
    tell: &mpsc::SyncSender<anyhow::Result<CellEnd>>,
) {
    while !work.is_over() {
        let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
        let Some(id) = next else { return };
        let Some(end) = live_one(work, id).transpose() else { return };
        if work.fail_fast && end.as_ref().is_ok_and(|end| end.error.is_some()) {
            work.halt.store(true, Ordering::Relaxed);
        }
        if tell.send(end).is_err() {
            return;
        }
    }
}

/// Lives through one cell and keeps what came of it; `None` when it was abandoned.
fn live_one(work: &Work<'_>, id: CellId) -> anyhow::Result<Option<CellEnd>> {
    let hash = work.folder.hash(work.sweep, id);
    let dir = work.folder.begin_cell(&hash)?;
    let begun = Instant::now();
    let lived = catch_unwind(AssertUnwindSafe(|| live(work, id, &dir)));
    let lived = lived.unwrap_or_else(|_| Err(Trouble::Cell(said_by_panic())));
    let outcome = match lived {
        Ok(done) => Outcome::Done(Box::new(done)),
        Err(Trouble::Cell(why)) => Outcome::Failed(why),
        Err(Trouble::Disk(error)) => return Err(error),
        Err(Trouble::Stopped) => {
            std::fs::remove_dir_all(&dir)?;
            return Ok(None);
        }
    };
    let error = match &outcome {
        Outcome::Failed(why) => {
            // What a failed cell has written so far is of no use to anybody.
            std::fs::remove_dir_all(&dir)?;
            std::fs::create_dir(&dir)?;
            Some(why.clone())
        }
        Outcome::Done(_) => None,
    };
    let record = CellRecord::new(work.sweep, id, hash, begun.elapsed().as_secs_f64(), outcome);
    work.folder.keep_cell(&dir, &record)?;
    Ok(Some(CellEnd { id, error }))
}

/// Where the events of a cell go.
struct Sink {
    meter: Meter,
    lives: LivesTable,
    run: Option<(RunFolder, Tables)>,
    golem_ticks: u64,
}

impl Sink {
    fn create(work: &Work<'_>, id: CellId, arm: &Arm, dir: &Path) -> anyhow::Result<Self> {
        let scenario = &arm.scenario;
        let file = &work.sweep.file;
        let meter = Meter::new(scenario, work.sweep.horizon_ticks(id.arm), file.series.bins);
        let lives = LivesTable::create(&RunFolder::unsynced(dir), Cast::of(scenario))?;
        let begin = || {
            let folder = RunFolder::create(&dir.join(RUN))?;
            let tables = Tables::create(&folder, scenario)?;
            anyhow::Ok((folder, tables))
        };
        let run = file.record.runs.then(begin).transpose()?;
        Ok(Self { meter, lives, run, golem_ticks: 0 })
    }

    fn take(&mut self, events: &[Event]) -> anyhow::Result<()> {
        for event in events {
            self.meter.take(event);
            self.lives.take(event)?;
        }
        if let Some((_, tables)) = &mut self.run {
            tables
                .take(events)
                .map_err(|error| anyhow::anyhow!("the events could not be written: {error}"))?;
        }
        Ok(())
    }
}

/// The folder of a whole run inside a cell's.
const RUN: &str = "run";

fn live(work: &Work<'_>, id: CellId, dir: &Path) -> Result<Done, Trouble> {
    let started_at = jiff::Timestamp::now().to_string();
    let begun = Instant::now();
    let arm = &work.sweep.arms[id.arm];
    let mut scenario = arm.scenario.clone();
    scenario.seed = work.sweep.seed(id);
    let plan = Plan::new(scenario, &arm.bars).map_err(|problems| {
        let lines = problems.iter().map(|p| format!("{} = {}: {}", p.key, p.value, p.remedy));
        Trouble::Cell(lines.collect::<Vec<_>>().join("; "))
    })?;
    let scenario = plan.scenario().clone();
    let mut sink = Sink::create(work, id, arm, dir)?;
    let mut world = World::new(plan, arm.bars.as_ref().clone());
    while world.goes_on() {
        if work.is_over() {
            return Err(Trouble::Stopped);
        }
        let lived = world.live().map_err(|error| Trouble::Cell(error.to_string()))?;
        sink.golem_ticks += lived.golems;
        sink.take(&lived.events)?;
    }
    sink.take(&world.finish())?;
    if !world.census().money_conserved() {
        return Err(Trouble::Cell("money was not conserved: please report".to_owned()));
    }
    let lives = sink.lives.finish()?;
    let done = Done::of(&sink.meter, world.tick(), sink.golem_ticks, lives);
    if let Some((folder, tables)) = sink.run {
        let tables = tables.finish()?;
        let wall_s = begun.elapsed().as_secs_f64();
        let build = Build::this();
        let observed = Observed { build, driver: "plain loop".to_owned(), threads: 1, started_at, wall_s };
        folder.complete(&Manifest {
            schema_version: SCHEMA_VERSION,
            name: scenario.name.clone(),
            scenario_blake3: scenario_hash(&scenario),
            seed: scenario.seed,
            ticks: done.ticks,
            interrupted: false,
            simulated_s: tables.totals.lived_s(scenario.market.tick_seconds),
            golem_ticks: done.golem_ticks,
            ledger_conserved: true,
            digest: tables.digest,
            files: tables.files,
            data: arm.data.clone(),
            lethe: Some(LetheStart::default().record(&scenario)),
            observed,
            scenario,
        })?;
    }
    Ok(done)
}

/// Names of worker threads begin with this.
const WORKER: &str = "cell-";

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic in a worker becomes the row of its cell instead of lines on the terminal.
fn keep_panics_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name().is_some_and(|name| name.starts_with(WORKER)) {
            let said = panic.payload_as_str().unwrap_or("it panicked");
            let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
            LAST_PANIC.with_borrow_mut(|last| *last = format!("panic: {said}{}", place.unwrap_or_default()));
        } else {
            usual(panic);
        }
    }));
}

fn said_by_panic() -> String {
    LAST_PANIC.with_borrow_mut(std::mem::take)
}
