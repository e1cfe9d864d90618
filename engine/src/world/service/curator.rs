//! The Curator as a service: requests with golems' recent episodes in, reports out. It is a stateless service (pure request handler). The
//! adapter lets drivers call it like any other service, so that actors can run it on a thread of its own. When it is asked is the golem's
//! matter: where `curator.enabled` is on, awake, with a memory that dreams, at the interval of its phase, by default every 50 ticks of its
//! age.

use super::{Service, ServiceFailure, ServiceKind, ServiceReport};
use crate::curator::{CuratorConfig, CuratorRequest, curate};
use crate::golem::Answer;
use crate::phase::phase;
use morta_base::{LetterId, Tick};
use serde::{Deserialize, Serialize};

/// The Curator: a stateless request handler that keeps nothing but its keys, because all its other input comes with the letter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CuratorService {
    /// The Curator's keys.
    config: CuratorConfig,
}

impl CuratorService {
    /// Makes the service from the keys it works by.
    pub fn new(config: CuratorConfig) -> Self {
        Self { config }
    }
}

impl Service for CuratorService {
    const KIND: ServiceKind = ServiceKind::Curator;
    type Letters = Vec<(LetterId, CuratorRequest)>;

    // The tick isn't used: a report depends on its letter and the keys alone, so the Curator can be called again with the same result.
    fn serve(&mut self, _: Tick, requests: Self::Letters) -> Result<ServiceReport, ServiceFailure> {
        phase!("curator");
        let answer =
            |(letter, request): &(LetterId, _)| (*letter, Answer::Curated(curate(request, &self.config)));
        Ok(ServiceReport { answers: requests.iter().map(answer).collect(), ..ServiceReport::default() })
    }
}
