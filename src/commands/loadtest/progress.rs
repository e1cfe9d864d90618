//! The progress bar of a load test on standard error: a bar of the time of the whole test, the present rate and the time left (ETA),
//! redrawn four times a second. Nothing is drawn with `--json`, in simulated time or off a terminal. Its thread reads nothing but the
//! clock, so that it doesn't disturb the load.

use crate::terminal::RedrawnBar;
use indicatif::ProgressBar;
use morta_load::loadtest::{LoadTestSettings, StepWatch};
use std::time::{Duration, Instant};

/// A line on standard error; nothing if that isn't a terminal. Its thread reads nothing but the clock, so that it doesn't disturb the
/// measurement (progress bar).
pub(super) struct Line {
    line: RedrawnBar,
    /// Number of rates in the test.
    steps: usize,
}

const REDRAW: Duration = Duration::from_millis(250);

impl Line {
    /// Starts the progress bar on a thread of its own.
    pub(super) fn start(settings: &LoadTestSettings, quiet: bool) -> Self {
        let begun = Instant::now();
        let redraw = move |bar: &ProgressBar| bar.set_position(begun.elapsed().as_millis() as u64);
        let all_ms = (settings.seconds_in_all() * 1e3) as u64;
        let line = RedrawnBar::start(all_ms, "{bar:30} {msg}  {eta} left", quiet, REDRAW, redraw);
        Self { line, steps: settings.rates.len().max(1) }
    }

    /// Clears the progress bar and joins its thread.
    pub(super) fn end(self) {
        self.line.end();
    }
}

impl StepWatch for Line {
    fn step(&self, index: usize, rate_per_s: Option<f64>) {
        let rate = rate_per_s.map_or("clients ask at once".to_owned(), |rate| format!("{rate:.1}/s"));
        self.line.bar.set_message(if self.steps > 1 {
            format!("{rate} ({} of {})", index + 1, self.steps)
        } else {
            rate
        });
    }
}
