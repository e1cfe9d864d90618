//! The LLM broker as a service: requests in, replies out, and an event for each call of a real model that was answered; the simulated
//! model has none (adapter of the inference gateway). It has work without letters as long as requests wait in its queue or replies are
//! under way. The adapter is apart so that the broker needs to know nothing of barriers.

use super::{Service, ServiceFailure, ServiceKind, ServiceReport};
use crate::event::{Event, EventKind};
use crate::golem::Answer;
use crate::llm::{Broker, BrokerStep, InferenceRequest, ModelCall};
use morta_base::{LetterId, Tick};

impl Service for Broker {
    const KIND: ServiceKind = ServiceKind::LlmBroker;
    type Letters = Vec<(LetterId, InferenceRequest)>;

    fn serve(&mut self, now: Tick, requests: Self::Letters) -> Result<ServiceReport, ServiceFailure> {
        let BrokerStep { answers, calls } = self.step(now, requests)?;
        let answers =
            answers.into_iter().map(|(letter, answer)| (letter, Answer::Inference(answer))).collect();
        let report = |(letter, call): (LetterId, ModelCall)| Event {
            tick: now,
            golem: Some(letter.golem),
            kind: EventKind::ModelCalled(Box::new(call)),
        };
        let events = calls.into_iter().map(report).collect();
        Ok(ServiceReport { answers, events, ..ServiceReport::default() })
    }

    /// While requests wait or replies are under way: these come due without a letter.
    fn has_work(&self) -> bool {
        self.is_busy()
    }
}
