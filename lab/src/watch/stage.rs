//! Where the world, which is lived on one thread, and those who look on, who are served on another, meet.

use super::branches::Branches;
use super::pace::{Pace, Wish};
use super::scene::Scene;
use crate::drive::EventTap;
use actix_web::web::Bytes;
use morta_engine::event::Event;
use morta_engine::world::Plan;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Viewers at a time; the next is turned away.
pub(super) const VIEWERS_MAX: usize = 64;

/// Pause between two states that viewers are sent.
const BETWEEN_STATES: Duration = Duration::from_millis(150);

/// What is shown, and who looks.
pub(super) struct Stage {
    scene: Mutex<Scene>,
    pace: Pace,
    end: Mutex<Option<End>>,
    pub(super) branches: Arc<Branches>,
    /// Moves on whenever there is something new to see.
    version: AtomicU64,
    viewers: AtomicUsize,
    latest: watch::Sender<Bytes>,
    is_closed: AtomicBool,
}

struct End {
    how: String,
    run: Option<PathBuf>,
}

impl Stage {
    pub(super) fn new(paused: bool, ticks_per_second: Option<f64>) -> Self {
        Self {
            scene: Mutex::default(),
            pace: Pace::new(paused, ticks_per_second),
            end: Mutex::default(),
            branches: Arc::default(),
            version: AtomicU64::new(0),
            viewers: AtomicUsize::new(0),
            latest: watch::Sender::new(Bytes::new()),
            is_closed: AtomicBool::new(false),
        }
    }

    /// Whoever panicked with it in hand was only looking.
    pub(super) fn scene(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last(&self) -> MutexGuard<'_, Option<End>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run folder, once there is one that is whole.
    pub(super) fn run(&self) -> Option<PathBuf> {
        self.last().as_ref().and_then(|end| end.run.clone())
    }

    pub(super) fn follow(&self, wish: Wish) -> Result<(), &'static str> {
        self.pace.follow(wish)?;
        self.touch();
        Ok(())
    }

    pub(super) fn end(&self, how: &str, run: Option<&Path>) {
        *self.last() = Some(End { how: how.to_owned(), run: run.map(Path::to_owned) });
        self.touch();
    }

    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.branches.stop();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// There is something new to see.
    pub(super) fn touch(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets a viewer in, unless there are too many: what it sees from now on, the present state first.
    pub(super) fn enter(self: &Arc<Self>) -> Option<(Viewer, watch::Receiver<Bytes>)> {
        if self.viewers.fetch_add(1, Ordering::Relaxed) >= VIEWERS_MAX {
            self.viewers.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let viewer = Viewer(Arc::clone(self));
        self.publish();
        Some((viewer, self.latest.subscribe()))
    }

    fn publish(&self) {
        let (paused, ticks_per_second) = self.pace.now();
        let mut state = self.scene().told();
        let end = self.last();
        state["state"] = json!(match (&*end, paused) {
            (Some(_), _) => "ended",
            (None, true) => "paused",
            (None, false) => "running",
        });
        state["end"] = json!(end.as_ref().map(|end| &end.how));
        state["can_branch"] = json!(end.as_ref().is_some_and(|end| end.run.is_some()));
        drop(end);
        state["ticks_per_second"] = json!(ticks_per_second);
        state["viewers"] = json!(self.viewers.load(Ordering::Relaxed));
        state["branches"] = self.branches.told();
        self.latest.send_replace(Bytes::from(format!("data: {state}\n\n")));
    }

    /// Sends viewers the latest state, whenever there is another, until it is closed.
    pub(super) fn show(&self) {
        let mut shown = 0;
        while !self.is_closed() {
            std::thread::sleep(BETWEEN_STATES);
            let now = self.version.load(Ordering::Relaxed);
            if now != shown && self.viewers.load(Ordering::Relaxed) > 0 {
                shown = now;
                self.publish();
            }
        }
    }
}

impl EventTap for Stage {
    fn begun(&self, plan: &Plan) {
        self.scene().begin(plan);
        self.touch();
    }

    fn seen(&self, events: &[Event]) {
        self.scene().take(events);
        self.touch();
    }

    fn barrier(&self, stop: &AtomicBool) {
        self.pace.wait(stop);
    }
}

/// Counts as a viewer until it is dropped.
pub(super) struct Viewer(Arc<Stage>);

impl Drop for Viewer {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}
