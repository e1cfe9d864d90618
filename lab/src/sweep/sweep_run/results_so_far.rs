//! `results.csv` while a sweep goes on, so that early worlds can be compared while later ones run. It is incremental output,
//! throttled to once in five seconds or more, and written only when a cell ends. At the end the file is written anew with the other tables.
//! A unit of work on another machine writes none.

use crate::io::error::Result;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{SweepFolder, tables};
use std::time::{Duration, Instant};

/// Least time between two writings. Our choice: a person who reloads the file sees it move, and a disk isn't kept busy.
const WRITE_EVERY: Duration = Duration::from_secs(5);
/// A writing waits for this many times as long as the last one took, so that they cost at most five percent of a core.
const WRITE_SHARE: u32 = 20;

/// Writes the results so far now and then (throttled writer of partial results).
pub(super) struct ResultsSoFar {
    last: Instant,
    pause: Duration,
}

impl ResultsSoFar {
    pub(super) fn start() -> Self {
        Self { last: Instant::now(), pause: WRITE_EVERY }
    }

    /// Writes them if it is time; `ended` says of each cell whether it has.
    pub(super) fn write(&mut self, folder: &SweepFolder, sweep: &Sweep, ended: &[bool]) -> Result<()> {
        if self.last.elapsed() < self.pause {
            return Ok(());
        }
        let begun = Instant::now();
        tables::write_results_so_far(folder, sweep, ended)?;
        self.last = Instant::now();
        self.pause = WRITE_EVERY.max(begun.elapsed() * WRITE_SHARE);
        Ok(())
    }
}
