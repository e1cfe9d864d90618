//! The golem actor: one for each golem.

use crate::message::{ChunkDone, Step};
use crate::open_ticks::OpenTicks;
use actix::{Actor, ActorContext, Addr, Context, Handler, Recipient};
use morta_base::{Lineage, Tick, panic_message};
use morta_engine::golem::{Answer, Golem};
use morta_engine::world::Plan;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// A golem gets one message a tick, and the next only after it has answered; a mailbox that one message fills would park its sender.
const MAILBOX_CAPACITY: usize = 2;

/// What the golems of one arbiter share: the ticks they may live through, and what they hand back.
pub struct ArbiterState {
    pub plan: Arc<Plan>,
    pub open: RefCell<OpenTicks>,
    pub slots: RefCell<Vec<Slot>>,
    /// Golems of the current chunk that have not stepped yet.
    pub outstanding: Cell<usize>,
    /// Whether the run is over and golems only tell their lives.
    pub ending: Cell<bool>,
    pub failure: RefCell<Option<String>>,
    /// Who hears that all golems of the chunk have stepped.
    pub dispatcher: Recipient<ChunkDone>,
}

/// One golem's slot in the slab of a chunk: what it is answered, and what has come of its step. It stays in place: what goes
/// through mailboxes is its number.
#[derive(Default)]
pub struct Slot {
    pub lineage: Lineage,
    pub inbox: Vec<Answer>,
    /// The tick it has to be stepped at next; `None` when it is gone.
    pub due: Option<Tick>,
}

/// One golem.
pub struct GolemActor {
    golem: Box<Golem>,
    /// Letters that will be answered and haven't been.
    unanswered: u32,
    arbiter: Rc<ArbiterState>,
}

impl GolemActor {
    /// Starts the actor on the current arbiter.
    pub fn launch(golem: Box<Golem>, arbiter: Rc<ArbiterState>) -> Addr<Self> {
        Self::create(|context| {
            context.set_mailbox_capacity(MAILBOX_CAPACITY);
            Self { golem, unanswered: 0, arbiter }
        })
    }

    /// Steps, and goes on with the ticks that are open for as long as it waits for no answer. Returns the tick it is due at again;
    /// `None` when it has departed.
    fn step(&mut self, mut inbox: Vec<Answer>) -> Option<Tick> {
        let mut open = self.arbiter.open.borrow_mut();
        let plan = &self.arbiter.plan;
        let first = open.first();
        if self.arbiter.ending.get() {
            let (context, outbox) = open.at(first);
            outbox.events.extend(self.golem.outlive_the_run(
                first,
                plan.rules(self.golem.cohort()),
                &context.view.assets,
            ));
            return Some(first);
        }
        let heard = inbox.iter().filter(|answer| answer.was_asked_for()).count();
        self.unanswered = self.unanswered.saturating_sub(heard as u32);
        for tick in open.range() {
            let (context, outbox) = open.at(tick);
            let moment = context.moment(tick, plan, self.golem.cohort());
            let (letters, departures) = (outbox.letters.len(), outbox.departures.len());
            let fault = plan.golem_fault(self.golem.id().lineage, tick);
            self.golem.step_guarded(&moment, std::mem::take(&mut inbox), fault, outbox);
            if outbox.departures.len() > departures {
                return None;
            }
            let asked = outbox.letters[letters..].iter().filter(|(_, letter)| letter.is_answered());
            self.unanswered += asked.count() as u32;
            if self.unanswered > 0 {
                return Some(tick + 1);
            }
        }
        Some(open.range().end)
    }
}

impl Actor for GolemActor {
    type Context = Context<Self>;
}

impl Handler<Step> for GolemActor {
    type Result = ();

    fn handle(&mut self, Step { slot }: Step, context: &mut Self::Context) {
        let inbox = std::mem::take(&mut self.arbiter.slots.borrow_mut()[slot].inbox);
        match catch_unwind(AssertUnwindSafe(|| self.step(inbox))) {
            Ok(due) => {
                self.arbiter.slots.borrow_mut()[slot].due = due;
                if due.is_none() {
                    context.stop();
                }
            }
            Err(panic) => *self.arbiter.failure.borrow_mut() = Some(panic_message(panic.as_ref())),
        }
        let left = self.arbiter.outstanding.get() - 1;
        self.arbiter.outstanding.set(left);
        if left == 0 {
            // The dispatcher's own mailbox: it is waiting for exactly this.
            self.arbiter.dispatcher.do_send(ChunkDone);
        }
    }
}
