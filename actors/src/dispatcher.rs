//! One dispatcher for each arbiter: the only golem-side actor that messages cross threads to. It fans a tick out to its
//! golems, chunk by chunk, and hands their outboxes back in the order of ids. It also supervises them: the dead are
//! dropped, the newborn started.

use crate::golem::{Arbiter, GolemActor, Slot};
use crate::message::{ChunkDone, EndLives, LiveTick, Report, Step};
use actix::{Actor, Addr, AsyncContext, Context, Handler, Recipient};
use morta_engine::base::{GolemId, Lineage};
use morta_engine::golem::{Golem, Outbox};
use morta_engine::world::{Inboxes, Plan};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// One tick is under way at a time, and one chunk of it.
const MAILBOX_CAPACITY: usize = 4;
/// Golems that are stepped between two looks at the queue: enough to hide the cost of a message, few enough that their
/// outboxes stay in cache.
const CHUNK: usize = 128;

/// Fans ticks out to the golems of one arbiter.
pub struct Dispatcher {
    index: usize,
    conductor: Recipient<Report>,
    arbiter: Rc<Arbiter>,
    golems: BTreeMap<Lineage, (GolemId, Addr<GolemActor>)>,
    /// Where the next chunk of this tick begins.
    next_lineage: Lineage,
    /// Golems in the chunk under way.
    chunk: usize,
    inboxes: Inboxes,
    births: Outbox,
    steps: Outbox,
}

impl Dispatcher {
    /// A dispatcher of those who live already; to be called on its arbiter.
    pub fn new(
        index: usize,
        plan: Arc<Plan>,
        living: BTreeMap<Lineage, Golem>,
        conductor: Recipient<Report>,
        context: &mut Context<Self>,
    ) -> Self {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        let arbiter = Arbiter {
            plan,
            now: RefCell::new(None),
            slots: RefCell::new((0..CHUNK).map(|_| Slot::default()).collect()),
            outstanding: Cell::new(0),
            ending: Cell::new(false),
            failure: RefCell::new(None),
            dispatcher: context.address(),
        };
        let arbiter = Rc::new(arbiter);
        let launch = |(lineage, golem): (Lineage, Golem)| {
            (lineage, (golem.id(), GolemActor::launch(golem, Rc::clone(&arbiter))))
        };
        Self {
            index,
            conductor,
            golems: living.into_iter().map(launch).collect(),
            arbiter,
            next_lineage: 0,
            chunk: 0,
            inboxes: Inboxes::default(),
            births: Outbox::default(),
            steps: Outbox::default(),
        }
    }

    fn next_chunk(&mut self) {
        let mut sent = 0;
        let mut unreachable = None;
        {
            let mut slots = self.arbiter.slots.borrow_mut();
            let rest = self.golems.range(self.next_lineage..);
            for ((slot, place), (lineage, (id, golem))) in slots.iter_mut().enumerate().zip(rest) {
                place.inbox = self.inboxes.take(*id);
                if let Err(error) = golem.try_send(Step { slot }) {
                    unreachable = Some(format!("golem {id} could not be reached: {error}"));
                    break;
                }
                self.next_lineage = lineage + 1;
                sent += 1;
            }
        }
        self.arbiter.outstanding.set(sent);
        match unreachable {
            Some(reason) => self.fail(reason),
            None if sent == 0 => self.hand_back(),
            None => self.chunk = sent,
        }
    }

    fn gather_chunk(&mut self) {
        let mut slots = self.arbiter.slots.borrow_mut();
        for slot in slots.iter_mut().take(self.chunk) {
            let outbox = std::mem::take(&mut slot.outbox);
            for departure in &outbox.departures {
                self.golems.remove(&departure.golem.lineage);
            }
            self.steps.append(outbox);
        }
    }

    fn hand_back(&mut self) {
        let report = Report::Golems {
            dispatcher: self.index,
            births: Box::new(std::mem::take(&mut self.births)),
            steps: Box::new(std::mem::take(&mut self.steps)),
        };
        if let Err(error) = self.conductor.try_send(report) {
            tracing::error!(%error, "the conductor could not be told of a tick");
        }
    }

    fn fail(&self, reason: String) {
        let report = Report::Failed { actor: "a dispatcher", reason };
        if let Err(error) = self.conductor.try_send(report) {
            tracing::error!(%error, "the conductor could not be told of a failure");
        }
    }
}

impl Actor for Dispatcher {
    type Context = Context<Self>;
}

impl Handler<LiveTick> for Dispatcher {
    type Result = ();

    fn handle(&mut self, message: LiveTick, _: &mut Self::Context) {
        let LiveTick { tick, context, births, inboxes } = message;
        *self.arbiter.now.borrow_mut() = Some((tick, context));
        self.inboxes = inboxes;
        for birth in births {
            let golem = self.arbiter.plan.born(birth, &mut self.births);
            let id = golem.id();
            self.golems.insert(id.lineage, (id, GolemActor::launch(golem, Rc::clone(&self.arbiter))));
        }
        self.next_lineage = 0;
        self.next_chunk();
    }
}

impl Handler<EndLives> for Dispatcher {
    type Result = ();

    fn handle(&mut self, EndLives { last, context }: EndLives, _: &mut Self::Context) {
        *self.arbiter.now.borrow_mut() = Some((last, context));
        self.arbiter.ending.set(true);
        self.next_lineage = 0;
        self.next_chunk();
    }
}

impl Handler<ChunkDone> for Dispatcher {
    type Result = ();

    fn handle(&mut self, _: ChunkDone, _: &mut Self::Context) {
        if let Some(reason) = self.arbiter.failure.borrow_mut().take() {
            return self.fail(reason);
        }
        self.gather_chunk();
        self.next_chunk();
    }
}
