//! The LLM broker as a service.

use super::{Service, ServiceKind, ServiceReport};
use crate::base::{LetterId, Tick};
use crate::golem::Answer;
use crate::lethe::StoreError;
use crate::llm::{Broker, InferenceRequest};

impl Service for Broker {
    const KIND: ServiceKind = ServiceKind::LlmBroker;
    type Letters = Vec<(LetterId, InferenceRequest)>;

    fn serve(&mut self, now: Tick, requests: Self::Letters) -> Result<ServiceReport, StoreError> {
        let answers = self.step(now, requests);
        let answers =
            answers.into_iter().map(|(letter, answer)| (letter, Answer::Inference(answer))).collect();
        Ok(ServiceReport { answers, ..ServiceReport::default() })
    }

    /// While requests wait or replies are under way: these come due without a letter.
    fn has_work(&self) -> bool {
        self.is_busy()
    }
}
