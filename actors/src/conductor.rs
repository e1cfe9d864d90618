//! The conductor: virtual time, and the barrier between ticks. It knows the order of things and no rule of the domain.

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

/// A report from each dispatcher and each shared actor may be under way at once; more arbiters than this are never made.
pub const MAILBOX_CAPACITY: usize = 1_024;

/// Lets the conductor begin; what it writes to is started after it, because it reports to it.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Begin(pub Box<RunActors>);

/// All actors the conductor writes to.
pub struct RunActors {
    /// In the order of their shards.
    pub dispatchers: Vec<Addr<Dispatcher>>,
    pub services: ServiceActors,
    pub recorder: Addr<Recorder>,
}

/// What everybody is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Golems live through the tick.
    Golems,
    /// The shared actors answer.
    Services,
    /// The run is over, and golems tell their lives.
    Lives,
    /// The recorder passes on what it still has.
    Finishing,
}

/// Owns virtual time.
pub struct Conductor {
    plan: Arc<Plan>,
    barrier: Barrier,
    lookahead: Lookahead,
    phase: Phase,
    /// Reports that are still to come in this phase.
    awaited: usize,
    outboxes: Vec<Option<(Box<Outbox>, Box<Outbox>)>>,
    /// What all golems did in the tick that the services are serving.
    merged: Outbox,
    reports: Reports,
    /// Steps of golems so far.
    golem_ticks: u64,
    interrupted: bool,
    actors: Option<Box<RunActors>>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    done: Option<oneshot::Sender<Result<Ended, RunError>>>,
}

/// Where a run is when its conductor takes over.
pub struct RunState {
    pub barrier: Barrier,
    pub lookahead: Lookahead,
    /// Steps of golems so far.
    pub golem_ticks: u64,
}

impl Conductor {
    /// A conductor of a world at a barrier.
    pub fn new(
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

    /// Begins a tick, or ends the run: where the scenario ends, with the last golem, or at the first tick that nobody has lived
    /// through after somebody asked for an end.
    fn next_tick(&mut self) -> Result<(), RunError> {
        let over = !self.barrier.goes_on(&self.plan);
        self.interrupted = !over && self.stop.load(Ordering::Relaxed);
        let tick = self.barrier.tick();
        if over || (self.interrupted && tick >= self.lookahead.told_until()) {
            return self.end_lives();
        }
        self.phase = Phase::Golems;
        let contexts = self.lookahead.tell(tick, self.barrier.now(), self.interrupted);
        let births = self.barrier.births();
        self.golem_ticks += self.barrier.census().living().len() as u64;
        let shards = self.actors().dispatchers.len();
        let inboxes = self.barrier.take_inboxes().into_shards(shards);
        let mut births_of: Vec<Vec<_>> = (0..shards).map(|_| Vec::new()).collect();
        births.into_iter().for_each(|birth| births_of[birth.id.lineage as usize % shards].push(birth));
        for ((dispatcher, inboxes), births) in self.actors().dispatchers.iter().zip(inboxes).zip(births_of) {
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

    /// All golems have stepped: their letters are delivered.
    fn deliver(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Services;
        self.merged = self.merge_outboxes();
        let letters = std::mem::take(&mut self.merged.letters);
        let deliveries = self.barrier.deliver(letters, &self.plan);
        self.awaited += self.actors().services.deliver(self.barrier.tick(), deliveries)?;
        Ok(())
    }

    /// All reports are in: the tick is closed and recorded.
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
            // Nobody listening any more means that nobody wants to know.
            let _unheard = done.send(result);
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

/// Sends a message whose loss would be an error.
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
        if self.done.is_none() {
            return;
        }
        if let Err(error) = self.take(report) {
            self.end(Err(error));
        }
    }
}
