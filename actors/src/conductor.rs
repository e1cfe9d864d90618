//! The conductor: virtual time, and the barrier between ticks. It is a barrier synchronization (bulk synchronous parallel) with a
//! virtual clock; times are ticks. One tick has two phases: all golems step (those that have lived ahead have done so, `lookahead`), then
//! the shared actors serve the letters written in it; the barrier then closes the tick and its events go to the recorder. Two more phases
//! end a run: life events of the golems that outlive it, and the last record. It fixes this order and holds no rule of the domain, so that
//! the plain loop and the actors can't differ in a rule: both call the engine's barrier. The first failure reported by any actor ends the
//! run with an error.

use crate::dispatcher::Dispatcher;
use crate::lookahead::Lookahead;
use crate::message::{EndLives, LiveTick, Record, Report};
use crate::outcome::{Ended, RunError};
use crate::progress::Progress;
use crate::recorder::{self, Recorder};
use crate::service::ServiceActors;
use actix::dev::{MessageResponse, ToEnvelope};
use actix::{Actor, Addr, Context, Handler, Message};
use morta_engine::event::Event;
use morta_engine::golem::Outbox;
use morta_engine::world::service::Reports;
use morta_engine::world::{Barrier, Plan};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;

/// Messages that the conductor's mailbox holds. Each dispatcher and each shared actor may have one report under way; `run` starts at most
/// half as many arbiters, so that no report is rejected by a full mailbox. Our choice: far above the cores of one machine.
pub(crate) const MAILBOX_CAPACITY: usize = 1_024;

/// Lets the conductor begin (start message). The other actors are started after it, because each of them is given its address for reports.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Begin(pub Box<RunActors>);

/// The actors that the conductor sends messages to (actor addresses).
pub(crate) struct RunActors {
    /// The dispatchers, in the order of their shards.
    pub dispatchers: Vec<Addr<Dispatcher>>,
    pub services: ServiceActors,
    pub recorder: Addr<Recorder>,
}

/// The step of a tick, or of the run's end, that the conductor waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The golems step through the tick.
    Golems,
    /// The shared actors serve the tick's letters.
    Services,
    /// The run is over, and the golems that outlive it write their life events.
    Lives,
    /// The recorder passes its last events on to the writer.
    Finishing,
}

/// The actor that owns virtual time and the barrier between ticks (coordinator, virtual clock).
pub(crate) struct Conductor {
    plan: Arc<Plan>,
    barrier: Barrier,
    lookahead: Lookahead,
    phase: Phase,
    /// Reports that are outstanding in this phase. The record of a tick counts in the next phase, so that writing overlaps with living.
    awaited: usize,
    /// The outboxes of births and of steps, by dispatcher; `None` until a dispatcher has reported.
    outboxes: Vec<Option<(Box<Outbox>, Box<Outbox>)>>,
    /// The outboxes of all golems, merged, of the tick that the services are serving.
    merged: Outbox,
    /// What the services have reported in this tick.
    reports: Reports,
    /// Steps of golems so far.
    golem_ticks: u64,
    /// Whether the user has stopped the run before its scenario's end.
    interrupted: bool,
    actors: Option<Box<RunActors>>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Takes the end of the run or its first error; `None` once it has.
    done: Option<oneshot::Sender<Result<Ended, RunError>>>,
}

/// The state of a run when its conductor takes over (initial run state).
pub(crate) struct RunState {
    pub barrier: Barrier,
    pub lookahead: Lookahead,
    /// Steps of golems so far; 0 for a new world.
    pub golem_ticks: u64,
}

impl Conductor {
    /// Makes the conductor of a world at a barrier.
    pub(crate) fn new(
        plan: Arc<Plan>,
        state: RunState,
        stop: Arc<AtomicBool>,
        progress: Arc<Progress>,
        done: oneshot::Sender<Result<Ended, RunError>>,
    ) -> Self {
        let RunState { barrier, lookahead, golem_ticks } = state;
        Self {
            plan,
            barrier,
            lookahead,
            phase: Phase::Golems,
            awaited: 0,
            outboxes: Vec::new(),
            merged: Outbox::default(),
            reports: Reports::default(),
            golem_ticks,
            interrupted: false,
            actors: None,
            stop,
            progress,
            done: Some(done),
        }
    }

    fn actors(&self) -> &RunActors {
        self.actors.as_ref().expect("the conductor has begun")
    }

    /// Begins a tick, or ends the run. A run ends at the scenario's end, with the death of its last golem, or after a stop is requested. A
    /// stopped run first closes every tick that has been opened to golems: some may have lived through it already, and their events
    /// would be lost otherwise.
    fn next_tick(&mut self) -> Result<(), RunError> {
        let over = !self.barrier.goes_on(&self.plan);
        self.interrupted = !over && self.stop.load(Ordering::Relaxed);
        let tick = self.barrier.tick();
        if over || (self.interrupted && tick >= self.lookahead.opened_until()) {
            return self.end_lives();
        }
        self.phase = Phase::Golems;
        let contexts = self.lookahead.open_contexts(tick, self.barrier.now(), self.interrupted);
        let births = self.barrier.births();
        self.golem_ticks += self.barrier.census().living().len() as u64;
        let shards = self.actors().dispatchers.len();
        let inboxes = self.barrier.take_inboxes().into_shards(shards);
        let mut shard_births: Vec<Vec<_>> = (0..shards).map(|_| Vec::new()).collect();
        births.into_iter().for_each(|birth| shard_births[birth.id.lineage as usize % shards].push(birth));
        for ((dispatcher, inboxes), births) in self.actors().dispatchers.iter().zip(inboxes).zip(shard_births)
        {
            let message = LiveTick { tick, contexts: contexts.clone(), births, inboxes };
            send(dispatcher, message, "a dispatcher")?;
        }
        self.awaited += shards;
        Ok(())
    }

    fn end_lives(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Lives;
        let (last, now) = (self.barrier.tick().saturating_sub(1), self.barrier.now());
        let dispatchers = &self.actors().dispatchers;
        for dispatcher in dispatchers {
            send(dispatcher, EndLives { last, context: Box::new(now.clone()) }, "a dispatcher")?;
        }
        self.awaited += dispatchers.len();
        Ok(())
    }

    /// Merges the outboxes of all dispatchers: births first, then steps, each in the order of ids. Dispatchers report in any order, so
    /// sorting here is what makes a run the same on any number of threads.
    fn merge_outboxes(&mut self) -> Outbox {
        let outboxes: Vec<_> = self
            .outboxes
            .iter_mut()
            .map(|outbox| outbox.take().expect("every dispatcher has reported"))
            .collect();
        let (births, steps): (Vec<_>, Vec<_>) = outboxes.into_iter().unzip();
        let [mut births, mut steps] = [births, steps].map(|outboxes| {
            let mut merged = Outbox::default();
            outboxes.into_iter().for_each(|outbox| merged.append(*outbox));
            merged.sort();
            merged
        });
        births.append(std::mem::take(&mut steps));
        births
    }

    /// Delivers the golems' letters to the shared actors, once all golems have stepped.
    fn deliver(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Services;
        self.merged = self.merge_outboxes();
        let letters = std::mem::take(&mut self.merged.letters);
        let deliveries = self.barrier.deliver(letters, &self.plan);
        self.awaited += self.actors().services.deliver(self.barrier.tick(), deliveries)?;
        Ok(())
    }

    /// Closes and records the tick, once all shared actors have reported.
    fn close(&mut self) -> Result<(), RunError> {
        let (out, reports) = (std::mem::take(&mut self.merged), std::mem::take(&mut self.reports));
        let events = self.barrier.close(out, reports, &self.plan);
        if let Some(closed) = events.last() {
            self.progress.note(closed);
        }
        self.record(events)?;
        self.next_tick()
    }

    fn record(&mut self, events: Vec<Event>) -> Result<(), RunError> {
        send(&self.actors().recorder, Record::Events(events), recorder::NAME)?;
        self.awaited += 1;
        Ok(())
    }

    fn finish_recording(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Finishing;
        let lives = self.merge_outboxes();
        self.record(lives.events)?;
        send(&self.actors().recorder, Record::Finish, recorder::NAME)?;
        self.awaited += 1;
        Ok(())
    }

    fn advance(&mut self) -> Result<(), RunError> {
        match self.phase {
            Phase::Golems => self.deliver(),
            Phase::Services => self.close(),
            Phase::Lives => self.finish_recording(),
            Phase::Finishing => {
                self.end(Ok(Ended {
                    ticks: self.barrier.tick(),
                    golem_ticks: self.golem_ticks,
                    ledger_conserved: self.barrier.census().money_conserved(),
                    interrupted: self.interrupted,
                }));
                Ok(())
            }
        }
    }

    fn end(&mut self, result: Result<Ended, RunError>) {
        if let Some(done) = self.done.take() {
            // The receiver is dropped only when the caller of the run is gone: then there is nobody to report to.
            let _receiver_gone = done.send(result);
        }
    }

    fn take(&mut self, report: Report) -> Result<(), RunError> {
        match report {
            Report::Golems { dispatcher, births, steps } => self.outboxes[dispatcher] = Some((births, steps)),
            Report::Served(served) => self.reports.add(*served),
            Report::Recorded => {}
            Report::Unanswered(error) => {
                return Err(RunError::Unanswered { tick: self.barrier.tick(), error });
            }
            Report::Failed { actor, reason } => {
                return Err(RunError::ActorFailed { actor, tick: self.barrier.tick(), reason });
            }
        }
        self.awaited -= 1;
        if self.awaited == 0 { self.advance() } else { Ok(()) }
    }
}

/// Sends a message whose loss would be an error. `try_send`, because `do_send` drops the failure of a closed mailbox.
fn send<A, M>(actor: &Addr<A>, message: M, name: &'static str) -> Result<(), RunError>
where
    A: Actor + Handler<M>,
    M: Message + Send + 'static,
    M::Result: MessageResponse<A, M> + Send,
    A::Context: ToEnvelope<A, M>,
{
    let sent = actor.try_send(message);
    sent.map_err(|error| RunError::Unreachable { actor: name, reason: error.to_string() })
}

impl Actor for Conductor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Begin> for Conductor {
    type Result = ();

    fn handle(&mut self, Begin(actors): Begin, _: &mut Self::Context) {
        self.outboxes = actors.dispatchers.iter().map(|_| None).collect();
        self.actors = Some(actors);
        if let Err(error) = self.next_tick() {
            self.end(Err(error));
        }
    }
}

impl Handler<Report> for Conductor {
    type Result = ();

    fn handle(&mut self, report: Report, _: &mut Self::Context) {
        // After a failure the reports that were under way still arrive; the run has ended with the first error.
        if self.done.is_none() {
            return;
        }
        if let Err(error) = self.take(report) {
            self.end(Err(error));
        }
    }
}
