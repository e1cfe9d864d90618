//! Lives through cells on worker threads, each cell with the plain loop on one of them. It is a thread pool over a shared queue of cells
//! (work queue). Cells are the parallelism, because threads within a small world would wait for each other. Results don't depend on the
//! number of threads: each cell is a function of its scenario, its seed and a real model's replies. Both a sweep on one machine and a unit
//! of work call it. The folder of an abandoned cell is removed here, that of a failed one emptied before its record is kept.

use super::Answers;
use super::cell::{WORKER, outcome_of, quiet_workers};
use crate::io::error::{Error, Result};
use crate::io::locked::locked;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellId, CellOutcome, CellRecord, CellRoom};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Instant;

/// State that all workers share (shared work queue context): sweep, output location, cancellation flags.
pub(super) struct Work<'a> {
    /// The sweep.
    pub sweep: &'a Sweep,
    /// Where its cells go.
    pub room: &'a CellRoom,
    /// The connection to a real model, or to a recording of one; simulated arms use neither.
    pub answers: &'a Answers,
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

/// A cell that has ended (finished cell), as it is sent over the channel.
#[derive(Clone, Debug)]
pub(crate) struct CellEnd {
    /// The arm and the world, by number.
    pub id: CellId,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// Lives through cells on `jobs` threads; `ended` is called for each on the calling thread (thread pool).
///
/// # Errors
/// When results can't be kept, a real model is gone or a thread can't be started; what `ended` returns.
pub(crate) fn live_all(
    work: &Work<'_>,
    todo: Vec<CellId>,
    jobs: usize,
    mut ended: impl FnMut(CellEnd) -> Result<()>,
) -> Result<()> {
    let queue = Mutex::new(todo.into_iter());
    // The channel is bounded: a worker waits when two ends for each job are unread. Results are on the disk already, so waiting loses nothing.
    let (tell, ends) = mpsc::sync_channel(2 * jobs);
    quiet_workers();
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let (tell, queue) = (tell.clone(), &queue);
            let worker = std::thread::Builder::new().name(format!("{WORKER}{number}"));
            let worker = worker.spawn_scoped(scope, move || worker_loop(work, queue, &tell));
            worker.map_err(|error| Error::failed(format!("a thread can't be started: {error}")))?;
        }
        drop(tell);
        let mut result = Ok(());
        for end in ends {
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
    tell: &mpsc::SyncSender<Result<CellEnd>>,
) {
    while !work.is_over() {
        let next = locked(queue).next();
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

/// Lives through one cell and keeps its outcome; `None` when it was abandoned.
fn live_one(work: &Work<'_>, id: CellId) -> Result<Option<CellEnd>> {
    let hash = work.room.hash(work.sweep, id);
    let dir = work.room.begin_cell(&hash)?;
    let begun = Instant::now();
    let Some(outcome) = outcome_of((work.sweep, work.answers), id, &dir, &|| work.is_over())? else {
        std::fs::remove_dir_all(&dir)?;
        return Ok(None);
    };
    let error = match &outcome {
        CellOutcome::Failed(why) => {
            // Tables of a cell that failed halfway would look like those of a whole one.
            std::fs::remove_dir_all(&dir)?;
            std::fs::create_dir(&dir)?;
            Some(why.clone())
        }
        CellOutcome::Done(_) => None,
    };
    let record = CellRecord::new(work.sweep, id, hash, begun.elapsed().as_secs_f64(), outcome);
    work.room.keep_cell(&dir, &record)?;
    Ok(Some(CellEnd { id, error }))
}
