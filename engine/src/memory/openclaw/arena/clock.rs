//! What time it is for a memory: the market's time, seen through the time scale.

use crate::base::Tick;
use crate::memory::Attention;
use crate::memory::openclaw::time::Instant;
use serde::{Deserialize, Serialize};

/// Knows the time of the last waking moment, and from it that of every tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    scale: f64,
    /// Market time at which the clock was first looked at: there both times are the same.
    origin_s: Option<i64>,
    tick: Tick,
    time_s: i64,
    tick_seconds: f64,
}

impl Clock {
    /// A clock that nobody has looked at.
    pub const fn new(scale: f64) -> Self {
        Self { scale, origin_s: None, tick: 0, time_s: 0, tick_seconds: 0.0 }
    }

    /// Looks at the market's clock. Returns whether it is for the first time.
    pub fn look(&mut self, attention: &Attention<'_>) -> bool {
        let first = self.origin_s.is_none();
        self.origin_s.get_or_insert(attention.time_s);
        (self.tick, self.time_s, self.tick_seconds) =
            (attention.tick, attention.time_s, attention.tick_seconds);
        first
    }

    /// When a tick is. Between bars of replayed prices that don't follow each other it is an estimate.
    pub fn instant(&self, tick: Tick) -> Instant {
        let origin = self.origin_s.unwrap_or(self.time_s);
        let since_look = (tick as f64 - self.tick as f64) * self.tick_seconds;
        let lived = (self.time_s - origin) as f64 + since_look;
        Instant::from_seconds(origin as f64 + lived * self.scale)
    }

    /// Ticks in so many seconds of this clock, to the nearest.
    pub fn ticks(&self, seconds: f64) -> u32 {
        if self.tick_seconds <= 0.0 {
            return 0;
        }
        // `as` saturates and maps NaN to 0.
        (seconds / (self.tick_seconds * self.scale)).round() as u32
    }
}
