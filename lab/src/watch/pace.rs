//! The pace of a world that is shown: paused, a tick at a time, or so many ticks a second. It is a rate limiter of simulated time: ticks
//! per wall-clock second, pause and single-step as in a debugger. All viewers share one pace, and the last wish counts, but steps that are
//! asked for add up. A tick that fell behind isn't caught up with. The world waits for its viewer and not the other way round, because a
//! paused world is one that can be understood. It changes when ticks are lived and nothing that happens in them. A run that another process
//! lives doesn't wait: the view of it does. A finished run is lived again at this pace.

use crate::io::locked::locked;
use morta_base::Tick;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which a paused world checks whether it is to stop: Ctrl-C can't wake a waiting thread.
const LOOK: Duration = Duration::from_millis(50);

/// A viewer's wish about the pace (playback control), as a request body has it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Wish {
    /// Wait after this tick.
    Pause,
    /// Go on.
    Go,
    /// Wait, but for so many ticks.
    Step {
        /// How many; 1 at least.
        ticks: u32,
    },
    /// So fast.
    Speed {
        /// Most ticks a second; none for as fast as can be.
        ticks_per_second: Option<f64>,
    },
}

/// The pace of a world, shared by its thread and its viewers (rate limiter).
pub(super) struct Pace {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    paused: bool,
    /// Ticks to be lived though it is paused.
    steps: u32,
    ticks_per_second: Option<f64>,
    /// Before this the next tick isn't begun.
    next: Instant,
}

/// How fast a world is lived as it is looked at: over about the last two seconds (moving average).
#[derive(Default)]
pub(super) struct Speed {
    seen: VecDeque<(Instant, Tick)>,
}

/// So long it is averaged.
const AVERAGED: Duration = Duration::from_secs(2);

/// Over less than this, a speed is luck.
const LEAST: Duration = Duration::from_millis(300);

impl Speed {
    /// Takes in the tick of now; ticks a second (throughput), once it has been looked at for long enough.
    pub(super) fn at(&mut self, now: Instant, tick: Tick) -> Option<f64> {
        self.seen.push_back((now, tick));
        while self.seen.len() > 2 && now - self.seen[0].0 > AVERAGED {
            self.seen.pop_front();
        }
        let (then, first) = self.seen[0];
        let past = now - then;
        (past > LEAST).then(|| tick.saturating_sub(first) as f64 / past.as_secs_f64())
    }

    /// Resets the average, because what was seen says nothing of what comes: it is held up.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }
}

impl Pace {
    pub(super) fn new(paused: bool, ticks_per_second: Option<f64>) -> Self {
        let state = State { paused, steps: 0, ticks_per_second, next: Instant::now() };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Whether the world is paused, and the most ticks a second (rate limit).
    pub(super) fn now(&self) -> (bool, Option<f64>) {
        let state = self.state();
        (state.paused, state.ticks_per_second)
    }

    /// Carries out a viewer's wish (control command); the error is the line that is shown to the viewer.
    pub(super) fn follow(&self, wish: Wish) -> Result<(), &'static str> {
        let mut state = self.state();
        match wish {
            Wish::Pause => state.paused = true,
            Wish::Go => (state.paused, state.steps) = (false, 0),
            Wish::Step { ticks: 0 } => return Err("ticks: must be 1 at least"),
            Wish::Step { ticks } => (state.paused, state.steps) = (true, state.steps.saturating_add(ticks)),
            Wish::Speed { ticks_per_second: Some(speed) } if !(speed.is_finite() && speed > 0.0) => {
                return Err("ticks_per_second: must be above 0");
            }
            Wish::Speed { ticks_per_second } => state.ticks_per_second = ticks_per_second,
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Returns when the next tick may begin, or `stop` is set: it blocks and throttles.
    pub(super) fn wait(&self, stop: &AtomicBool) {
        let mut state = self.state();
        while !stop.load(Ordering::Relaxed) {
            if state.paused {
                if state.steps > 0 {
                    state.steps -= 1;
                    return;
                }
                state = self.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Some(speed) = state.ticks_per_second else { return };
            let now = Instant::now();
            if now >= state.next {
                // Counted from now where it has fallen behind: time that was lost isn't caught up with.
                // An hour at most: the inverse of a tiny speed is no duration, and would panic.
                state.next = now + Duration::from_secs_f64(speed.recip().min(3_600.0));
                return;
            }
            let rest = (state.next - now).min(LOOK);
            state = self.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_speed_is_that_of_the_last_two_seconds() {
        let (mut speed, begun) = (Speed::default(), Instant::now());
        let mut at = |ms: u64, tick| speed.at(begun + Duration::from_millis(ms), tick);
        assert_eq!((at(0, 100), at(200, 140)), (None, None));
        assert_eq!(at(1000, 200), Some(100.0));
        assert_eq!(at(3000, 200), Some(0.0), "what lies longer back doesn't count");
        speed.forget();
        assert_eq!(speed.at(begun + Duration::from_secs(4), 300), None);
    }

    #[test]
    fn steps_are_counted_and_then_it_waits() {
        let pace = Pace::new(true, None);
        let stop = AtomicBool::new(false);
        pace.follow(Wish::Step { ticks: 2 }).unwrap();
        pace.wait(&stop);
        pace.wait(&stop);
        let (said, hear) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                pace.wait(&stop);
                said.send(()).unwrap();
            });
            assert!(hear.recv_timeout(Duration::from_millis(200)).is_err(), "it is held up");
            pace.follow(Wish::Go).unwrap();
            hear.recv().unwrap();
        });
    }

    #[test]
    fn a_paused_world_is_released_to_stop() {
        let pace = Pace::new(true, Some(0.001));
        pace.wait(&AtomicBool::new(true));
    }

    #[test]
    fn wishes_that_make_no_sense_are_refused() {
        let pace = Pace::new(false, None);
        assert!(pace.follow(Wish::Step { ticks: 0 }).is_err());
        for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(pace.follow(Wish::Speed { ticks_per_second: Some(speed) }).is_err());
        }
        assert_eq!(pace.now(), (false, None));
    }
}
