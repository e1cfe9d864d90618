//! One cell of a sweep, lived by the plain loop on the calling thread. Cells are the parallelism of a sweep: actors within a cell would
//! compete with other cells for the same cores, and pay for their messages. It is one job of an embarrassingly parallel workload. A panic,
//! an invalid scenario, a memory's process that fails, a call that a cassette lacks or money that isn't conserved is the outcome of the
//! cell, because a sweep must be able to end without it; a full disk or a real model that is gone ends the sweep. Workers of a sweep or of
//! a unit of work call it, and `morta reproduce` does to live a cell again. Events go to the meter and the table of lives, and with
//! `record.runs = true` also into a whole run folder.

use super::Answers;
use crate::io::error::{Error, Result};
use crate::run::connection::Connection;
use crate::run::drive::Driver;
use crate::run::lethe_start::{LetheRecord, LetheStart};
use crate::run::run_folder::manifest::{Manifest, RunObservation};
use crate::run::run_folder::tables::{Cast, LivesTable};
use crate::run::run_folder::{RunFolder, Tables};
use crate::sweep::measure::Meter;
use crate::sweep::sweep_file::{Arm, Sweep};
use crate::sweep::sweep_folder::cell::Done;
use crate::sweep::sweep_folder::{CellId, CellOutcome};
use morta_actors::{Ended, EventSink as _};
use morta_engine::event::Event;
use morta_engine::llm::outside::OutsideError;
use morta_engine::world::World;
use morta_engine::world::service::{ServiceError, ServiceFailure};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::Instant;

/// Why a cell has no outcome, or a failed one.
enum Trouble {
    /// The cell itself failed.
    Cell(String),
    /// Its results can't be kept, or a real model is gone: the whole sweep ends.
    Disk(crate::io::error::Error),
    /// It was abandoned.
    Stopped,
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Disk(error)
    }
}

/// Where the events of a cell go.
struct Sink {
    meter: Meter,
    lives: LivesTable,
    run: Option<(RunFolder, Tables)>,
    golem_ticks: u64,
}

impl Sink {
    fn create(sweep: &Sweep, id: CellId, arm: &Arm, dir: &Path) -> Result<Self> {
        let scenario = &arm.scenario;
        let file = &sweep.file;
        let meter = Meter::new(scenario, sweep.horizon_ticks(id.arm), file.series.bins);
        let lives = LivesTable::create(&RunFolder::unsynced(dir), Cast::from_scenario(scenario))?;
        let begin = || {
            let folder = RunFolder::create(&dir.join(RUN))?;
            let tables = Tables::create(&folder, scenario)?;
            crate::io::error::Result::<_>::Ok((folder, tables))
        };
        let run = file.record.runs.then(begin).transpose()?;
        Ok(Self { meter, lives, run, golem_ticks: 0 })
    }

    fn take(&mut self, events: &[Event]) -> Result<()> {
        for event in events {
            self.meter.take(event);
            self.lives.take(event)?;
        }
        if let Some((_, tables)) = &mut self.run {
            tables
                .take(events)
                .map_err(|error| Error::failed(format!("the events could not be written: {error}")))?;
        }
        Ok(())
    }
}

/// The folder of a whole run inside a cell's.
pub const RUN: &str = "run";

/// Lives through a cell and leaves its tables in a folder; once `is_over` returns true the cell is abandoned and has no outcome. To be
/// called on a worker ([`WORKER`]), whose panics become the failure of their cell (`catch_unwind`), after [`quiet_workers`], which keeps
/// their words: without it a failure has none. What an abandoned or failed cell has written stays in the folder, and is the caller's to
/// remove, because half a table looks like a whole one.
///
/// # Errors
/// When its tables can't be written, or a real model is gone.
pub(crate) fn outcome_of(
    sweep: (&Sweep, &Answers),
    id: CellId,
    dir: &Path,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<CellOutcome>> {
    let lived = catch_unwind(AssertUnwindSafe(|| live(sweep, id, dir, is_over)));
    match lived.unwrap_or_else(|_| Err(Trouble::Cell(said_by_panic()))) {
        Ok(done) => Ok(Some(CellOutcome::Done(Box::new(done)))),
        Err(Trouble::Cell(why)) => Ok(Some(CellOutcome::Failed(why))),
        Err(Trouble::Disk(error)) => Err(error),
        Err(Trouble::Stopped) => Ok(None),
    }
}

fn live(
    (sweep, answers): (&Sweep, &Answers),
    id: CellId,
    dir: &Path,
    is_over: &dyn Fn() -> bool,
) -> Result<Done, Trouble> {
    let started_at = jiff::Timestamp::now().to_string();
    let begun = Instant::now();
    let arm = &sweep.arms[id.arm];
    let connection = answers.of_arm(arm);
    // Cells live at once, and the process of a memory must get the calls of one world only.
    let laboratory = arm.laboratory.afresh();
    let plan = arm.plan(sweep.seed(id), &laboratory, &connection).map_err(|problems| {
        let lines = problems.iter().map(|p| format!("{} = {}: {}", p.key, p.value, p.remedy));
        Trouble::Cell(lines.collect::<Vec<_>>().join("; "))
    })?;
    let scenario = plan.scenario().clone();
    let start =
        LetheStart::from_content(&scenario, Arc::clone(&arm.lethe)).map_err(crate::io::error::Error::from)?;
    let mut sink = Sink::create(sweep, id, arm, dir)?;
    let earlier_bloodstains = &start.ancestry.earlier_bloodstains;
    let mut world = World::begin(plan, arm.bars.as_ref().clone(), earlier_bloodstains, start.in_memory());
    while world.goes_on() {
        if is_over() {
            return Err(Trouble::Stopped);
        }
        let lived = world.live().map_err(|error| trouble(error, &connection))?;
        laboratory.processes().check().map_err(|error| match error {
            crate::io::error::Error::Stopped(_) => Trouble::Stopped,
            error => Trouble::Cell(error.to_string()),
        })?;
        sink.golem_ticks += lived.golems;
        sink.take(&lived.events)?;
    }
    // Memories of a program that is stopping get no more calls, so the last tick may differ from that of an undisturbed world.
    if is_over() {
        return Err(Trouble::Stopped);
    }
    sink.take(&world.finish())?;
    if !world.census().money_conserved() {
        return Err(Trouble::Cell("money was not conserved: please report".to_owned()));
    }
    let lives = sink.lives.finish()?;
    let done = Done::from_meter(&sink.meter, world.tick(), sink.golem_ticks, lives);
    if let Some((folder, tables)) = sink.run {
        let tables = tables.finish()?;
        start.copy_to(&folder.lethe_under_way(), &scenario).map_err(crate::io::error::Error::from)?;
        let content = folder.keep_lethe()?;
        let observed = RunObservation::new(Driver::PlainLoop, started_at, begun.elapsed().as_secs_f64());
        let ended = Ended {
            ticks: done.ticks,
            golem_ticks: done.golem_ticks,
            ledger_conserved: true,
            interrupted: false,
        };
        let origin = (arm.data.clone(), LetheRecord { content, ..start.record(&scenario) });
        // A recording belongs to all cells, so it is kept in the sweep's folder.
        let cassette = match &connection {
            Connection::Live(_) => None,
            Connection::Simulated | Connection::Player(_) => connection.keep(&folder, false)?,
        };
        let manifest =
            Manifest { cassette, ..Manifest::from_run(scenario, &ended, &tables, origin, observed) };
        folder.complete(&manifest)?;
    }
    Ok(done)
}

/// A model that is gone is no failure of the cell: the sweep ends and can be resumed. As a failed cell it would be a row of the tables.
fn trouble(error: ServiceError, connection: &Connection) -> Trouble {
    if let (Connection::Live(_), ServiceFailure::Outside(why)) = (connection, &error.cause) {
        return match why {
            OutsideError::Stopped => Trouble::Stopped,
            gone => Trouble::Disk(crate::io::error::Error::failed(format!(
                "paused, a cell at tick {}: {gone}: nothing is lost, go on with --resume",
                error.tick
            ))),
        };
    }
    Trouble::Cell(error.to_string())
}

/// Names of worker threads begin with this, those of `morta reproduce` among them.
pub(crate) const WORKER: &str = "cell-";

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic in a worker becomes the failure of its cell (panic hook). Nothing is printed, because thousands of cells may fail by
/// one mistake. The hook is installed once in a process: in one that lives many sweeps, each would otherwise wrap the one before.
pub(crate) fn quiet_workers() {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name().is_some_and(|name| name.starts_with(WORKER)) {
                let said = panic.payload_as_str().unwrap_or("it panicked");
                let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
                LAST_PANIC
                    .with_borrow_mut(|last| *last = format!("panic: {said}{}", place.unwrap_or_default()));
            } else {
                usual(panic);
            }
        }));
    });
}

fn said_by_panic() -> String {
    LAST_PANIC.with_borrow_mut(std::mem::take)
}
