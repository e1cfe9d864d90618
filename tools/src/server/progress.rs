//! How far a call is, told to a client that has asked for it (`progressToken`): by the tool itself where it knows, else by the seconds that have
//! gone by, so that a client which gives up on silence doesn't.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, interval_at};

/// A call that is over before isn't long. Clients wait for a minute by default.
const EVERY: Duration = Duration::from_secs(2);

/// How far a tool is: parts done, of how many, and what is being done.
struct Step {
    done: u64,
    total: u64,
    what: String,
}

/// What a tool reports to.
pub struct Progress(UnboundedSender<Step>);

impl Progress {
    /// For a call, and what is reported.
    pub(super) fn new() -> (Self, Reports) {
        let (to, from) = unbounded_channel();
        (Self(to), Reports(from))
    }

    /// So many parts are done, of so many; each call with more than the one before.
    pub fn report(&self, done: u64, total: u64, what: &str) {
        // Nobody may listen any more: the work is done all the same.
        let _ = self.0.send(Step { done, total, what: what.to_owned() });
    }
}

/// What a tool reports.
pub(super) struct Reports(UnboundedReceiver<Step>);

impl Reports {
    /// Waits for a call, and hands on its reports if the client wants them.
    pub async fn handed_on<T>(
        mut self,
        mut call: JoinHandle<T>,
        context: &RequestContext<RoleServer>,
    ) -> Result<T, JoinError> {
        let Some(token) = context.meta.get_progress_token() else { return call.await };
        let begun = Instant::now();
        let mut clock = interval_at(begun + EVERY, EVERY);
        let (mut reports, mut is_closed) = (false, false);
        loop {
            let about = |progress: f64| ProgressNotificationParam::new(token.clone(), progress);
            let told = tokio::select! {
                // A report comes before the answer, however close they are: afterwards the token means nothing.
                biased;
                step = self.0.recv(), if !is_closed => match step {
                    Some(Step { done, total, what }) => {
                        reports = true;
                        about(done as f64).with_total(total as f64).with_message(what)
                    }
                    None => { is_closed = true; continue; }
                },
                done = &mut call => return done,
                _ = clock.tick(), if !reports => {
                    let seconds = begun.elapsed().as_secs_f64().round();
                    about(seconds).with_message(format!("{seconds} seconds"))
                }
            };
            // A client that is gone is noticed where its answer is written.
            let _ = context.peer.notify_progress(told).await;
        }
    }
}
