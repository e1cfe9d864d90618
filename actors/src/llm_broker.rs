//! The LLM broker actor.

use crate::guard;
use crate::message::{Deliver, Report};
use actix::{Actor, Context, Handler, Recipient};
use morta_engine::base::LetterId;
use morta_engine::golem::Answer;
use morta_engine::llm::InferenceRequest;
use morta_engine::world::{Broker, FaultTarget, Plan};
use std::sync::Arc;

/// One barrier's requests at a time; the queue of requests is the broker's own and bounded by the scenario.
const MAILBOX_CAPACITY: usize = 2;

/// Queues, prices and answers inference.
pub struct LlmBroker {
    pub broker: Broker,
    pub plan: Arc<Plan>,
    pub conductor: Recipient<Report>,
}

impl Actor for LlmBroker {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<Deliver<Vec<(LetterId, InferenceRequest)>>> for LlmBroker {
    type Result = ();

    fn handle(
        &mut self,
        Deliver { tick, letters }: Deliver<Vec<(LetterId, InferenceRequest)>>,
        _: &mut Self::Context,
    ) {
        let (broker, plan) = (&mut self.broker, &self.plan);
        guard::report("the LLM broker", &self.conductor, || {
            guard::strike(plan, FaultTarget::LlmBroker, tick);
            let answers = broker.step(tick, letters);
            let answers = answers.into_iter().map(|(id, answer)| (id, Answer::Inference(answer))).collect();
            Ok(Report::LlmBroker { answers, busy: broker.is_busy() })
        });
    }
}
