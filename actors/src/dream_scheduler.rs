//! The dream scheduler actor.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::base::LetterId;
use morta_engine::dream::{DreamRequest, DreamScheduler as Gate};
use morta_engine::golem::Answer;
use morta_engine::world::{FaultTarget, Plan};
use std::sync::Arc;

/// One barrier's requests at a time.
const MAILBOX_CAPACITY: usize = 2;

/// Says who may dream.
pub struct DreamScheduler {
    pub gate: Gate,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl Actor for DreamScheduler {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Deliver<Vec<(LetterId, DreamRequest)>>> for DreamScheduler {
    type Result = ();

    fn handle(
        &mut self,
        Deliver { tick, letters }: Deliver<Vec<(LetterId, DreamRequest)>>,
        _: &mut Self::Context,
    ) {
        let (gate, plan) = (&mut self.gate, &self.plan);
        guard::report("the dream scheduler", &self.conductor, || {
            guard::strike(plan, FaultTarget::DreamScheduler, tick);
            let answers = gate.step(letters);
            Ok(Report::DreamScheduler(answers.into_iter().map(|(id, a)| (id, Answer::Dream(a))).collect()))
        });
    }
}
