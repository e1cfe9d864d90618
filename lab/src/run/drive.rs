//! Lives through a scenario, by actors or by the plain loop. It is the event loop of a run: drivers (single-threaded loop, actor system),
//! cancellation by an atomic flag at the next tick, observers (callbacks) and a tap on the event stream. Observing or stopping changes no
//! byte of what happens up to then; only an owner's directives (`steered_by`) do. There are two drivers because actors use all cores, and
//! the plain loop can be paused and serves as their oracle. Actors are the default; runs with checkpoints, steered runs, `--plain`, all
//! that `morta watch` lives, the world of a load test and the replay of a history up to a turn use the plain loop. Runs, branches and
//! repetitions are driven here; cells of sweeps, fits, conformance checks and the control arm of a branch step their worlds themselves.

use crate::io::error::{Context as _, Error, Result};
use crate::run::steering::Steering;
pub use morta_actors::Progress;
use morta_actors::{Ended, EventSink, RunError, RunOptions, SledStore, WriteError};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::lethe::{BloodstainStore, EarlierBloodstains};
use morta_engine::market::Bar;
use morta_engine::world::{Plan, Scenario, World};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The execution backend of a world: the plain loop on one thread, or actors on several. Both make the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// Actors, with golems on this many threads.
    Actors(usize),
    /// The plain loop, on one thread.
    PlainLoop,
}

impl Driver {
    /// The name of the driver in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Actors(_) => "actors",
            Self::PlainLoop => "plain loop",
        }
    }

    /// The number of threads that step golems.
    pub const fn threads(self) -> usize {
        match self {
            Self::Actors(threads) => threads,
            Self::PlainLoop => 1,
        }
    }
}

/// A caller's choice of the driver; the rest is chosen by the size of the world and the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DriverChoice {
    /// Threads for golems, at least 1; none for one for every 64 golems, up to the number of cores, less one where tables are written.
    pub threads: Option<u16>,
    /// Whether the plain loop takes the place of actors.
    pub plain: bool,
}

/// Golems for each thread where a caller doesn't choose: with fewer a thread, waiting for each other costs more than stepping them.
const GOLEMS_PER_THREAD: u32 = 64;

impl DriverChoice {
    /// Selects the driver for a plan, whose tables are written at the same time or not: by the caller's choice, else by
    /// `available_parallelism` and the number of golems.
    pub fn driver(self, plan: &Plan, is_written: bool) -> Driver {
        if self.plain {
            return Driver::PlainLoop;
        }
        // The writer thread gets a core of its own: on a shared one, all golems would wait at each barrier for those of that core.
        let writers = usize::from(is_written);
        let cores = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(writers);
        let enough = plan.lineages().div_ceil(GOLEMS_PER_THREAD) as usize;
        Driver::Actors(self.threads.map_or(cores.min(enough).max(1), usize::from))
    }
}

/// An observer of the progress of worlds, such as the progress line of the terminal (progress callback). It makes no difference to what
/// happens in them.
pub trait Onlooker {
    /// A world begins to be lived by a plan; from now on `progress` has its latest tick.
    fn begun(&self, plan: &Plan, progress: &Arc<Progress>);

    /// It has come to its end, or was stopped.
    fn ended(&self);
}

/// A tap gets every event while a world is lived, before the sink (observer): with actors on the thread that writes, with the plain loop on
/// the one that steps the world. It makes no difference to what happens.
pub trait EventTap: Send + Sync {
    /// A world begins to be lived, or goes on, by a plan.
    fn begun(&self, plan: &Plan);

    /// Events in the order of the log: all of one tick, or those of the run's end.
    fn on_events(&self, events: &[Event]);

    /// A tick is over and the next isn't begun. The plain loop alone calls it, and goes on when it returns. A tap that holds it up must
    /// let go of it once `stop` is set.
    fn barrier(&self, stop: &AtomicBool) {
        let _ = stop;
    }
}

/// A sink that passes events to a tap and on to another sink (tee).
struct Tapped<S> {
    sink: S,
    tap: Option<Arc<dyn EventTap>>,
}

impl<S: EventSink> EventSink for Tapped<S> {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        if let Some(tap) = &self.tap {
            tap.on_events(events);
        }
        self.sink.take(events)
    }

    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        if let Some(tap) = &self.tap {
            tap.on_events(&events);
        }
        self.sink.take_over(events)
    }
}

/// The observer that does nothing (null object).
struct Nobody;

impl Onlooker for Nobody {
    fn begun(&self, _: &Plan, _: &Arc<Progress>) {}

    fn ended(&self) {}
}

/// A caller's control of worlds while they are lived: a flag that stops them, and observers (cancellation token). It is put together in the
/// builder pattern: each method returns it with one part more.
#[derive(Clone, Copy)]
pub struct RunControl<'a> {
    stop: &'a Arc<AtomicBool>,
    onlooker: &'a dyn Onlooker,
    tap: Option<&'a Arc<dyn EventTap>>,
    steering: Option<&'a Arc<Steering>>,
    /// Asked before a checkpoint is written, and only then.
    soundness: Option<&'a dyn Fn() -> Result<()>>,
}

impl Default for RunControl<'_> {
    /// Without a stop and without observers.
    fn default() -> Self {
        static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
        Self { stop: &NEVER, onlooker: &Nobody, tap: None, steering: None, soundness: None }
    }
}

impl<'a> RunControl<'a> {
    /// Makes a control that stops at the next barrier once the cancellation flag is set, without observers.
    pub fn stopped_by(stop: &'a Arc<AtomicBool>) -> Self {
        Self { stop, onlooker: &Nobody, tap: None, steering: None, soundness: None }
    }

    /// Whether the flag is set, i.e. worlds are to stop.
    pub fn is_stopped(self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The cancellation flag that stops worlds.
    pub fn stop(self) -> &'a Arc<AtomicBool> {
        self.stop
    }

    /// Adds a progress observer.
    pub fn watched_by(self, onlooker: &'a dyn Onlooker) -> Self {
        Self { onlooker, ..self }
    }

    /// Adds a consistency check before each checkpoint, for memories that may leave a tick half asked: a checkpoint is written only where
    /// `check` finds nothing wrong. An interrupted caller needn't wait for the tick's other golems then, and the run resumes at the last
    /// whole checkpoint. The Python package uses it.
    pub fn sound_by(self, check: &'a dyn Fn() -> Result<()>) -> Self {
        Self { soundness: Some(check), ..self }
    }

    /// Whether the world may be written down as it is.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn check_soundness(self) -> Result<()> {
        self.soundness.map_or(Ok(()), |check| check())
    }

    /// Calls the observer at the beginning of a world.
    fn begin(self, plan: &Plan, progress: &Arc<Progress>) {
        self.onlooker.begun(plan, progress);
        if let Some(tap) = self.tap {
            tap.begun(plan);
        }
    }

    /// Passes events to the tap, if there is one (notifies the listener).
    pub(crate) fn tell(self, events: &[Event]) {
        if let Some(tap) = self.tap {
            tap.on_events(events);
        }
    }

    /// Adds a tap that gets every event.
    pub fn with_tap(self, tap: &'a Arc<dyn EventTap>) -> Self {
        Self { tap: Some(tap), ..self }
    }

    /// Adds an owner whose directives reach the world at its barriers (human-in-the-loop). The plain loop alone asks for them: `run` picks
    /// it for a steered world, and a run with checkpoints is refused.
    pub fn steered_by(self, steering: &'a Arc<Steering>) -> Self {
        Self { steering: Some(steering), ..self }
    }

    /// The scenario as it was lived, with an owner's directives in it.
    pub(crate) fn as_steered(self, scenario: Scenario) -> Scenario {
        match self.steering() {
            Some(steering) => steering.written_into(scenario),
            None => scenario,
        }
    }

    /// How many directives have reached it.
    pub(crate) fn directives_given(self) -> u64 {
        self.steering().map_or(0, Steering::given)
    }

    /// The steering whose directives reach the world.
    pub(crate) fn steering(self) -> Option<&'a Steering> {
        self.steering.map(Arc::as_ref)
    }
}

/// The result of a world that has been lived through: its end, the sink of its events, and the wall-clock time.
pub struct LivedWorld<S> {
    /// How it ended.
    pub ended: Ended,
    /// The sink of its events.
    pub sink: S,
    /// How long it took.
    pub wall: Duration,
}

/// Lives through a plan from its first tick to its end (simulation loop).
///
/// # Errors
/// When a shared actor fails or events can't be written.
pub fn live<S: EventSink>(
    plan: Plan,
    bars: Vec<Vec<Bar>>,
    driver: Driver,
    (earlier_bloodstains, store): (&EarlierBloodstains, SledStore),
    sink: S,
    control: RunControl<'_>,
) -> Result<LivedWorld<S>> {
    go_on_by(World::begin(plan, bars, earlier_bloodstains, store), 0, driver, sink, control)
}

/// Goes on with a world to its end by either driver, the records of golems that outlive it included (simulation loop). `lived_so_far`
/// counts golem steps before.
///
/// # Errors
/// When a shared actor fails or events can't be written.
pub fn go_on_by<L: BloodstainStore + Unpin + Send + 'static, S: EventSink>(
    world: World<L>,
    lived_so_far: u64,
    driver: Driver,
    sink: S,
    control: RunControl<'_>,
) -> Result<LivedWorld<S>> {
    let progress = Arc::new(Progress::default());
    control.begin(world.plan(), &progress);
    let begun = Instant::now();
    let result = match driver {
        Driver::Actors(threads) => {
            let options =
                RunOptions { threads, stop: Arc::clone(control.stop), progress, ..RunOptions::default() };
            let sink = Tapped { sink, tap: control.tap.cloned() };
            let finished = morta_actors::go_on(world, lived_so_far, options, sink);
            finished.map(|finished| (finished.ended, finished.sink.sink)).map_err(Error::from)
        }
        Driver::PlainLoop => plain(world, lived_so_far, control, &progress, sink),
    };
    let wall = begun.elapsed();
    control.onlooker.ended();
    let (ended, sink) = result?;
    Ok(LivedWorld { ended, sink, wall })
}

/// Goes on with a world by the plain loop; `at_barrier` is called after every tick. Runs with checkpoints use it. The records of golems
/// that outlive the world are left to the caller.
///
/// # Errors
/// When a shared service fails, events can't be written, or `at_barrier` fails.
pub fn go_on<S: EventSink>(
    mut world: World,
    mut sink: S,
    lived_so_far: u64,
    control: RunControl<'_>,
    mut at_barrier: impl FnMut(&World, u64, &mut S) -> Result<()>,
) -> Result<(World, LivedWorld<S>)> {
    let progress = Arc::new(Progress::default());
    control.begin(world.plan(), &progress);
    let begun = Instant::now();
    let result =
        plain_loop(&mut world, Tick::MAX, &mut sink, lived_so_far, (control, &progress), &mut at_barrier);
    let wall = begun.elapsed();
    control.onlooker.ended();
    let ended = result?;
    Ok((world, LivedWorld { ended, sink, wall }))
}

/// Goes on with a world by the plain loop up to a tick, which isn't lived any more; returns the number of golem steps, or `None` when it
/// was stopped (stepping).
///
/// # Errors
/// When a shared service fails or events can't be written.
pub fn live_until<S: EventSink>(
    world: &mut World,
    until: Tick,
    sink: &mut S,
    control: RunControl<'_>,
) -> Result<Option<u64>> {
    let progress = Arc::new(Progress::default());
    control.begin(world.plan(), &progress);
    let ended = plain_loop(world, until, sink, 0, (control, &progress), &mut |_, _, _| Ok(()));
    control.onlooker.ended();
    let ended = ended?;
    Ok((!ended.interrupted).then_some(ended.golem_ticks))
}

fn plain<L: BloodstainStore, S: EventSink>(
    mut world: World<L>,
    lived_so_far: u64,
    control: RunControl<'_>,
    progress: &Progress,
    sink: S,
) -> Result<(Ended, S)> {
    let (mut writer, thread) = morta_actors::start_writer(sink).context("a thread could not be started")?;
    let watched = (control, progress);
    let lived = plain_loop(&mut world, Tick::MAX, &mut writer, lived_so_far, watched, &mut |_, _, _| Ok(()));
    let ended = lived.and_then(|ended| {
        let last = world.finish();
        control.tell(&last);
        writer.take_over(last).map(|()| ended).map_err(not_written)
    });
    drop(writer);
    // The thread knows why it has stopped; the loop only that it has.
    let sink = thread.finish().map_err(not_written)?;
    Ok((ended?, sink))
}

/// Writes events to the sink at once.
///
/// # Errors
/// When they can't be.
pub fn write(sink: &mut impl EventSink, events: &[Event]) -> Result<()> {
    sink.take(events).map_err(not_written)
}

fn not_written(error: WriteError) -> Error {
    RunError::Write(error).into()
}

type AtBarrier<'a, L, S> = dyn FnMut(&World<L>, u64, &mut S) -> Result<()> + 'a;

fn plain_loop<L: BloodstainStore, S: EventSink>(
    world: &mut World<L>,
    until: Tick,
    sink: &mut S,
    mut golem_ticks: u64,
    (control, progress): (RunControl<'_>, &Progress),
    at_barrier: &mut AtBarrier<'_, L, S>,
) -> Result<Ended> {
    let mut interrupted = false;
    while world.goes_on() && world.tick() < until {
        interrupted = control.is_stopped();
        if interrupted {
            break;
        }
        // After the pause of a viewer, so that directives given in it take effect in the tick that comes.
        if let Some(steering) = control.steering() {
            steering.reach(world)?;
        }
        let lived = world.live()?;
        golem_ticks += lived.golems;
        if let Some(closed) = lived.events.last() {
            progress.note(closed);
        }
        control.tell(&lived.events);
        sink.take_over(lived.events).map_err(not_written)?;
        at_barrier(world, golem_ticks, sink)?;
        if let Some(tap) = control.tap {
            tap.barrier(control.stop);
        }
    }
    Ok(Ended {
        ticks: world.tick(),
        golem_ticks,
        ledger_conserved: world.census().money_conserved(),
        interrupted,
    })
}
