//! The shared services: golems write to them, and they answer at the barrier between two ticks.
//!
//! Every service does one thing at a barrier: it takes the letters of a tick and returns a [`ServiceReport`], all that it can do to the
//! world. Drivers of a world (the plain loop and the actors) have a tick served through [`serve_guarded`]; interventions at a barrier
//! (other keys, a swapped memory) change a service directly.
//!
//! The order of [`ServiceKind`] is the order in which their answers are put into inboxes. A run's digest depends
//! on it, so a new service goes to the end. In actor terms a service is a shared server with request batching; failures end the run
//! (fail-fast), since a half-changed service can't be trusted.

mod curator;
mod dream_scheduler;
mod llm_broker;
mod market;
mod report;
mod styx_lethe;

pub use curator::CuratorService;
pub use market::MarketService;
pub use report::{MarketMove, Reports, Served, ServiceReport};
pub use styx_lethe::LetheService;

use crate::lethe::StoreError;
use crate::llm::outside::OutsideError;
use crate::world::{FaultTarget, Plan};
use morta_base::{Tick, panic_message};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The shared services (servers), in the order in which their answers are put into inboxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ServiceKind {
    /// Executes orders and moves prices on.
    Market,
    /// Goes through golems' recent episodes.
    Curator,
    /// Says who may dream.
    DreamScheduler,
    /// Queues, prices and answers inference.
    LlmBroker,
    /// Keeps bloodstains, and carries what siblings write.
    StyxLethe,
}

impl ServiceKind {
    /// All of them, in their order.
    pub const ALL: [Self; 5] =
        [Self::Market, Self::Curator, Self::DreamScheduler, Self::LlmBroker, Self::StyxLethe];

    /// Its name in errors.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Market => "the market",
            Self::Curator => "the Curator",
            Self::DreamScheduler => "the dream scheduler",
            Self::LlmBroker => "the LLM broker",
            Self::StyxLethe => "the Styx Lethe",
        }
    }

    /// Its name (fault target) in a scenario's `[[faults]]`, for fault injection.
    pub const fn fault_target(self) -> FaultTarget {
        match self {
            Self::Market => FaultTarget::Market,
            Self::Curator => FaultTarget::Curator,
            Self::DreamScheduler => FaultTarget::DreamScheduler,
            Self::LlmBroker => FaultTarget::LlmBroker,
            Self::StyxLethe => FaultTarget::StyxLethe,
        }
    }
}

impl fmt::Display for ServiceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One shared service: the trait (interface) of a request handler that gets a batch of letters and returns a report.
pub trait Service {
    /// Its place among the services, by which letters, reports and errors know it.
    const KIND: ServiceKind;

    /// A tick's letters for it, in letter order.
    type Letters;

    /// Answers a tick's letters, and does the work that is due without any.
    ///
    /// # Errors
    /// When its store can't be read or written, or the port it depends on is gone.
    fn serve(&mut self, now: Tick, letters: Self::Letters) -> Result<ServiceReport, ServiceFailure>;

    /// Whether work will be due without a letter. A service that has neither letters nor work isn't called: waking its actor
    /// costs more than the work of most of them in a tick.
    fn has_work(&self) -> bool {
        false
    }
}

/// The failure of a service at a tick: a fatal error that ends the run.
#[derive(Debug, thiserror::Error)]
#[error("{service} failed at tick {tick}: {cause}")]
pub struct ServiceError {
    /// The service.
    pub service: ServiceKind,
    /// The tick it was to serve.
    pub tick: Tick,
    /// Whether it panicked, its store failed, or its port to the outside didn't answer.
    pub cause: ServiceFailure,
}

/// The cause of a service's failure: a panic message, storage or connection.
#[derive(Debug, thiserror::Error)]
pub enum ServiceFailure {
    /// It panicked, with this message. Its state may be half changed: the world can't go on.
    #[error("{0}")]
    Panicked(String),
    /// Its store could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port to the outside of the simulation didn't answer.
    #[error(transparent)]
    Outside(#[from] OutsideError),
}

/// Lets a service serve a tick: a supervised call with panic isolation (catch unwind). A panic, the scenario's fault injection included,
/// is contained and returned as an error.
///
/// # Errors
/// When the service fails.
pub fn serve_guarded<S: Service>(
    service: &mut S,
    now: Tick,
    letters: S::Letters,
    plan: &Plan,
) -> Result<Served, ServiceError> {
    let fault = plan.service_fault(S::KIND, now);
    // Unwind safety is asserted because a service that panicked is never called again: the error ends the run.
    let serve = AssertUnwindSafe(|| {
        // A real panic, so that a fault has the effects of a bug.
        assert!(!fault, "fault injected by the scenario");
        service.serve(now, letters)
    });
    let fail = |cause| ServiceError { service: S::KIND, tick: now, cause };
    let report = match catch_unwind(serve) {
        Ok(served) => served.map_err(fail)?,
        Err(panic) => return Err(fail(ServiceFailure::Panicked(panic_message(panic.as_ref())))),
    };
    Ok(Served { service: S::KIND, report, has_work: service.has_work() })
}
