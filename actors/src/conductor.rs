//! The conductor: virtual time, and the barrier between ticks. It knows the order of things and no rule of the domain.

use crate::curator::Curator;
use crate::dispatcher::Dispatcher;
use crate::dream_scheduler::DreamScheduler;
use crate::llm_broker::LlmBroker;
use crate::look_ahead::LookAhead;
use crate::market::Market;
use crate::message::{Book, Deliver, EndLives, LiveTick, Report};
use crate::recorder::Recorder;
use crate::run::{Ended, Progress, RunError};
use actix::dev::{MessageResponse, ToEnvelope};
use actix::{Actor, Addr, Context, Handler, Message, Recipient};
use morta_engine::base::{LetterId, Tick};
use morta_engine::event::Event;
use morta_engine::golem::{Answer, Outbox};
use morta_engine::lethe::PheromoneField;
use morta_engine::world::census::BarrierFacts;
use morta_engine::world::services::in_flight;
use morta_engine::world::{
    Census, FaultTarget, Inboxes, LetheMail, LetheReport, Mail, MarketReport, Plan, TickContext,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;

/// A report from each dispatcher and each shared actor may be under way at once; more arbiters than this are never made.
pub const MAILBOX_CAPACITY: usize = 1_024;

/// The conductor's first word to itself.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Begin(pub Box<Orchestra>);

/// All actors the conductor writes to.
pub struct Orchestra {
    /// In the order of their hands.
    pub dispatchers: Vec<Addr<Dispatcher>>,
    pub market: Addr<Market>,
    pub curator: Addr<Curator>,
    pub dream_scheduler: Addr<DreamScheduler>,
    pub llm_broker: Addr<LlmBroker>,
    pub styx_lethe: Recipient<Deliver<LetheMail>>,
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
    /// The recorder closes its book.
    Closing,
}

/// What the shared actors have answered at this barrier.
#[derive(Default)]
struct Answers {
    market: Option<Box<MarketReport>>,
    curator: Vec<(LetterId, Answer)>,
    dream_scheduler: Vec<(LetterId, Answer)>,
    llm_broker: Vec<(LetterId, Answer)>,
    styx_lethe: Box<LetheReport>,
}

/// Owns virtual time.
pub struct Conductor {
    plan: Arc<Plan>,
    tick: Tick,
    phase: Phase,
    /// Reports that are still to come in this phase.
    awaited: usize,
    now: TickContext,
    ahead: LookAhead,
    census: Census,
    inboxes: Inboxes,
    outboxes: Vec<Option<(Box<Outbox>, Box<Outbox>)>>,
    merged: Outbox,
    answers: Answers,
    broker_busy: bool,
    bloodstains: u32,
    pheromones: Arc<PheromoneField>,
    golem_ticks: u64,
    interrupted: bool,
    orchestra: Option<Box<Orchestra>>,
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    done: Option<oneshot::Sender<Result<Ended, RunError>>>,
}

/// Where a world is when its conductor takes over.
pub struct Barrier {
    pub tick: Tick,
    pub now: TickContext,
    pub ahead: LookAhead,
    pub census: Census,
    pub inboxes: Inboxes,
    pub broker_busy: bool,
    pub bloodstains: u32,
    pub pheromones: Arc<PheromoneField>,
    /// Steps of golems so far.
    pub golem_ticks: u64,
}

impl Conductor {
    /// A conductor of a world at a barrier.
    pub fn new(
        plan: Arc<Plan>,
        barrier: Barrier,
        stop: Arc<AtomicBool>,
        progress: Arc<Progress>,
        done: oneshot::Sender<Result<Ended, RunError>>,
    ) -> Self {
        let Barrier { tick, now, ahead, census, inboxes, broker_busy, bloodstains, pheromones, golem_ticks } =
            barrier;
        Self {
            census,
            plan,
            tick,
            phase: Phase::Golems,
            awaited: 0,
            now,
            ahead,
            inboxes,
            outboxes: Vec::new(),
            merged: Outbox::default(),
            answers: Answers::default(),
            broker_busy,
            bloodstains,
            pheromones,
            golem_ticks,
            interrupted: false,
            orchestra: None,
            stop,
            progress,
            done: Some(done),
        }
    }

    /// Begins a tick, or ends the run: where the scenario ends, with the last golem, or at the first tick that nobody has lived
    /// through after somebody asked for an end.
    fn next_tick(&mut self) -> Result<(), RunError> {
        let over = self.tick >= self.plan.scenario().ticks || !self.census.has_future();
        self.interrupted = !over && self.stop.load(Ordering::Relaxed);
        if over || (self.interrupted && self.tick >= self.ahead.told_until()) {
            return self.end_lives();
        }
        self.phase = Phase::Golems;
        let contexts = self.ahead.tell(self.tick, &self.now, self.interrupted);
        let births = self.census.births(self.tick);
        self.golem_ticks += self.census.living().len() as u64;
        let orchestra = self.orchestra.as_ref().expect("the conductor has begun");
        let hands = orchestra.dispatchers.len();
        let inboxes = std::mem::take(&mut self.inboxes).deal(hands);
        let mut births_of: Vec<Vec<_>> = (0..hands).map(|_| Vec::new()).collect();
        births.into_iter().for_each(|birth| births_of[birth.id.lineage as usize % hands].push(birth));
        for ((dispatcher, inboxes), births) in orchestra.dispatchers.iter().zip(inboxes).zip(births_of) {
            let message = LiveTick { tick: self.tick, contexts: contexts.clone(), births, inboxes };
            tell(dispatcher, message, "a dispatcher")?;
        }
        self.awaited += hands;
        Ok(())
    }

    fn end_lives(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Lives;
        let orchestra = self.orchestra.as_ref().expect("the conductor has begun");
        for dispatcher in &orchestra.dispatchers {
            let message = EndLives { last: self.tick.saturating_sub(1), context: Box::new(self.now.clone()) };
            tell(dispatcher, message, "a dispatcher")?;
        }
        self.awaited += orchestra.dispatchers.len();
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

    /// All golems have stepped: their letters are delivered. Who gets none, and has nothing under way, is left in peace.
    fn deliver(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Services;
        self.merged = self.merge_outboxes();
        let mail = Mail::sort(std::mem::take(&mut self.merged.letters));
        let tick = self.tick;
        let strikes = |target| self.plan.shared_fault(target, tick);
        let orchestra = self.orchestra.as_ref().expect("the conductor has begun");
        tell(&orchestra.market, Deliver { tick, letters: mail.orders }, "the market")?;
        let mut awaited = 1;
        if !mail.curations.is_empty() || strikes(FaultTarget::Curator) {
            tell(&orchestra.curator, Deliver { tick, letters: mail.curations }, "the Curator")?;
            awaited += 1;
        }
        if !mail.dreams.is_empty() || strikes(FaultTarget::DreamScheduler) {
            tell(&orchestra.dream_scheduler, Deliver { tick, letters: mail.dreams }, "the dream scheduler")?;
            awaited += 1;
        }
        if self.broker_busy || !mail.inference.is_empty() || strikes(FaultTarget::LlmBroker) {
            tell(&orchestra.llm_broker, Deliver { tick, letters: mail.inference }, "the LLM broker")?;
            awaited += 1;
        }
        if !mail.lethe.is_empty() || strikes(FaultTarget::StyxLethe) {
            let sent = orchestra.styx_lethe.try_send(Deliver { tick, letters: mail.lethe });
            sent.map_err(|error| unreachable("the Styx Lethe", &error))?;
            awaited += 1;
        }
        self.awaited += awaited;
        Ok(())
    }

    /// All answers are in: the tick is closed and recorded.
    fn close(&mut self) -> Result<(), RunError> {
        let answers = std::mem::take(&mut self.answers);
        let market = answers.market.expect("the market answers at every barrier");
        let facts = BarrierFacts {
            market: market.ledger,
            in_flight: in_flight(&market.answers),
            bloodstains: self.bloodstains,
        };
        self.inboxes = Inboxes::default();
        self.inboxes.add(market.answers);
        self.inboxes.add(answers.curator);
        self.inboxes.add(answers.dream_scheduler);
        self.inboxes.add(answers.llm_broker);
        let LetheReport { answers, news, pheromones } = *answers.styx_lethe;
        self.inboxes.add(answers);
        self.inboxes.add_news(news);
        if let Some(pheromones) = pheromones {
            self.pheromones = pheromones;
        }
        let mut out = std::mem::take(&mut self.merged);
        let closed = self.census.close(self.tick, &out, facts, &self.now, &self.plan);
        self.progress.note(&closed);
        let mut events = market.events;
        events.append(&mut out.events);
        events.push(closed);
        self.record(events)?;
        self.now = market.next;
        self.now.pheromones = Arc::clone(&self.pheromones);
        self.tick += 1;
        self.next_tick()
    }

    fn record(&mut self, events: Vec<Event>) -> Result<(), RunError> {
        let orchestra = self.orchestra.as_ref().expect("the conductor has begun");
        tell(&orchestra.recorder, Book::Events(events), "the recorder")?;
        self.awaited += 1;
        Ok(())
    }

    fn close_book(&mut self) -> Result<(), RunError> {
        self.phase = Phase::Closing;
        let lives = self.merge_outboxes();
        self.record(lives.events)?;
        let orchestra = self.orchestra.as_ref().expect("the conductor has begun");
        tell(&orchestra.recorder, Book::Close, "the recorder")?;
        self.awaited += 1;
        Ok(())
    }

    fn advance(&mut self) -> Result<(), RunError> {
        match self.phase {
            Phase::Golems => self.deliver(),
            Phase::Services => self.close(),
            Phase::Lives => self.close_book(),
            Phase::Closing => {
                self.end(Ok(Ended {
                    ticks: self.tick,
                    golem_ticks: self.golem_ticks,
                    ledger_conserved: self.census.money_conserved(),
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
            Report::Market(report) => self.answers.market = Some(report),
            Report::Curator(answers) => self.answers.curator = answers,
            Report::DreamScheduler(answers) => self.answers.dream_scheduler = answers,
            Report::LlmBroker { answers, busy } => {
                self.answers.llm_broker = answers;
                self.broker_busy = busy;
            }
            Report::StyxLethe { report, bloodstains } => {
                self.answers.styx_lethe = report;
                self.bloodstains = bloodstains;
            }
            Report::Recorded => {}
            Report::Failed { actor, reason } => {
                return Err(RunError::ActorFailed { actor, tick: self.tick, reason });
            }
        }
        self.awaited -= 1;
        if self.awaited == 0 { self.advance() } else { Ok(()) }
    }
}

/// Sends a message whose loss would be an error.
fn tell<A, M>(actor: &Addr<A>, message: M, name: &'static str) -> Result<(), RunError>
where
    A: Actor + Handler<M>,
    M: Message + Send + 'static,
    M::Result: MessageResponse<A, M> + Send,
    A::Context: ToEnvelope<A, M>,
{
    actor.try_send(message).map_err(|error| unreachable(name, &error))
}

fn unreachable(actor: &'static str, error: &dyn std::fmt::Display) -> RunError {
    RunError::Unreachable { actor, reason: error.to_string() }
}

impl Actor for Conductor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Begin> for Conductor {
    type Result = ();

    fn handle(&mut self, Begin(orchestra): Begin, _: &mut Self::Context) {
        self.outboxes = orchestra.dispatchers.iter().map(|_| None).collect();
        self.orchestra = Some(orchestra);
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
