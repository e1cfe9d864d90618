//! Turns a panic of an actor into a report, because the conductor would wait for ever for the report of a dead actor. It is `catch_unwind`
//! around message handlers (supervision without a restart: the report ends the run). Only the recorder uses it. Services are guarded by the
//! engine ([`serve_guarded`](morta_engine::world::service::serve_guarded)), golems by their own shell.

use crate::message::Report;
use actix::Recipient;
use morta_base::panic_message;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a handler's work and sends its report (panic guard). A panic or an error becomes [`Report::Failed`].
pub(crate) fn report(
    actor: &'static str,
    to: &Recipient<Report>,
    work: impl FnOnce() -> Result<Report, String>,
) {
    let outcome =
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panic_message(panic.as_ref())));
    outcome.unwrap_or_else(|reason| Report::Failed { actor, reason }).send(actor, to);
}
