//! A shared actor that panics must not leave the conductor waiting: its handlers run behind this guard.

use crate::message::Report;
use actix::Recipient;
use morta_engine::base::Tick;
use morta_engine::world::{FaultTarget, Plan};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a handler's work and sends its report; a panic or an error becomes [`Report::Failed`].
pub fn report(actor: &'static str, to: &Recipient<Report>, work: impl FnOnce() -> Result<Report, String>) {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(said_by(panic.as_ref())));
    let report = outcome.unwrap_or_else(|reason| Report::Failed { actor, reason });
    if let Err(error) = to.try_send(report) {
        // The conductor's mailbox holds every report that can be under way; it is closed only when the run is over.
        tracing::error!(actor, %error, "the conductor could not be told");
    }
}

/// What a panic said.
pub fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

/// Panics when the scenario says that this actor fails now.
pub fn strike(plan: &Plan, target: FaultTarget, tick: Tick) {
    assert!(!plan.shared_fault(target, tick), "fault injected by the scenario at tick {tick}");
}
