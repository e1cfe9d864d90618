//! A whole run: the actors are started, the conductor begins, and everything is taken down again.

use crate::conductor::{Barrier, Begin, Conductor, Orchestra};
use crate::curator::Curator;
use crate::dispatcher::{Dispatcher, Hand};
use crate::dream_scheduler::DreamScheduler;
use crate::lethe_store::{LetheFolderError, SledStore};
use crate::llm_broker::LlmBroker;
use crate::look_ahead::LookAhead;
use crate::market::Market;
use crate::pen::{Pen, Writer, start_writer};
use crate::recorder::Recorder;
use crate::sink::{EventSink, WriteError};
use crate::styx_lethe::StyxLethe;
use actix::{Actor, Addr};
use actix_rt::{Arbiter, System};
use morta_engine::base::{Lineage, Tick};
use morta_engine::event::{Event, EventKind};
use morta_engine::golem::Golem;
use morta_engine::lethe::{BloodstainStore, EarlierBloodstains};
use morta_engine::market::Bar;
use morta_engine::world::{Foresight, Parts, Plan, World};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use tokio::sync::oneshot;

/// How a run is carried out; none of it changes what happens in it.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Arbiters that golems live on, at least 1; the first is shared with the shared actors.
    pub threads: usize,
    /// Ticks that a golem may live through at once where nothing can reach it in between, at least 1; fewer where many golems would
    /// fill the memory with what they have done in them.
    pub ticks_at_once: u64,
    /// Ends the run at the next tick when set.
    pub stop: Arc<AtomicBool>,
    /// Where the run is; may be read at any time.
    pub progress: Arc<Progress>,
}

/// Enough to spread the cost of a message thin, few enough that what is told of them stays in cache.
const TICKS_AT_ONCE: u64 = 32;
/// Golem-ticks that may be lived at once: what is told of them waits until the conductor has come to their ticks.
const GOLEM_TICKS_AT_ONCE: u64 = 400_000;

impl Default for RunOptions {
    fn default() -> Self {
        let (stop, progress) = (Arc::default(), Arc::default());
        Self { threads: 1, ticks_at_once: TICKS_AT_ONCE, stop, progress }
    }
}

/// Where a run is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Ticks closed.
    pub ticks: AtomicU64,
    /// Golems living.
    pub alive: AtomicU64,
    /// Deaths so far.
    pub died: AtomicU64,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: AtomicI64,
}

impl Progress {
    /// Notes a closed tick.
    pub fn note(&self, closed: &Event) {
        if let EventKind::TickClosed(record) = &closed.kind {
            self.ticks.store(closed.tick + 1, Ordering::Relaxed);
            self.alive.store(record.alive.into(), Ordering::Relaxed);
            self.died.store(record.died, Ordering::Relaxed);
            self.time_s.store(record.time_s, Ordering::Relaxed);
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Ticks lived through.
    pub ticks: Tick,
    /// Steps of golems.
    pub golem_ticks: u64,
    /// Whether every tick's accounts added up.
    pub ledger_conserved: bool,
    /// Whether it was stopped before its time.
    pub interrupted: bool,
}

/// A run that has ended well.
#[derive(Debug)]
pub struct Finished<S> {
    /// How it ended.
    pub ended: Ended,
    /// Where its events went.
    pub sink: S,
}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A shared actor failed.
    #[error("{actor} failed at tick {tick}: {reason}")]
    ActorFailed {
        /// Which.
        actor: &'static str,
        /// When.
        tick: Tick,
        /// Why.
        reason: String,
    },
    /// An actor could not be reached.
    #[error("{actor} could not be reached: {reason}")]
    Unreachable {
        /// Which.
        actor: &'static str,
        /// Why.
        reason: String,
    },
    /// Events could not be written.
    #[error("the events could not be written: {0}")]
    Write(WriteError),
    /// The Lethe's store could not be opened.
    #[error(transparent)]
    Store(#[from] LetheFolderError),
    /// A thread could not be started.
    #[error("a thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Carries out a plan with actors and gives the sink back when all events are in it. The Lethe is empty in the beginning and gone
/// in the end.
///
/// # Errors
/// When a shared actor fails, or the events or bloodstains can't be kept.
///
/// # Panics
/// When the bars aren't those the plan was made with.
pub fn run<S: EventSink>(
    plan: Plan,
    bars: Vec<Vec<Bar>>,
    options: RunOptions,
    sink: S,
) -> Result<Finished<S>, RunError> {
    run_from(plan, bars, (&EarlierBloodstains::default(), SledStore::temporary()?), options, sink)
}

/// The same from what earlier runs have left, over a store that holds it.
///
/// # Errors
/// When a shared actor fails, or the events or bloodstains can't be kept.
///
/// # Panics
/// When the bars aren't those the plan was made with.
pub fn run_from<S: EventSink>(
    plan: Plan,
    bars: Vec<Vec<Bar>>,
    lethe: (&EarlierBloodstains, SledStore),
    options: RunOptions,
    sink: S,
) -> Result<Finished<S>, RunError> {
    let (earlier_bloodstains, store) = lethe;
    go_on(World::begin(plan, bars, earlier_bloodstains, store), 0, options, sink)
}

/// Goes on with a world from the barrier it is at, whoever has driven it so far; `lived_so_far` is how many steps of golems that was.
///
/// # Errors
/// When a shared actor fails, or the events or bloodstains can't be kept.
pub fn go_on<L, S>(
    world: World<L>,
    lived_so_far: u64,
    options: RunOptions,
    sink: S,
) -> Result<Finished<S>, RunError>
where
    L: BloodstainStore + Unpin + Send + 'static,
    S: EventSink,
{
    let (pen, writer) = start_writer(sink)?;
    let system = System::new();
    let result = system.block_on(async {
        let (done, ended) = oneshot::channel();
        let arbiters = start(world, lived_so_far, pen, &options, done);
        let result = ended.await.unwrap_or_else(|_| {
            Err(RunError::Unreachable { actor: "the conductor", reason: "it is gone".to_owned() })
        });
        for arbiter in &arbiters {
            arbiter.stop();
        }
        for arbiter in arbiters {
            if arbiter.join().is_err() {
                tracing::error!("an arbiter's thread panicked");
            }
        }
        System::current().stop();
        result
    });
    system.run()?;
    finish(result, writer)
}

/// The writer's word goes before the conductor's, which then only knows that the writer is gone.
fn finish<S>(result: Result<Ended, RunError>, writer: Writer<S>) -> Result<Finished<S>, RunError> {
    let ended = match result {
        Ok(ended) => Ok(ended),
        Err(error @ RunError::ActorFailed { actor: crate::recorder::NAME, .. }) => Err(error),
        Err(other) => return Err(other),
    };
    let sink = writer.finish().map_err(RunError::Write)?;
    ended.map(|ended| Finished { ended, sink })
}

/// Starts every actor and lets the conductor begin. Returns the arbiters besides the current one.
fn start<L: BloodstainStore + Unpin + Send + 'static>(
    world: World<L>,
    lived_so_far: u64,
    pen: Pen,
    options: &RunOptions,
    done: oneshot::Sender<Result<Ended, RunError>>,
) -> Vec<Arbiter> {
    let Parts {
        plan,
        tick,
        now,
        market,
        curator,
        scheduler,
        broker,
        lethe,
        pheromones,
        census,
        golems,
        inboxes,
    } = world.into_parts();
    let plan = Arc::new(plan);
    // Of a world under way it isn't known who waits for an answer.
    let foresight = if tick == 0 { Foresight::of(&plan, &market) } else { None };
    let at_once = (GOLEM_TICKS_AT_ONCE / u64::from(plan.lineages()).max(1)).max(1);
    let barrier = Barrier {
        tick,
        now,
        ahead: LookAhead::new(tick, options.ticks_at_once.min(at_once), plan.scenario().ticks, foresight),
        census,
        inboxes,
        broker_busy: broker.is_busy(),
        bloodstains: lethe.len(),
        pheromones,
        golem_ticks: lived_so_far,
    };
    let (stop, progress) = (Arc::clone(&options.stop), Arc::clone(&options.progress));
    let conductor = Conductor::new(Arc::clone(&plan), barrier, stop, progress, done).start();
    let to = || conductor.clone().recipient();

    let threads =
        options.threads.clamp(1, crate::conductor::MAILBOX_CAPACITY / 2).min(plan.lineages() as usize);
    let arbiters: Vec<Arbiter> = (1..threads).map(|_| Arbiter::new()).collect();
    let mut hands: Vec<BTreeMap<Lineage, Box<Golem>>> = (0..threads).map(|_| BTreeMap::new()).collect();
    for (lineage, golem) in golems {
        hands[lineage as usize % threads].insert(lineage, golem);
    }
    let deal = |(index, own): (usize, BTreeMap<Lineage, Box<Golem>>)| -> Addr<Dispatcher> {
        let (hand, plan, to, busy) =
            (Hand { index, of: threads }, Arc::clone(&plan), to(), pen.writer_at_work());
        match index.checked_sub(1) {
            None => Dispatcher::create(|context| Dispatcher::new(hand, plan, own, to, busy, context)),
            Some(other) => Dispatcher::start_in_arbiter(&arbiters[other].handle(), move |context| {
                Dispatcher::new(hand, plan, own, to, busy, context)
            }),
        }
    };
    let dispatchers = hands.into_iter().enumerate().map(deal).collect();
    let orchestra = Orchestra {
        dispatchers,
        market: Market { desk: market, plan: Arc::clone(&plan), conductor: to() }.start(),
        curator: Curator { desk: curator, plan: Arc::clone(&plan), conductor: to() }.start(),
        dream_scheduler: DreamScheduler { gate: scheduler, plan: Arc::clone(&plan), conductor: to() }.start(),
        llm_broker: at_second(&arbiters, LlmBroker { broker, plan: Arc::clone(&plan), conductor: to() }),
        styx_lethe: at_second(&arbiters, StyxLethe { desk: lethe, plan: Arc::clone(&plan), conductor: to() })
            .recipient(),
        recorder: Recorder { pen, conductor: to() }.start(),
    };
    conductor.do_send(Begin(Box::new(orchestra)));
    arbiters
}

/// Starts a shared actor on the second arbiter, if there is one: all golems wait for the shared actors, which therefore work side by
/// side, the market and the light ones here, the broker and the Lethe there.
fn at_second<A: Actor<Context = actix::Context<A>> + Send>(arbiters: &[Arbiter], actor: A) -> Addr<A> {
    match arbiters.first() {
        Some(second) => A::start_in_arbiter(&second.handle(), |_| actor),
        None => actor.start(),
    }
}
