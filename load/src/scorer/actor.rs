//! The scorer actor.

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
    /// When the load began.
    pub begun: Instant,
}

impl Message for Score {
    type Result = ();
}

/// An answer, or the message of the panic that the scorer ended in.
pub(super) type Outcome = Result<Answer, String>;

/// Scores one Grimoire after the other.
pub(super) struct ScorerActor {
    /// By client.
    pub cases: Arc<[ScoringCase]>,
    pub answers: Sender<Outcome>,
    /// Outcome once, when its mailbox has its size.
    pub ready: Sender<()>,
    /// Requests that can wait in its mailbox.
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
        // There is room for every request that can be under way; nobody listens any more only when the load is over.
        if self.answers.try_send(outcome).is_err() {
            tracing::debug!("an answer came after the load was over");
        }
    }
}
