//! The stage: shared state of the world, which is lived on one thread, and of viewers, who are served on another. It is shared state behind
//! a mutex: one writer, many readers. Locks are short, because a viewer must never hold the world up. The thread of the world enters by the
//! event tap: events go to the scene, and the barrier between two ticks waits for the pace.

use super::WatchOptions;
use super::audience::{Audience, Exhibit};
use super::branches::{BranchOrigin, Branches};
use super::pace::{Pace, Speed, Wish};
use super::parts::{each, keep_newest, words};
use super::scene::Scene;
use crate::io::locked::locked;
use crate::io::text::markup::escape;
use crate::run::drive::EventTap;
use crate::run::follow::FollowLine;
use crate::run::steering::{Directive, DirectiveAnswer, Steering};
use morta_engine::event::Event;
use morta_engine::world::Plan;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// A world that is shown (shared state).
pub(super) struct Stage {
    scene: Mutex<Scene>,
    pace: Pace,
    speed: Mutex<Speed>,
    end: Mutex<Option<End>>,
    /// Whether it is another process that lives the world, and nothing new of it is known.
    waits: AtomicBool,
    pub(super) branches: Arc<Branches>,
    /// What it can be branched from before it has ended.
    origin: Mutex<Option<BranchOrigin>>,
    audience: Audience,
    /// Through which directives reach the world, where it can be steered.
    steering: Mutex<Option<Arc<Steering>>>,
    /// What became of the last directives.
    directive_answers: Arc<Mutex<VecDeque<DirectiveAnswer>>>,
}

/// Answers to directives that a page shows. Our choice, because a viewer looks for the answer to the last click; the manifest's scenario has every
/// directive that took effect.
const DIRECTIVE_ANSWERS_MAX: usize = 8;

struct End {
    how: String,
    run: Option<PathBuf>,
}

impl Stage {
    pub(super) fn new(options: &WatchOptions) -> Self {
        Self {
            scene: Mutex::default(),
            pace: Pace::new(options.paused, options.ticks_per_second),
            speed: Mutex::default(),
            end: Mutex::default(),
            waits: AtomicBool::new(false),
            branches: Arc::new(Branches::new(options.laboratory.clone())),
            origin: Mutex::default(),
            audience: Audience::default(),
            steering: Mutex::default(),
            directive_answers: Arc::default(),
        }
    }

    /// The lock of the scene (mutex guard). A poisoned lock is taken all the same: a thread that panicked with it only read the scene.
    pub(super) fn scene(&self) -> MutexGuard<'_, Scene> {
        locked(&self.scene)
    }

    fn last(&self) -> MutexGuard<'_, Option<End>> {
        locked(&self.end)
    }

    /// The run folder, once there is one that is whole.
    pub(super) fn run(&self) -> Option<PathBuf> {
        self.last().as_ref().and_then(|end| end.run.clone())
    }

    /// The origin for branches now: the finished run once there is one, because a scenario has to be lived a second time for a branch; none where neither is
    /// known.
    pub(super) fn origin(&self) -> Option<BranchOrigin> {
        let before = || locked(&self.origin).clone();
        self.run().map(BranchOrigin::Run).or_else(before)
    }

    /// The same for a branch that is asked for now: a scenario with the directives that have reached its world.
    pub(super) fn steered_origin(&self) -> Option<BranchOrigin> {
        let steering = locked(&self.steering).clone();
        let origin = self.origin()?;
        Some(match steering {
            Some(steering) => origin.steered_by(&steering),
            None => origin,
        })
    }

    pub(super) fn branches_from(&self, origin: BranchOrigin) {
        *locked(&self.origin) = Some(origin);
    }

    pub(super) fn follow(&self, wish: Wish) -> Result<(), &'static str> {
        self.pace.follow(wish)?;
        self.touch();
        Ok(())
    }

    /// Lets viewers give directives from now on, which reach the world through what is returned (command channel).
    pub(super) fn steering(self: &Arc<Self>) -> Arc<Steering> {
        // Weak, because the stage holds the steering: two owners of each other would never be freed.
        let stage = Arc::downgrade(self);
        let steering = Arc::new(Steering::new(move |answer| {
            let Some(stage) = stage.upgrade() else { return };
            keep_newest(&mut locked(&stage.directive_answers), DIRECTIVE_ANSWERS_MAX, answer.clone());
            stage.touch();
        }));
        *locked(&self.steering) = Some(Arc::clone(&steering));
        steering
    }

    fn steered(&self) -> Option<Arc<Steering>> {
        let is_over = self.last().is_some();
        locked(&self.steering).clone().filter(|_| !is_over)
    }

    /// Passes a directive on (command dispatch); the error is the reason for the viewer.
    pub(super) fn direct(&self, directive: Directive) -> Result<(), String> {
        let steering = self.steered().ok_or(
            "this world can't be steered: only a scenario that is being lived here can, and neither a run that is lived again nor one of another process",
        )?;
        steering.give(directive)
    }

    pub(super) fn end(&self, how: &str, run: Option<&Path>) {
        *self.last() = Some(End { how: how.to_owned(), run: run.map(Path::to_owned) });
        self.touch();
    }

    /// Says whether there is nothing new of a world that another process lives (stalled flag).
    pub(super) fn waits(&self, waits: bool) {
        if self.waits.swap(waits, Ordering::Relaxed) != waits {
            self.touch();
        }
    }

    /// How fast it is lived, while it is.
    fn speed_in_words(&self, tick: &Value, goes_on: bool) -> String {
        let mut speed = locked(&self.speed);
        if !goes_on {
            speed.forget();
            return String::new();
        }
        match speed.at(Instant::now(), tick.as_u64().unwrap_or(0)) {
            None => String::new(),
            Some(speed) if speed < 10.0 => format!("{speed:.1} ticks a second"),
            Some(speed) => format!("{speed:.0} ticks a second"),
        }
    }

    pub(super) fn close(&self) {
        self.audience.close();
        self.branches.stop();
    }

    /// There is something new to see (dirty flag).
    pub(super) fn touch(&self) {
        self.audience.touch();
    }
}

/// What became of a directive, as markup.
fn answer(heard: &DirectiveAnswer) -> String {
    match heard {
        DirectiveAnswer::Directive { tick, directive: Directive { command, golem, cohort } } => {
            let golem = golem.map(|golem| golem.to_string());
            let whom = golem.or_else(|| cohort.clone()).unwrap_or_else(|| "all".to_owned());
            format!("tick {tick} {}: {}", words(command.name()), escape(&whom))
        }
        DirectiveAnswer::DirectiveRefused { said, why } => escape(&format!("refused: {said}: {why}")),
    }
}

impl Exhibit for Stage {
    fn audience(&self) -> &Audience {
        &self.audience
    }

    fn description(&self) -> Value {
        let (paused, ticks_per_second) = self.pace.now();
        // Before the scene: read after it, a viewer would be shown that the world has ended or waits, beside a tick from before.
        let waits = self.waits.load(Ordering::Relaxed);
        // A copy, because `origin` and `steered` take the same lock: held here, it would block this thread for ever.
        let end = self.last().as_ref().map(|end| end.how.clone());
        let mut state = self.scene().description();
        let goes_on = end.is_none() && !paused && !waits;
        state["state"] = json!(match (&end, paused) {
            (Some(_), _) => "ended",
            (None, _) if waits => "waiting for the process that lives it",
            (None, true) => "paused",
            (None, false) => "running",
        });
        let status = end.as_deref().or(state["state"].as_str()).unwrap_or_default();
        state["parts"]["status"] = json!(escape(status));
        state["end"] = json!(end);
        state["parts"]["pace"] = json!(self.speed_in_words(&state["tick"], goes_on));
        state["can_branch"] = json!(self.origin().is_some());
        state["ticks_per_second"] = json!(ticks_per_second);
        state["branches"] = self.branches.description();
        state["parts"]["branches"] = json!(self.branches.written());
        state["can_direct"] = json!(self.steered().is_some());
        let heard = locked(&self.directive_answers);
        state["parts"]["directives"] = json!(each("li", heard.iter().rev().map(answer)));
        state["directives"] = json!(*heard);
        state
    }
}

impl EventTap for Stage {
    fn begun(&self, plan: &Plan) {
        self.scene().begin(plan.scenario());
        self.touch();
    }

    fn on_events(&self, events: &[Event]) {
        let tell = |line: &FollowLine| self.audience.tell(|| json!(line));
        self.scene().take_and_tell(events, tell);
        self.touch();
    }

    fn barrier(&self, stop: &AtomicBool) {
        self.pace.wait(stop);
    }
}
