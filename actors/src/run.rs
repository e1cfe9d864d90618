//! A whole run: starts the actors, lets the conductor begin, and stops the threads at the end. It is the entry point of the actor system:
//! threads, arbiters, graceful shutdown. Threads are joined at the end, so that a sink is whole when it is returned. The laboratory drives
//! runs, branches and repetitions by `go_on`; unless the user says `--threads`, it chooses their number (one for every 64 golems, up to the
//! cores, less one where tables are written). Runs with checkpoints, steered and watched worlds, `--plain` and cells of sweeps, among
//! others, use the engine's plain loop instead, which gives the same events. A run that is stopped returns normally, with `interrupted`
//! set.

use crate::conductor::{Begin, Conductor, RunActors, RunState};
use crate::dispatcher::{Dispatcher, Shard};
use crate::event_writer::{EventWriter, WriterThread, start_writer};
use crate::lethe_store::SledStore;
use crate::lookahead::Lookahead;
use crate::outcome::{Ended, Finished, RunError};
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::service::ServiceActors;
use crate::sink::EventSink;
use actix::{Actor, Addr};
use actix_rt::{Arbiter, System};
use morta_base::Lineage;
use morta_engine::golem::Golem;
use morta_engine::lethe::{BloodstainStore, EarlierBloodstains};
use morta_engine::market::Bar;
use morta_engine::world::{MarketLookahead, Parts, Plan, World};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::sync::oneshot;

/// Options for the execution of a run (thread count, lookahead); none of them changes what happens in it.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Arbiters that golems live on, at least 1; the first is shared with the shared actors.
    pub threads: usize,
    /// Ticks that a golem may live through at once where nothing can reach it in between, at least 1. A large population gets fewer,
    /// because the outboxes of all its golems wait in memory.
    pub ticks_at_once: u64,
    /// When set, the run ends at the first tick that no golem has lived through.
    pub stop: Arc<AtomicBool>,
    /// The run's progress; may be read at any time.
    pub progress: Arc<Progress>,
}

/// Default of [`RunOptions::ticks_at_once`]: enough to spread the cost of a message over many steps, few enough that their contexts stay in
/// the cache. Measured against one message for each golem and tick ("stepwise" in `benches/RESULTS.md`), with which runs take 2.2 to 2.6
/// times as long.
const TICKS_AT_ONCE: u64 = 32;
/// The most golem-ticks that may be lived ahead at once. It bounds memory, because their events wait in the outboxes until the conductor
/// reaches their ticks. Our choice: 32 ticks up to 12,500 golems, and 4 ticks at 100,000.
const GOLEM_TICKS_AT_ONCE: u64 = 400_000;

impl Default for RunOptions {
    fn default() -> Self {
        let (stop, progress) = (Arc::default(), Arc::default());
        Self { threads: 1, ticks_at_once: TICKS_AT_ONCE, stop, progress }
    }
}

/// Carries out a plan with actors and returns the sink with all events in it. The Lethe is empty at the beginning and deleted at the end.
/// The laboratory's conformance check of memories compares such runs with the plain loop.
///
/// # Errors
/// When an actor fails, a model outside gives no answer, no thread can be started, or the events or bloodstains can't be kept.
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

/// Carries out a plan as [`run`] does, with a Lethe that begins with the bloodstains of earlier runs; the store must hold them.
///
/// # Errors
/// When an actor fails, a model outside gives no answer, no thread can be started, or the events or bloodstains can't be kept.
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

/// Continues a world from its barrier, whether actors or the plain loop have driven it so far; `lived_so_far` is the number of golems' steps
/// until then (continued run).
///
/// # Errors
/// When an actor fails, a model outside gives no answer, no thread can be started, or the events or bloodstains can't be kept.
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
    let (writer, thread) = start_writer(sink)?;
    let system = System::new();
    let result = system.block_on(async {
        let (done, ended) = oneshot::channel();
        let arbiters = start(world, lived_so_far, writer, &options, done);
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
    finish(result, thread)
}

/// Joins the writer's thread. When the recorder has failed, the writer's own error is returned instead of the conductor's, because the
/// conductor only knows that the writer is gone.
fn finish<S>(result: Result<Ended, RunError>, thread: WriterThread<S>) -> Result<Finished<S>, RunError> {
    let ended = match result {
        Ok(ended) => Ok(ended),
        Err(error @ RunError::ActorFailed { actor: crate::recorder::NAME, .. }) => Err(error),
        Err(other) => return Err(other),
    };
    let sink = thread.finish().map_err(RunError::Write)?;
    ended.map(|ended| Finished { ended, sink })
}

/// Starts every actor and lets the conductor begin. Returns the arbiters besides the current one.
fn start<L: BloodstainStore + Unpin + Send + 'static>(
    world: World<L>,
    lived_so_far: u64,
    writer: EventWriter,
    options: &RunOptions,
    done: oneshot::Sender<Result<Ended, RunError>>,
) -> Vec<Arbiter> {
    let Parts { plan, barrier, services, golems } = world.into_parts();
    let plan = Arc::new(plan);
    // Golems live ahead only from tick 0 on: in a world under way some may wait for answers, and nothing here says which.
    let market =
        if barrier.tick() == 0 { MarketLookahead::from_market(&plan, &services.market) } else { None };
    let window = (GOLEM_TICKS_AT_ONCE / u64::from(plan.lineages()).max(1)).max(1);
    let window = options.ticks_at_once.min(window);
    let lookahead = Lookahead::new(barrier.tick(), window, plan.scenario().ticks, market);
    let state = RunState { barrier, lookahead, golem_ticks: lived_so_far };
    let (stop, progress) = (Arc::clone(&options.stop), Arc::clone(&options.progress));
    let conductor = Conductor::new(Arc::clone(&plan), state, stop, progress, done).start();
    let reports = conductor.clone().recipient();

    // At most half of the conductor's mailbox: every dispatcher and every shared actor may report at once, and a full mailbox would
    // reject a report.
    let threads =
        options.threads.clamp(1, crate::conductor::MAILBOX_CAPACITY / 2).min(plan.lineages() as usize);
    let arbiters: Vec<Arbiter> = (1..threads).map(|_| Arbiter::new()).collect();
    let mut shard_golems: Vec<BTreeMap<Lineage, Box<Golem>>> =
        (0..threads).map(|_| BTreeMap::new()).collect();
    for (lineage, golem) in golems {
        shard_golems[lineage as usize % threads].insert(lineage, golem);
    }
    let start_dispatcher = |(index, own): (usize, BTreeMap<Lineage, Box<Golem>>)| -> Addr<Dispatcher> {
        let shard = Shard { index, count: threads };
        let (plan, reports, writer_at_work) = (Arc::clone(&plan), reports.clone(), writer.at_work());
        let new = move |context: &mut _| Dispatcher::new(shard, plan, own, reports, writer_at_work, context);
        match index.checked_sub(1) {
            None => Dispatcher::create(new),
            Some(other) => Dispatcher::start_in_arbiter(&arbiters[other].handle(), new),
        }
    };
    let actors = RunActors {
        dispatchers: shard_golems.into_iter().enumerate().map(start_dispatcher).collect(),
        services: ServiceActors::start(services, &plan, &reports, arbiters.first()),
        recorder: Recorder { writer, conductor: reports.clone() }.start(),
    };
    conductor.do_send(Begin(Box::new(actors)));
    arbiters
}
