//! Living through a scenario, by actors or by the plain loop, with progress on the terminal and Ctrl-C respected.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use morta_actors::{Ended, EventSink, Progress, RunOptions, SledStore, WriteError};
use morta_engine::base::Tick;
use morta_engine::event::Event;
use morta_engine::lethe::{BloodstainStore, EarlierBloodstains};
use morta_engine::market::Bar;
use morta_engine::world::{Plan, World};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Who drives the world. It makes no difference to what happens in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Actors, with golems on this many threads.
    Actors(usize),
    /// The plain loop, on one thread.
    PlainLoop,
}

impl Driver {
    /// As a manifest names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Actors(_) => "actors",
            Self::PlainLoop => "plain loop",
        }
    }

    /// Threads that step golems.
    pub const fn threads(self) -> usize {
        match self {
            Self::Actors(threads) => threads,
            Self::PlainLoop => 1,
        }
    }
}

/// The flags that choose a driver.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct DriverArgs {
    /// Threads for golems; changes nothing but the speed. Left out: one for every few dozen golems, up to
    /// the number of cores but one, which writes the tables.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,

    /// Use the plain loop instead of actors: slower on many cores, the same to the byte.
    #[arg(long, conflicts_with = "threads")]
    plain: bool,
}

/// Below this many golems a thread, waiting for each other costs more than stepping them.
const GOLEMS_PER_THREAD: u32 = 64;

impl DriverArgs {
    /// The driver for a plan, whose tables are written at the same time or not.
    pub fn driver(self, plan: &Plan, is_written: bool) -> Driver {
        if self.plain {
            return Driver::PlainLoop;
        }
        // All golems would wait for the one whose core the writer has taken.
        let writers = usize::from(is_written);
        let cores = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(writers);
        let enough = plan.lineages().div_ceil(GOLEMS_PER_THREAD) as usize;
        Driver::Actors(self.threads.map_or(cores.min(enough).max(1), usize::from))
    }
}

/// A world that has been lived through.
pub struct Lived<S> {
    /// How it ended.
    pub ended: Ended,
    /// Where its events went.
    pub sink: S,
    /// How long it took.
    pub wall: Duration,
}

/// Lives through a plan.
///
/// # Errors
/// When a shared actor fails or events can't be written.
pub fn live<S: EventSink>(
    plan: Plan,
    bars: Vec<Vec<Bar>>,
    driver: Driver,
    (earlier_bloodstains, store): (&EarlierBloodstains, SledStore),
    sink: S,
    quiet: bool,
) -> anyhow::Result<Lived<S>> {
    go_on_by(World::begin(plan, bars, earlier_bloodstains, store), 0, driver, sink, quiet)
}

/// Goes on with a world to its end, with the last words of those who outlive it.
///
/// # Errors
/// When a shared actor fails or events can't be written.
pub fn go_on_by<L: BloodstainStore + Unpin + Send + 'static, S: EventSink>(
    world: World<L>,
    lived_so_far: u64,
    driver: Driver,
    sink: S,
    quiet: bool,
) -> anyhow::Result<Lived<S>> {
    let progress = Arc::new(Progress::default());
    let stop = stop_on_interrupt()?;
    let bar = ProgressLine::start(world.plan(), &progress, quiet);
    let begun = Instant::now();
    let result = match driver {
        Driver::Actors(threads) => {
            let options = RunOptions { threads, stop, progress, ..RunOptions::default() };
            let finished = morta_actors::go_on(world, lived_so_far, options, sink);
            finished.map(|finished| (finished.ended, finished.sink)).map_err(anyhow::Error::from)
        }
        Driver::PlainLoop => plain(world, lived_so_far, &stop, &progress, sink),
    };
    let wall = begun.elapsed();
    bar.end();
    let (ended, sink) = result?;
    Ok(Lived { ended, sink, wall })
}

/// Goes on with a world by the plain loop; `at_barrier` is called after every tick.
///
/// # Errors
/// When a shared service fails, events can't be written, or `at_barrier` fails.
pub fn go_on<S: EventSink>(
    mut world: World,
    mut sink: S,
    lived_so_far: u64,
    quiet: bool,
    mut at_barrier: impl FnMut(&World, u64, &mut S) -> anyhow::Result<()>,
) -> anyhow::Result<(World, Lived<S>)> {
    let progress = Arc::new(Progress::default());
    let stop = stop_on_interrupt()?;
    let bar = ProgressLine::start(world.plan(), &progress, quiet);
    let begun = Instant::now();
    let result =
        plain_loop(&mut world, Tick::MAX, &mut sink, lived_so_far, (&stop, &progress), &mut at_barrier);
    let wall = begun.elapsed();
    bar.end();
    let ended = result?;
    Ok((world, Lived { ended, sink, wall }))
}

/// Goes on with a world by the plain loop up to a tick, which isn't lived any more; says how many golems stepped, or `None` when
/// somebody stopped it.
///
/// # Errors
/// When a shared service fails or events can't be written.
pub fn live_until<S: EventSink>(
    world: &mut World,
    until: Tick,
    sink: &mut S,
    quiet: bool,
) -> anyhow::Result<Option<u64>> {
    let progress = Arc::new(Progress::default());
    let stop = stop_on_interrupt()?;
    let bar = ProgressLine::start(world.plan(), &progress, quiet);
    let ended = plain_loop(world, until, sink, 0, (&stop, &progress), &mut |_, _, _| Ok(()));
    bar.end();
    let ended = ended?;
    Ok((!ended.interrupted).then_some(ended.golem_ticks))
}

fn plain<L: BloodstainStore, S: EventSink>(
    mut world: World<L>,
    lived_so_far: u64,
    stop: &AtomicBool,
    progress: &Progress,
    sink: S,
) -> anyhow::Result<(Ended, S)> {
    let (mut pen, writer) = morta_actors::start_writer(sink).context("a thread could not be started")?;
    let watched = (stop, progress);
    let lived = plain_loop(&mut world, Tick::MAX, &mut pen, lived_so_far, watched, &mut |_, _, _| Ok(()));
    let ended = lived.and_then(|ended| pen.take_over(world.finish()).map(|()| ended).map_err(not_written));
    drop(pen);
    // The writer knows why it has stopped; the loop only that it has.
    let sink = writer.finish().map_err(not_written)?;
    Ok((ended?, sink))
}

/// Hands events over to be written.
///
/// # Errors
/// When they can't be.
pub fn write(sink: &mut impl EventSink, events: &[Event]) -> anyhow::Result<()> {
    sink.take(events).map_err(not_written)
}

fn not_written(error: WriteError) -> anyhow::Error {
    anyhow::anyhow!("the events could not be written: {error}")
}

type AtBarrier<'a, L, S> = dyn FnMut(&World<L>, u64, &mut S) -> anyhow::Result<()> + 'a;

fn plain_loop<L: BloodstainStore, S: EventSink>(
    world: &mut World<L>,
    until: Tick,
    sink: &mut S,
    mut golem_ticks: u64,
    (stop, progress): (&AtomicBool, &Progress),
    at_barrier: &mut AtBarrier<'_, L, S>,
) -> anyhow::Result<Ended> {
    let mut interrupted = false;
    while world.goes_on() && world.tick() < until {
        interrupted = stop.load(Ordering::Relaxed);
        if interrupted {
            break;
        }
        let lived = world.live()?;
        golem_ticks += lived.golems;
        if let Some(closed) = lived.events.last() {
            progress.note(closed);
        }
        sink.take_over(lived.events).map_err(not_written)?;
        at_barrier(world, golem_ticks, sink)?;
    }
    Ok(Ended {
        ticks: world.tick(),
        golem_ticks,
        ledger_conserved: world.census().money_conserved(),
        interrupted,
    })
}

/// A flag that Ctrl-C (or a polite kill) sets; a second one ends the process at once.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let mut failed = None;
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        };
        failed = ctrlc::set_handler(handler).err();
        stop
    });
    match failed {
        None => Ok(Arc::clone(stop)),
        Some(error) => Err(error).context("Ctrl-C can't be listened to"),
    }
}

/// The shell's code for a process that Ctrl-C ended.
pub const INTERRUPTED: i32 = 130;

/// A line of progress on standard error; nothing when that isn't a terminal.
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
                line.set_message(format!(
                    "{}  {} alive  {} dead  {:.1e}x",
                    crate::output::date(time_s),
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
