//! The golem actor: one for each golem (actix actor). Its state machine is the engine's; this shell feeds it messages and ticks, because an
//! actor must hold no rule of its own. One message steps it through all open ticks (one where `lookahead` is off, as where trades move the
//! market; else 32 by default, fewer in large populations), or until it writes a letter that needs an answer or departs; while an answer is
//! outstanding, one tick. At the end of a run the same message makes it write its last events instead. A panic of the golem's rules kills
//! the golem and is contained in the engine; a panic of this shell ends the run.

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

/// Messages that the mailbox holds. A golem gets one message a tick, and the next only after the chunk is done. Two rather than one,
/// because a mailbox that one message fills would park its sender.
const MAILBOX_CAPACITY: usize = 2;

/// State that the golems of one arbiter share with its dispatcher (shared arbiter state). It is behind `Rc` and cells rather than in
/// messages: all of them run on one thread, so that an inbox or outbox needn't be moved through a mailbox.
pub(crate) struct ArbiterState {
    pub plan: Arc<Plan>,
    /// The ticks that golems may live through, with their outboxes.
    pub open: RefCell<OpenTicks>,
    /// Inboxes and due ticks of the golems of the current chunk, by the slot of their message.
    pub slots: RefCell<Vec<Slot>>,
    /// Golems of the current chunk that have not stepped yet.
    pub outstanding: Cell<usize>,
    /// Whether the run is over and golems only write their life events.
    pub ending: Cell<bool>,
    /// The message of a panic in the shell around a golem; the dispatcher ends the run with it. A panic of the golem's own rules doesn't get
    /// here, because the engine contains it: the golem dies of it.
    pub failure: RefCell<Option<String>>,
    /// The dispatcher, which is notified when all golems of the chunk have stepped.
    pub dispatcher: Recipient<ChunkDone>,
}

/// One golem's slot in the slab of a chunk: its answers before the step, and its next due tick after it (slab slot). A message carries only
/// the index of the slot, so that a mailbox holds one number a golem.
#[derive(Default)]
pub(crate) struct Slot {
    pub lineage: Lineage,
    pub inbox: Vec<Answer>,
    /// The tick it has to be stepped at next; `None` when it has departed.
    pub due: Option<Tick>,
}

/// The actor of one golem: its state machine, and how many answers it waits for (agent actor).
pub(crate) struct GolemActor {
    golem: Box<Golem>,
    /// Letters whose answers are outstanding. While there are any it doesn't live ahead: an answer would reach it in its past.
    unanswered: u32,
    arbiter: Rc<ArbiterState>,
}

impl GolemActor {
    /// Starts the actor on the current arbiter (spawns the actor).
    pub(crate) fn launch(golem: Box<Golem>, arbiter: Rc<ArbiterState>) -> Addr<Self> {
        Self::create(|context| {
            context.set_mailbox_capacity(MAILBOX_CAPACITY);
            Self { golem, unanswered: 0, arbiter }
        })
    }

    /// Steps through the open ticks until one in which it writes a letter that needs an answer. Several ticks at once, because its state
    /// is in the cache then. Returns the tick of its next step; `None` when it has departed.
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
        let answered = inbox.iter().filter(|answer| answer.was_asked_for()).count();
        // Saturating, because a world under way may answer letters that were written before this actor began to count.
        self.unanswered = self.unanswered.saturating_sub(answered as u32);
        for tick in open.range() {
            let (context, outbox) = open.at(tick);
            let moment = context.moment(tick, plan, self.golem.cohort());
            let (letters, departures) = (outbox.letters.len(), outbox.departures.len());
            let fault = plan.golem_fault(self.golem.id().lineage, tick);
            self.golem.step_guarded(&moment, std::mem::take(&mut inbox), fault, outbox);
            if outbox.departures.len() > departures {
                return None;
            }
            let requests = outbox.letters[letters..].iter().filter(|(_, letter)| letter.is_answered());
            self.unanswered += requests.count() as u32;
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
            // `do_send` can't lose this message: the dispatcher is alive, on this thread, and waits for nothing else.
            self.arbiter.dispatcher.do_send(ChunkDone);
        }
    }
}
