//! The dream scheduler as a service: petitions in, grants and refusals out; a golem's report that it is awake gets no answer (adapter of
//! the scheduler to the service interface). It has no work without letters. The adapter is apart so that the scheduler needs to know
//! nothing of barriers.

use super::{Service, ServiceFailure, ServiceKind, ServiceReport};
use crate::dream::{DreamRequest, DreamScheduler};
use crate::golem::Answer;
use morta_base::{LetterId, Tick};

impl Service for DreamScheduler {
    const KIND: ServiceKind = ServiceKind::DreamScheduler;
    type Letters = Vec<(LetterId, DreamRequest)>;

    fn serve(&mut self, _: Tick, requests: Self::Letters) -> Result<ServiceReport, ServiceFailure> {
        let answers = self.step(requests);
        let answers = answers.into_iter().map(|(letter, answer)| (letter, Answer::Dream(answer))).collect();
        Ok(ServiceReport { answers, ..ServiceReport::default() })
    }
}
