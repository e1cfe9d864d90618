//! Progress bars with ETA on standard error while worlds or cells run, Ctrl-C for worlds (commands with cells handle it themselves, by
//! `morta_console`), and the flags that choose a driver: the thread count (`--threads`) or the plain loop (`--plain`). Bars are drawn only
//! on a terminal and not with JSON output, because a log file would fill with them. The first Ctrl-C (SIGINT, or SIGTERM) stops at the next
//! barrier, with exit code 130; a second one ends the process at once. `DriverArgs` has the CLI arguments for parallelism or a
//! single-threaded loop.

use indicatif::{ProgressBar, ProgressStyle};
use morta_actors::Progress;
use morta_console::output;
use morta_console::terminal::stop_on_interrupt;
use morta_engine::world::Plan;
use morta_lab::drive::{DriverChoice, Onlooker, RunControl};
use morta_lab::sweep_run::CellWatch;
use std::cell::RefCell;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The flags that choose a driver.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct DriverArgs {
    /// Threads for golems; changes nothing but the speed. Left out: one for every few dozen golems, up to
    /// the number of cores but one, which writes the tables.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,

    /// Use the plain loop instead of actors: slower on many cores, the same to the byte.
    // For checks: that the actors change nothing can only be seen beside a loop without them.
    #[arg(long, conflicts_with = "threads")]
    plain: bool,
}

impl DriverArgs {
    /// The number of threads that the flags ask for; none where they name none.
    pub fn threads(&self) -> Option<u16> {
        self.threads
    }
}

impl From<DriverArgs> for DriverChoice {
    fn from(DriverArgs { threads, plain }: DriverArgs) -> Self {
        Self { threads, plain }
    }
}

/// Runs work on worlds with control over them: Ctrl-C stops them (cancellation token), and a progress bar shows how far they are.
///
/// # Errors
/// When Ctrl-C can't be handled; the error of `work`.
pub(crate) fn attended<T>(
    quiet: bool,
    work: impl FnOnce(RunControl<'_>) -> morta_lab::Result<T>,
) -> anyhow::Result<T> {
    noted(quiet, &[], work)
}

/// Runs work as [`attended`] does, with notes that are printed when the world begins. If the world is refused, only the reason is printed.
///
/// # Errors
/// As [`attended`].
pub(crate) fn noted<T>(
    quiet: bool,
    notes: &[String],
    work: impl FnOnce(RunControl<'_>) -> morta_lab::Result<T>,
) -> anyhow::Result<T> {
    let stop = stop_on_interrupt()?;
    Ok(work(RunLine { notes, ..RunLine::new(quiet) }.control(&stop))?)
}

/// Prints notes to standard error, unless they are part of the output.
fn say(notes: &[String], quiet: bool) {
    notes.iter().filter(|_| !quiet).for_each(|note| output::remark(format!("note: {note}")));
}

/// Progress bars, one for each world, and none if standard error isn't a terminal. Notes are printed even then.
pub(crate) struct RunLine<'n> {
    quiet: bool,
    notes: &'n [String],
    line: RefCell<Option<ProgressLine>>,
}

impl RunLine<'_> {
    /// Makes a progress bar for the worlds of a command; with `quiet` nothing is drawn.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, notes: &[], line: RefCell::new(None) }
    }

    /// The control over the worlds (cancellation and progress).
    pub(crate) fn control<'a>(&'a self, stop: &'a Arc<AtomicBool>) -> RunControl<'a> {
        RunControl::stopped_by(stop).watched_by(self)
    }
}

impl Onlooker for RunLine<'_> {
    fn begun(&self, plan: &Plan, progress: &Arc<Progress>) {
        say(self.notes, self.quiet);
        *self.line.borrow_mut() = Some(ProgressLine::start(plan, progress, self.quiet));
    }

    fn ended(&self) {
        if let Some(line) = self.line.take() {
            line.end();
        }
    }
}

/// A line of progress over cells, seeds or other units, and none if standard error isn't a terminal (progress bar). Notes and interim looks
/// are printed even then.
pub(crate) struct CellLine<'n> {
    /// What is counted, a noun such as cells or seeds.
    what: &'static str,
    quiet: bool,
    /// Emptied when they are printed, because counting begins again after every look.
    notes: Mutex<&'n [String]>,
    /// The bar, and the number of failures.
    line: Mutex<(ProgressBar, u64)>,
}

impl<'n> CellLine<'n> {
    /// Makes a progress bar for a command that counts `what`; with `quiet` nothing is drawn.
    pub(crate) fn new(what: &'static str, quiet: bool) -> Self {
        Self { what, quiet, notes: Mutex::new(&[]), line: Mutex::new((ProgressBar::hidden(), 0)) }
    }

    /// Adds notes that are printed when the first cells begin.
    pub(crate) fn with_notes(self, notes: &'n [String]) -> Self {
        Self { notes: Mutex::new(notes), ..self }
    }

    fn line(&self) -> MutexGuard<'_, (ProgressBar, u64)> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CellWatch for CellLine<'_> {
    fn begun(&self, cells: u64, ended_before: u64) {
        say(std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner)), self.quiet);
        if self.quiet || !std::io::stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::new(cells);
        let template = format!("{{bar:30}} {{pos}}/{{len}} {}  {{msg}}  {{eta}} left", self.what);
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(ended_before);
        // Cells that had ended before say nothing about the present speed.
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_secs(1));
        *self.line() = (bar, 0);
    }

    fn cell_ended(&self, failed: bool) {
        let (bar, failures) = &mut *self.line();
        *failures += u64::from(failed);
        bar.inc(1);
        if *failures > 0 {
            bar.set_message(format!("{failures} failed"));
        }
    }

    fn looked(&self, look: &str) {
        if !self.quiet {
            output::remark(look);
        }
    }

    fn over(&self) {
        self.line().0.finish_and_clear();
    }
}

/// A line of progress on standard error; nothing if that isn't a terminal.
struct ProgressLine {
    bar: ProgressBar,
    watcher: Option<(Arc<AtomicBool>, std::thread::JoinHandle<()>)>,
}

const REDRAW: Duration = Duration::from_millis(100);

impl ProgressLine {
    fn start(plan: &Plan, progress: &Arc<Progress>, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), watcher: None };
        }
        let bar = ProgressBar::new(plan.scenario().ticks);
        let template = "{bar:30} {pos}/{len} ticks  {msg}  {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        let done = Arc::new(AtomicBool::new(false));
        let (line, at, over) = (bar.clone(), Arc::clone(progress), Arc::clone(&done));
        let begun = Instant::now();
        let model = plan.outside().shared();
        let mut first_time_s = None;
        let watch = move || {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(REDRAW);
                let time_s = at.time_s.load(Ordering::Relaxed);
                if time_s == 0 {
                    continue;
                }
                let simulated = time_s - *first_time_s.get_or_insert(time_s);
                line.set_position(at.ticks.load(Ordering::Relaxed));
                let calls = model.as_ref().and_then(|model| model.progress());
                let calls = calls.map_or(String::new(), |calls| format!("  {calls}"));
                line.set_message(format!(
                    "{}  {} alive  {} dead  {:.1e}x{calls}",
                    morta_lab::text::date(time_s),
                    at.alive.load(Ordering::Relaxed),
                    at.died.load(Ordering::Relaxed),
                    simulated as f64 / begun.elapsed().as_secs_f64(),
                ));
            }
        };
        Self { bar, watcher: Some((done, std::thread::spawn(watch))) }
    }

    fn end(self) {
        if let Some((done, watcher)) = self.watcher {
            done.store(true, Ordering::Relaxed);
            if watcher.join().is_err() {
                tracing::debug!("the progress line failed");
            }
        }
        self.bar.finish_and_clear();
    }
}
