//! The progress bar of a load test on standard error: a bar of the time of the whole test, the present rate and the time left (ETA),
//! redrawn four times a second. Nothing is drawn with `--json`, in simulated time or off a terminal. Its thread reads nothing but the
//! clock, so that it doesn't disturb the load.

use indicatif::{ProgressBar, ProgressStyle};
use morta_load::loadtest::{LoadTestSettings, StepWatch};
use std::cell::Cell;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A line on standard error; nothing if that isn't a terminal. Its thread reads nothing but the clock, so that it doesn't disturb the
/// measurement (progress bar).
pub(super) struct Line {
    bar: ProgressBar,
    /// Number of rates in the test.
    steps: usize,
    watcher: Cell<Option<(Arc<AtomicBool>, JoinHandle<()>)>>,
}

const REDRAW: Duration = Duration::from_millis(250);

impl Line {
    /// Starts the progress bar on a thread of its own.
    pub(super) fn start(settings: &LoadTestSettings, quiet: bool) -> Self {
        let steps = settings.rates.len().max(1);
        if quiet || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), steps, watcher: Cell::new(None) };
        }
        let bar = ProgressBar::new((settings.seconds_in_all() * 1e3) as u64);
        let template = "{bar:30} {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let over = Arc::new(AtomicBool::new(false));
        let (line, ended, begun) = (bar.clone(), Arc::clone(&over), Instant::now());
        let watcher = std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(REDRAW);
                line.set_position(begun.elapsed().as_millis() as u64);
            }
        });
        Self { bar, steps, watcher: Cell::new(Some((over, watcher))) }
    }

    /// Clears the progress bar and joins its thread.
    pub(super) fn end(&self) {
        if let Some((over, watcher)) = self.watcher.take() {
            over.store(true, Ordering::Relaxed);
            if watcher.join().is_err() {
                tracing::debug!("the progress line failed");
            }
        }
        self.bar.finish_and_clear();
    }
}

impl StepWatch for Line {
    fn step(&self, index: usize, rate_per_s: Option<f64>) {
        let rate = rate_per_s.map_or("clients ask at once".to_owned(), |rate| format!("{rate:.1}/s"));
        self.bar.set_message(if self.steps > 1 {
            format!("{rate} ({} of {})", index + 1, self.steps)
        } else {
            rate
        });
    }
}
