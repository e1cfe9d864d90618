//! Who lives through a world: the plain loop, a loop whose golems two threads step, and actors.

use crate::resident;
use crate::worlds::World;
use morta_actors::{EventSink, Progress, RunOptions, WriteError};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::golem::{Answer, Golem, Outbox};
use morta_engine::lethe::BloodstainStore;
use morta_engine::world::{Parts, Plan, TickContext, World as Plainly};
use rayon::prelude::*;
use std::hint::black_box;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Golems that a thread of the pool takes at once.
const CHUNK: usize = 128;

/// A way to live through a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Driver {
    /// The plain loop.
    Plain,
    /// The plain loop with its golems on two threads of rayon.
    Rayon,
    /// Actors on so many threads.
    Actors(usize),
    /// The same, every golem one tick at a time.
    Stepwise(usize),
}

/// What it took, from the first tick until all lives are told and everything is cleared away.
pub struct Took {
    wall: Duration,
    golem_ticks: u64,
}

impl Took {
    pub fn ns_per_golem_tick(&self) -> f64 {
        self.wall.as_nanos() as f64 / self.golem_ticks as f64
    }
}

impl Driver {
    /// By the name a command line gives it.
    pub fn named(name: &str) -> Self {
        match name {
            "plain" => Self::Plain,
            "rayon" => Self::Rayon,
            "stepwise" => Self::Stepwise(2),
            threads => Self::Actors(threads.parse().expect("plain, rayon, stepwise or a number of threads")),
        }
    }

    pub fn name(self) -> String {
        match self {
            Self::Plain => "plain loop".to_owned(),
            Self::Rayon => "rayon, 2 threads".to_owned(),
            Self::Actors(threads) => format!("actors, {threads} thread(s)"),
            Self::Stepwise(threads) => format!("stepwise, {threads} thread(s)"),
        }
    }

    /// Lives through a world.
    pub fn live(self, world: &World) -> Took {
        match self.options() {
            Some(options) => by_actors(world.begin(), options),
            None if self == Self::Rayon => on_two_threads(world.begin()),
            None => plainly(world.begin(), |_| ()),
        }
    }

    /// Those of actors; the loops have none.
    fn options(self) -> Option<RunOptions> {
        match self {
            Self::Plain | Self::Rayon => None,
            Self::Actors(threads) => Some(RunOptions { threads, ..RunOptions::default() }),
            Self::Stepwise(threads) => {
                Some(RunOptions { threads, ticks_at_once: 1, ..RunOptions::default() })
            }
        }
    }

    /// What the process has in memory when the last tick of a world is closed; of both loops the plain one's.
    pub fn resident_bytes(self, world: &World) -> u64 {
        let world = world.begin();
        let Some(options) = self.options() else {
            let mut bytes = 0;
            plainly(world, |_| bytes = resident::now());
            return bytes;
        };
        let watcher = when_closed(Arc::clone(&options.progress), world.plan().scenario().ticks);
        by_actors(world, options);
        watcher.join().expect("watching doesn't fail")
    }
}

/// Looks at the memory as soon as the last tick is closed.
fn when_closed(progress: Arc<Progress>, last: Tick) -> JoinHandle<u64> {
    std::thread::spawn(move || {
        while progress.ticks.load(Ordering::Relaxed) < last {
            std::thread::sleep(Duration::from_micros(200));
        }
        resident::now()
    })
}

fn plainly(mut world: Plainly, mut in_the_end: impl FnMut(&Plainly)) -> Took {
    let (mut golem_ticks, begun) = (0, Instant::now());
    let lived = world.live_until(Tick::MAX, |_, lived| golem_ticks += black_box(lived).golems);
    lived.expect("no service fails");
    in_the_end(&world);
    drop(black_box(world.finish()));
    drop(world);
    Took { wall: begun.elapsed(), golem_ticks }
}

static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
    rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads can be started")
});

fn on_two_threads(world: Plainly) -> Took {
    let mut parts = world.into_parts();
    let mut places: Vec<Place> = Vec::new();
    places.resize_with(parts.plan.lineages() as usize, Place::default);
    let (mut golem_ticks, begun) = (0, Instant::now());
    while parts.barrier.goes_on(&parts.plan) {
        golem_ticks += live(&mut parts, &mut places);
    }
    drop(black_box(lives(&parts, &mut places)));
    drop((parts, places));
    Took { wall: begun.elapsed(), golem_ticks }
}

/// Those who outlive the run tell their lives.
fn lives<S: BloodstainStore + Sync>(parts: &Parts<S>, places: &mut [Place]) -> Vec<Event> {
    let (last, plan, assets) =
        (parts.barrier.tick().saturating_sub(1), &parts.plan, &parts.barrier.now().view.assets);
    let tell = |place: &mut Place| {
        let golem = place.golem.as_mut()?;
        Some(golem.outlive_the_run(last, plan.rules(golem.cohort()), assets))
    };
    POOL.install(|| places.par_iter_mut().filter_map(tell).flatten_iter().collect())
}

/// Where a golem of a lineage lives, and what it is answered.
#[derive(Default)]
struct Place {
    golem: Option<Golem>,
    inbox: Vec<Answer>,
}

/// One tick, with the engine's functions in the order of the plain loop.
fn live<S: BloodstainStore>(parts: &mut Parts<S>, places: &mut [Place]) -> u64 {
    let (tick, plan) = (parts.barrier.tick(), &parts.plan);
    let mut out = Outbox::default();
    for birth in parts.barrier.births() {
        let golem = plan.born(birth, &mut out);
        let lineage = golem.id().lineage as usize;
        places[lineage] = Place { golem: Some(golem), inbox: Vec::new() };
    }
    let golems = parts.barrier.census().living().len() as u64;
    for (id, answers) in parts.barrier.take_inboxes() {
        let place = &mut places[id.lineage as usize];
        if place.golem.as_ref().is_some_and(|golem| golem.id() == id) {
            place.inbox = answers;
        }
    }
    let now = parts.barrier.now();
    let steps: Vec<Outbox> =
        POOL.install(|| places.par_chunks_mut(CHUNK).map(|chunk| step(chunk, plan, now, tick)).collect());
    steps.into_iter().for_each(|steps| out.append(steps));
    black_box(close(parts, places, out));
    golems
}

fn step(chunk: &mut [Place], plan: &Plan, now: &TickContext, tick: u64) -> Outbox {
    let mut out = Outbox::default();
    for Place { golem, inbox } in chunk {
        let Some(golem) = golem else { continue };
        let moment = now.moment(tick, plan, golem.cohort());
        let fault = plan.golem_fault(golem.id().lineage, tick);
        golem.step_guarded(&moment, std::mem::take(inbox), fault, &mut out);
    }
    out
}

fn close<S: BloodstainStore>(parts: &mut Parts<S>, places: &mut [Place], mut out: Outbox) -> Vec<Event> {
    let Parts { plan, barrier, services, .. } = parts;
    let deliveries = barrier.deliver(std::mem::take(&mut out.letters), plan);
    let reports = services.serve(barrier.tick(), deliveries, plan).expect("memory can be written");
    for departure in &out.departures {
        places[departure.golem.lineage as usize].golem = None;
    }
    barrier.close(out, reports, plan)
}

/// Nobody writes anything down.
struct Nowhere;

impl EventSink for Nowhere {
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError> {
        black_box(events);
        Ok(())
    }
}

fn by_actors(world: Plainly, options: RunOptions) -> Took {
    let begun = Instant::now();
    let finished = morta_actors::go_on(world, 0, options, Nowhere).expect("no actor fails");
    Took { wall: begun.elapsed(), golem_ticks: finished.ended.golem_ticks }
}
