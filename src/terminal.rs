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
    pub threads: Option<u16>,

    /// Use the plain loop instead of actors: slower on many cores, the same to the byte.
    // For checks: that the actors change nothing can only be seen beside a loop without them.
    #[arg(long, conflicts_with = "threads")]
    plain: bool,
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
    line: RefCell<Option<RedrawnBar>>,
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
        *self.line.borrow_mut() = Some(run_line(plan, progress, self.quiet));
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
        let template = format!("{{bar:30}} {{pos}}/{{len}} {}  {{msg}}  {{eta}} left", self.what);
        let bar = bar(cells, &template, self.quiet);
        if bar.is_hidden() {
            return;
        }
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

/// A bar of this length on standard error; nothing is drawn with `quiet`, or if that isn't a terminal.
fn bar(length: u64, template: &str, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A bar that a thread of its own redraws, until its end.
pub(crate) struct RedrawnBar {
    pub(crate) bar: ProgressBar,
    watcher: Option<(Arc<AtomicBool>, std::thread::JoinHandle<()>)>,
}

impl RedrawnBar {
    /// Starts the bar on a thread of its own, and none where nothing is drawn.
    pub(crate) fn start(
        length: u64,
        template: &str,
        quiet: bool,
        every: Duration,
        mut redraw: impl FnMut(&ProgressBar) + Send + 'static,
    ) -> Self {
        let bar = bar(length, template, quiet);
        let (line, over) = (bar.clone(), Arc::new(AtomicBool::new(false)));
        let ended = Arc::clone(&over);
        let watch = move || {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(every);
                redraw(&line);
            }
        };
        let watcher = (!bar.is_hidden()).then(|| (over, std::thread::spawn(watch)));
        Self { bar, watcher }
    }

    /// Clears the bar and joins its thread.
    pub(crate) fn end(self) {
        if let Some((over, watcher)) = self.watcher {
            over.store(true, Ordering::Relaxed);
            if watcher.join().is_err() {
                tracing::debug!("the progress line failed");
            }
        }
        self.bar.finish_and_clear();
    }
}

const REDRAW: Duration = Duration::from_millis(100);

/// The progress of a world: its ticks, its time, who lives, and how fast.
fn run_line(plan: &Plan, progress: &Arc<Progress>, quiet: bool) -> RedrawnBar {
    let (at, begun, model) = (Arc::clone(progress), Instant::now(), plan.outside().shared());
    let mut first_time_s = None;
    let redraw = move |line: &ProgressBar| {
        let time_s = at.time_s.load(Ordering::Relaxed);
        if time_s == 0 {
            return;
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
    };
    let template = "{bar:30} {pos}/{len} ticks  {msg}  {eta} left";
    RedrawnBar::start(plan.scenario().ticks, template, quiet, REDRAW, redraw)
}
