//! Progress of a tool call, as MCP progress notifications to a client that requested them (`progressToken`); without a token nothing is
//! sent. A tool that knows its progress reports parts of a total (today only `dream` of Dark Pawns). Otherwise the elapsed seconds are
//! sent every two seconds as a keep-alive, so that a client with a timeout on silence doesn't give up.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, interval_at};

/// Interval of the keep-alive reports, and the time until the first; a call that ends sooner sends none. Clients wait for a minute by
/// default.
const EVERY: Duration = Duration::from_secs(2);

/// Progress of a tool: parts done, total parts, and the present part.
struct Step {
    done: u64,
    total: u64,
    what: String,
}

/// Sends a tool's reports to the client, as progress notifications through an unbounded channel.
pub struct Progress(UnboundedSender<Step>);

impl Progress {
    /// The sender for a call, and the receiver of its reports.
    pub(super) fn new() -> (Self, Reports) {
        // Unbounded, because a tool must never wait for a slow client; it sends one small report for each log.
        let (to, from) = unbounded_channel();
        (Self(to), Reports(from))
    }

    /// Reports that `done` of `total` parts are over. `done` must grow from call to call, as the protocol demands.
    pub fn report(&self, done: u64, total: u64, what: &str) {
        // The receiver may be gone; the work is done all the same.
        let _ = self.0.send(Step { done, total, what: what.to_owned() });
    }
}

/// The receiver of a tool's reports.
pub(super) struct Reports(UnboundedReceiver<Step>);

impl Reports {
    /// Waits for a call, and passes its reports to the client if it requested them (progress notifications).
    pub(super) async fn handed_on<T>(
        mut self,
        call: JoinHandle<T>,
        context: &RequestContext<RoleServer>,
    ) -> Result<T, JoinError> {
        let Some(token) = context.meta.get_progress_token() else { return call.await };
        let begun = Instant::now();
        let mut clock = interval_at(begun + EVERY, EVERY);
        let mut reports = false;
        loop {
            let about = |progress: f64| ProgressNotificationParam::new(token.clone(), progress);
            let notification = tokio::select! {
                biased;
                step = self.0.recv() => match step {
                    Some(Step { done, total, what }) => {
                        reports = true;
                        about(done as f64).with_total(total as f64).with_message(what)
                    }
                    // The tool has dropped its sender. The call is awaited only now, because a token is invalid after the
                    // answer: a call that was awaited beside the reports could end between two looks and lose the last ones.
                    None => return call.await,
                },
                _ = clock.tick(), if !reports => {
                    let seconds = begun.elapsed().as_secs_f64().round();
                    about(seconds).with_message(format!("{seconds} seconds"))
                }
            };
            // The error is ignored: a client that is gone is noticed when its answer is written.
            let _ = context.peer.notify_progress(notification).await;
        }
    }
}
