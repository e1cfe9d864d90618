//! The golem actor: one for each golem.

use crate::guard::said_by;
use crate::message::{ChunkDone, Step};
use actix::{Actor, ActorContext, Addr, Context, Handler};
use morta_engine::base::Tick;
use morta_engine::golem::{Answer, Golem, Moment, Outbox};
use morta_engine::world::{Plan, TickContext};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// A golem gets one message a tick, and the next only after it has answered.
const MAILBOX_CAPACITY: usize = 1;

/// What the golems of one arbiter share: the tick they live through, and a slab for what they hand back.
pub struct Arbiter {
    pub plan: Arc<Plan>,
    pub now: RefCell<Option<(Tick, Box<TickContext>)>>,
    pub slots: RefCell<Vec<Slot>>,
    /// Golems of the current chunk that have not stepped yet.
    pub outstanding: Cell<usize>,
    /// Whether the run is over and golems only tell their lives.
    pub ending: Cell<bool>,
    pub failure: RefCell<Option<String>>,
    pub dispatcher: Addr<crate::dispatcher::Dispatcher>,
}

/// One golem's place in the slab.
#[derive(Default)]
pub struct Slot {
    pub inbox: Vec<Answer>,
    pub outbox: Outbox,
}

/// One golem.
pub struct GolemActor {
    golem: Golem,
    arbiter: Rc<Arbiter>,
}

impl GolemActor {
    /// Starts the actor on the current arbiter.
    pub fn launch(golem: Golem, arbiter: Rc<Arbiter>) -> Addr<Self> {
        Self::create(|context| {
            context.set_mailbox_capacity(MAILBOX_CAPACITY);
            Self { golem, arbiter }
        })
    }

    /// Steps, and says whether the golem has departed.
    fn step(&mut self, slot: usize) -> bool {
        let now = self.arbiter.now.borrow();
        let (tick, context) = now.as_ref().expect("a tick is under way");
        let plan = &self.arbiter.plan;
        let moment = Moment {
            tick: *tick,
            seed: plan.seed(),
            view: &context.view,
            observed: context.observed,
            true_regimes: &context.true_regimes,
            scents: &context.scents,
            rules: plan.rules(self.golem.cohort()),
        };
        let mut slots = self.arbiter.slots.borrow_mut();
        let Slot { inbox, outbox } = &mut slots[slot];
        if self.arbiter.ending.get() {
            outbox.events = self.golem.outlive_the_run(*tick, moment.rules, &context.view.assets);
            return false;
        }
        let fault = plan.golem_fault(self.golem.id().lineage, *tick);
        self.golem.step_guarded(&moment, std::mem::take(inbox), fault, outbox);
        !outbox.departures.is_empty()
    }
}

impl Actor for GolemActor {
    type Context = Context<Self>;
}

impl Handler<Step> for GolemActor {
    type Result = ();

    fn handle(&mut self, Step { slot }: Step, context: &mut Self::Context) {
        match catch_unwind(AssertUnwindSafe(|| self.step(slot))) {
            Ok(false) => {}
            Ok(true) => context.stop(),
            Err(panic) => *self.arbiter.failure.borrow_mut() = Some(said_by(panic.as_ref())),
        }
        let left = self.arbiter.outstanding.get() - 1;
        self.arbiter.outstanding.set(left);
        if left == 0 {
            // The dispatcher's own mailbox: it is waiting for exactly this.
            self.arbiter.dispatcher.do_send(ChunkDone);
        }
    }
}
