//! Runs sweeps: every cell that hasn't ended is lived, tables are made from all of them, and the analysis is written. It is the
//! job scheduler of an experiment on one machine: resume, interim looks, tables, analysis. With registered looks (group sequential design)
//! no world beyond a look is begun before it is judged. A failed cell doesn't stop the others, because a night of results is worth more
//! than an early error; `fail_fast` reverses that. `morta sweep`, `morta sensitivity` and the Python package call it. `workers` lives cells
//! by `cell`, `answers` connects them to a real model, `plan` estimates their time, `results_so_far` writes `results.csv` meanwhile, and
//! `units` spreads a sweep over machines.

mod answers;
pub mod cell;
mod plan;
mod results_so_far;
pub mod units;
mod workers;

pub use answers::Answers;
pub use plan::{CellCost, PlannedArm, SweepPlan};

use crate::io::error::Result;
use crate::run::run_folder::WrittenTable;
use crate::sweep::analysis::contrast_table::write_contrasts;
use crate::sweep::analysis::sensitivity::table::write_sensitivity;
use crate::sweep::analysis::{Analysis, VerdictSoFar};
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{
    ANALYSIS, CellId, CellOutcome, CellRecord, Status, SweepFolder, SweepManifest, tables,
};
use results_so_far::ResultsSoFar;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use workers::{CellEnd, Work};

/// A progress observer of cells while they are lived. It is called from several threads, and makes no difference to results. Units of work,
/// repetitions of cells, runs of a replication, the fit of a constant policy and `--submit` (a unit counts as a cell there) report their
/// progress to one as well.
pub trait CellWatch: Sync {
    /// Cells begin to be lived; so many of them had ended before. With registered looks it is called for each, with the cells up to it.
    fn begun(&self, cells: u64, ended_before: u64);

    /// One more has ended, or failed.
    fn cell_ended(&self, failed: bool);

    /// A registered look, in words.
    fn looked(&self, _: &str) {}

    /// No more of these will be lived; with registered looks further ones may begin.
    fn over(&self);
}

/// The observer that does nothing.
struct Nobody;

impl CellWatch for Nobody {
    fn begun(&self, _: u64, _: u64) {}

    fn cell_ended(&self, _: bool) {}

    fn over(&self) {}
}

/// How a sweep is run (execution options): threads, resume, fail-fast, cancellation. None of it makes a difference to the result of a cell.
/// A unit of work takes them too, but for `resume` and `retry_failed`, which it has no use for.
#[derive(Clone, Copy)]
pub struct SweepOptions<'a> {
    /// Cells that are lived at once, each on a thread of its own; at least 1.
    pub jobs: usize,
    /// Whether to go on with a sweep that is in the folder already.
    pub resume: bool,
    /// Whether cells that failed before are lived again.
    pub retry_failed: bool,
    /// Whether the first cell that fails ends it.
    pub fail_fast: bool,
    /// Ends it when it is set; cells under way are abandoned.
    pub stop: &'a Arc<AtomicBool>,
    /// The observer.
    pub watch: &'a dyn CellWatch,
}

impl Default for SweepOptions<'_> {
    /// A new folder, as many cells at once as there are cores, without observer or stop.
    fn default() -> Self {
        static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let (resume, retry_failed, fail_fast) = (false, false, false);
        Self { jobs, resume, retry_failed, fail_fast, stop: &NEVER, watch: &Nobody }
    }
}

/// The result of running a sweep (experiment run summary): manifest, analysis, failures.
#[derive(Debug)]
pub struct SweepSummary {
    /// Its folder.
    pub dir: PathBuf,
    /// The manifest of the folder.
    pub manifest: SweepManifest,
    /// The analysis of all cells that have ended.
    pub analysis: Analysis,
    /// Cells that were lived now.
    pub ran: u64,
    /// A line for each cell that has failed, now or before.
    pub failures: Vec<String>,
    /// Whether `stop` was set, which `fail_fast` doesn't do; then [`SweepOptions::resume`] goes on with it.
    pub interrupted: bool,
}

impl SweepSummary {
    /// Whether every cell has ended, failed ones included.
    pub fn is_complete(&self) -> bool {
        self.manifest.status == Status::Complete
    }
}

impl Sweep {
    /// Lives every cell that hasn't ended in a folder, look by look (interim analysis), and writes the tables and the analysis of all that
    /// have.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::io::error::Error::Invalid) when the folder holds something else, or a sweep that isn't to be resumed or isn't
    /// this one; others when results can't be kept. A cell that fails is a row of the tables, not an error.
    pub fn run(&self, dir: &Path, options: SweepOptions<'_>) -> Result<SweepSummary> {
        let folder = SweepFolder::open(dir, self, options.resume)?;
        let answers = Answers::open(self, dir, options.stop)?;
        let (part, ran) = self.live_by_looks(&folder, &answers, &options)?;
        // The recording is kept also of a sweep that was stopped: its replies were paid for, and the next attempt needs none of them again.
        let recording = answers.keep(dir)?;
        let interrupted = options.stop.load(Ordering::Relaxed);
        part.write_up(folder, recording, ran, interrupted)
    }

    /// Lives the cells that are left, look by look where looks are registered. No world beyond a look is begun before it is judged, so that the result
    /// of a sweep doesn't depend on how many cells are lived at once. Returns the sweep as far as it came, and the cells that were lived.
    fn live_by_looks(
        &self,
        folder: &SweepFolder,
        answers: &Answers,
        options: &SweepOptions<'_>,
    ) -> Result<(Cow<'_, Self>, u64)> {
        let read = |id| folder.read(self, id);
        let (mut part, mut ran) = (self.as_far_as_its_looks(read), 0);
        loop {
            let mut cells = Cells::find(&part, folder, options.retry_failed);
            ran += cells.live(&part, folder, answers, options)?;
            let stopped = options.stop.load(Ordering::Relaxed);
            let look = if stopped || part.ends_at.is_none() { None } else { part.look_at(read) };
            let Some(look) = look else { return Ok((part, ran)) };
            options.watch.looked(&look.in_words());
            let next = self.looks().into_iter().find(|worlds| *worlds > look.worlds);
            match next.filter(|_| !look.is_decisive()) {
                Some(next) => part = Cow::Owned(self.up_to(next)),
                None => return Ok((part, ran)),
            }
        }
    }

    /// Writes the tables and the analysis of all cells that have ended, also of a sweep that was stopped. Everything is computed from the cells on the
    /// disk and never from those just lived, so that a resumed sweep has the bytes of one that ran through.
    fn write_up(
        &self,
        mut folder: SweepFolder,
        recording: Option<WrittenTable>,
        ran: u64,
        interrupted: bool,
    ) -> Result<SweepSummary> {
        let mut verdict = VerdictSoFar::new(self);
        let mut failures = Vec::new();
        folder.manifest.files = tables::write_all(&folder, self, |id, cell, place| {
            if let CellOutcome::Failed(error) = &cell.outcome {
                failures.push(format!("{}, seed {}: {error}", cell.arm, cell.seed));
            }
            verdict.take(place, id, cell)
        })?;
        let counts = verdict.counts;
        let analysis = verdict.analysis();
        folder.manifest.files.extend(write_contrasts(&folder, &analysis)?);
        folder.manifest.files.extend(write_sensitivity(&folder, &analysis)?);
        folder.files.write_whole(ANALYSIS, analysis.to_json()?.as_bytes())?;
        folder.manifest.files.extend(recording);
        folder.manifest.cells = counts;
        folder.manifest.ends_at = self.ends_at.filter(|end| *end < self.file.seeds.count);
        let complete = counts.done + counts.failed == counts.total;
        folder.manifest.status = if complete { Status::Complete } else { Status::Stopped };
        folder.write_manifest()?;
        let (dir, manifest) = (folder.dir().to_owned(), folder.manifest);
        Ok(SweepSummary { dir, manifest, analysis, ran, failures, interrupted })
    }
}

/// Which cells have ended, and which are left.
struct Cells {
    /// Whether each cell has ended, arm by arm.
    ended: Vec<bool>,
    /// Cells that are left, world by world: results of early worlds can be compared while later ones run.
    todo: Vec<CellId>,
}

impl Cells {
    fn find(sweep: &Sweep, folder: &SweepFolder, retry_failed: bool) -> Self {
        let has_ended = |id: CellId| {
            // A cell that can't be read is lived again: its world is a function of seed and scenario, so nothing is lost but time.
            let Ok(Some(place)) = folder.place(sweep, id) else { return false };
            let there = CellRecord::read(&place).filter(|cell| cell.is_intact(&place));
            there.is_some_and(|cell| !(retry_failed && matches!(cell.outcome, CellOutcome::Failed(_))))
        };
        let ended: Vec<bool> = sweep.cells().map(has_ended).collect();
        let left = sweep.cells().zip(&ended).filter(|(_, ended)| !**ended);
        let mut todo: Vec<CellId> = left.map(|(id, _)| id).collect();
        todo.sort_by_key(|id| (id.world, id.arm));
        Self { ended, todo }
    }

    /// Lives the cells that are left; returns how many have ended by that.
    fn live(
        &mut self,
        sweep: &Sweep,
        folder: &SweepFolder,
        answers: &Answers,
        options: &SweepOptions<'_>,
    ) -> Result<u64> {
        let Self { ended, todo } = self;
        let before = ended.iter().filter(|ended| **ended).count() as u64;
        options.watch.begun(ended.len() as u64, before);
        let mut ran = 0;
        let mut so_far = ResultsSoFar::start();
        let halt = AtomicBool::new(false);
        let fail_fast = options.fail_fast;
        let work = Work { sweep, room: &folder.room, answers, stop: options.stop, halt: &halt, fail_fast };
        let result = workers::live_all(&work, std::mem::take(todo), options.jobs, |CellEnd { id, error }| {
            ran += 1;
            ended[id.arm * sweep.worlds() as usize + id.world as usize] = true;
            options.watch.cell_ended(error.is_some());
            so_far.write(folder, sweep, ended)
        });
        options.watch.over();
        result.map(|()| ran)
    }
}
