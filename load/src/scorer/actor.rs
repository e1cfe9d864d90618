//! The scorer actor (worker): it scores one request at a time and returns the times at which it began and was done, in nanoseconds since
//! the load began. The selected episodes are thrown away, because only the time counts. An arbiter of its own keeps scorers from taking
//! turns on one thread, because their latencies would then mix. A panic while scoring becomes an answer that ends the load.

use super::ScoringCase;
use crate::generator::{Answer, Request};
use actix::{Actor, Context, Handler, Message};
use crossbeam_channel::Sender;
use morta_base::panic_message;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// A request to score its client's Grimoire.
pub(super) struct Score {
    pub request: Request,
    /// The moment at which the load began: times are counted from it.
    pub begun: Instant,
}

impl Message for Score {
    type Result = ();
}

/// An answer, or the message of a panic while scoring.
pub(super) type Outcome = Result<Answer, String>;

/// An actor that scores the Grimoires of its requests, one after the other.
pub(super) struct ScorerActor {
    /// The cases of all clients, by the client's number.
    pub cases: Arc<[ScoringCase]>,
    pub answers: Sender<Outcome>,
    /// Gets one message once the mailbox has its size. The load begins after it, because actix starts mailboxes with room for 16.
    pub ready: Sender<()>,
    /// Requests that the mailbox holds.
    pub mailbox: usize,
}

impl Actor for ScorerActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(self.mailbox);
        if self.ready.try_send(()).is_err() {
            tracing::debug!("nobody waited for a scorer to begin");
        }
    }
}

impl Handler<Score> for ScorerActor {
    type Result = ();

    fn handle(&mut self, Score { request, begun }: Score, _: &mut Self::Context) {
        let started_ns = begun.elapsed().as_nanos() as u64;
        let case = &self.cases[request.client as usize];
        // `black_box`, or the compiler could drop the scoring, whose result is not used.
        let work = || {
            black_box(case.best());
        };
        let outcome = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(()) => {
                let finished_ns = begun.elapsed().as_nanos() as u64;
                Ok(Answer { request, started_ns, finished_ns })
            }
            Err(panic) => Err(panic_message(panic.as_ref())),
        };
        // The channel has room for every request that can be under way, so sending fails only when the load is over.
        if self.answers.try_send(outcome).is_err() {
            tracing::debug!("an answer came after the load was over");
        }
    }
}
