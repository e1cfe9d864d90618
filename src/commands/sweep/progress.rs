//! The line of progress of a sweep, and the results so far.

use indicatif::{ProgressBar, ProgressStyle};
use morta_lab::sweep_file::Sweep;
use morta_lab::sweep_folder::{SweepFolder, tables};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A line on standard error; nothing when that isn't a terminal.
pub fn line(cells: u64, ended: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cells);
    let template = "{bar:30} {pos}/{len} cells  {msg}  {eta} left";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_position(ended);
    // Cells that ended before say nothing about the speed now.
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Least time between two writings of the results so far.
const WRITE_EVERY: Duration = Duration::from_secs(5);
/// A writing waits for this many times as long as the last one took, so that they cost at most five percent of a core.
const WRITE_SHARE: u32 = 20;

/// Writes the results so far now and then.
pub struct ResultsSoFar {
    last: Instant,
    pause: Duration,
}

impl ResultsSoFar {
    /// From now on.
    pub fn start() -> Self {
        Self { last: Instant::now(), pause: WRITE_EVERY }
    }

    /// Writes them if it is time; `ended` says of each cell whether it has.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn write(&mut self, folder: &SweepFolder, sweep: &Sweep, ended: &[bool]) -> morta_lab::Result<()> {
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
