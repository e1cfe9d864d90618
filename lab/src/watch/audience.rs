//! The audience: the number of viewers, and the latest state that they are sent. It is the fan-out of server-sent events (SSE): a slow
//! client loses old states and never blocks the world. States are dropped and never queued, because a viewer wants to see the present. A
//! state is made at most about seven times a second, besides one for each viewer who comes in and each page loaded, and none while nobody
//! looks; the 65th viewer is turned away. Named events, which only other programs read, do queue: up to 1,024 for each of them.

use actix_web::web::Bytes;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{broadcast, watch};

/// Viewers at a time (our choice); the next is turned away, so that viewers can't use up the connections of the process. The server allows
/// twice as many connections.
pub(super) const VIEWERS_MAX: usize = 64;

/// Named events that wait for a viewer whose connection is slow; of more, the oldest are left out, and their number is sent: a bound, so that no viewer can
/// make the run's memory grow.
const NAMED_MAX: usize = 1_024;

/// Pause between two states that viewers are sent (our choice: about seven a second look continuous). A world may live thousands of ticks a second, and making
/// a state of each would slow it down.
const BETWEEN_STATES: Duration = Duration::from_millis(150);

/// Something that can be looked at (view behind a trait): a world or a sweep.
pub(super) trait Exhibit: Send + Sync + 'static {
    /// Its viewers.
    fn audience(&self) -> &Audience;

    /// All that a page shows of it.
    fn description(&self) -> Value;
}

/// The viewers of one thing (subscribers; publish and subscribe).
pub(super) struct Audience {
    /// Moves on whenever there is something new to see.
    version: AtomicU64,
    viewers: AtomicUsize,
    latest: watch::Sender<Bytes>,
    /// What happens, each by its name.
    named: broadcast::Sender<Bytes>,
    is_closed: AtomicBool,
}

impl Default for Audience {
    fn default() -> Self {
        let (latest, named) = (watch::Sender::default(), broadcast::Sender::new(NAMED_MAX));
        Self {
            version: AtomicU64::new(0),
            viewers: AtomicUsize::new(0),
            latest,
            named,
            is_closed: AtomicBool::new(false),
        }
    }
}

impl Audience {
    /// Marks that there is something new to see (dirty flag).
    pub(super) fn touch(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Sends viewers a line of something that happened, under its name, as server-sent events have it (broadcast).
    pub(super) fn tell(&self, line: impl FnOnce() -> Value) {
        if self.named.receiver_count() > 0 {
            let line = line();
            let name = line["event"].as_str().unwrap_or("message");
            // The last listener may have left since; sending to none is no error.
            let _ = self.named.send(Bytes::from(format!("event: {name}\ndata: {line}\n\n")));
        }
    }

    /// What happens from now on, by name (subscription). Each line is written for as long as there is a receiver, so the page, which shows
    /// none of them, doesn't ask.
    pub(super) fn named(&self) -> broadcast::Receiver<Bytes> {
        self.named.subscribe()
    }

    /// There will be nothing more to see (end of the stream).
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }
}

/// Lets a viewer in (subscribe, connection limit), unless there are too many; it sees states from now on, the present one first.
pub(super) fn enter(exhibit: &Arc<dyn Exhibit>) -> Option<(Viewer, watch::Receiver<Bytes>)> {
    let audience = exhibit.audience();
    if audience.viewers.fetch_add(1, Ordering::Relaxed) >= VIEWERS_MAX {
        audience.viewers.fetch_sub(1, Ordering::Relaxed);
        return None;
    }
    let viewer = Viewer(Arc::clone(exhibit));
    publish(exhibit.as_ref());
    Some((viewer, audience.latest.subscribe()))
}

fn publish(exhibit: &dyn Exhibit) {
    let audience = exhibit.audience();
    let mut state = exhibit.description();
    state["viewers"] = json!(audience.viewers.load(Ordering::Relaxed));
    audience.latest.send_replace(Bytes::from(format!("data: {state}\n\n")));
}

/// Sends viewers the latest state, whenever there is another, until it is closed.
pub(super) fn show(exhibit: &dyn Exhibit) {
    let audience = exhibit.audience();
    let mut shown = 0;
    while !audience.is_closed.load(Ordering::Relaxed) {
        std::thread::sleep(BETWEEN_STATES);
        let now = audience.version.load(Ordering::Relaxed);
        if now != shown && audience.viewers.load(Ordering::Relaxed) > 0 {
            shown = now;
            publish(exhibit);
        }
    }
}

/// Counts as a viewer until it is dropped (RAII guard).
pub(super) struct Viewer(Arc<dyn Exhibit>);

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.audience().viewers.fetch_sub(1, Ordering::Relaxed);
    }
}
