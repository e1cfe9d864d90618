//! The memory's clock: the market's time, times the time scale (virtual clock). The original sleeps by nights and recalls within days;
//! compressed worlds need a faster clock for the same number of nights.
//!
//! Times are in seconds since 1970, ticks are the world's. Market and clock agree at the first reading and run apart from there; by default
//! the scale is 1 and they agree for ever.

use crate::memory::Attention;
use morta_base::Tick;
use morta_memories::openclaw::time::Instant;
use serde::{Deserialize, Serialize};

/// A virtual clock (simulated clock) with time scaling: the time of the last waking moment, from which that of every tick follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScaledClock {
    scale: f64,
    /// A market time and the clock's time then: at the first reading the same.
    origin: Option<(f64, f64)>,
    /// The last waking tick, its market time and the length of a tick.
    tick: Tick,
    time_s: i64,
    tick_seconds: f64,
}

impl ScaledClock {
    /// A clock that was never read, and so has no origin yet.
    pub(crate) const fn new(scale: f64) -> Self {
        Self { scale, origin: None, tick: 0, time_s: 0, tick_seconds: 0.0 }
    }

    /// Synchronises with the market's clock. Returns whether it is for the first time; then it sets the time origin.
    pub(crate) fn look(&mut self, attention: &Attention<'_>) -> bool {
        let (first, time_s) = (self.origin.is_none(), attention.time_s as f64);
        self.origin.get_or_insert((time_s, time_s));
        (self.tick, self.time_s, self.tick_seconds) =
            (attention.tick, attention.time_s, attention.tick_seconds);
        first
    }

    /// Converts a tick to virtual time (timestamp). Between bars of replayed prices that don't follow each other it is an estimate,
    /// linearly extrapolated.
    pub(crate) fn instant(&self, tick: Tick) -> Instant {
        Instant::from_seconds(self.seconds(tick))
    }

    fn market_seconds(&self, tick: Tick) -> f64 {
        self.time_s as f64 + (tick as f64 - self.tick as f64) * self.tick_seconds
    }

    fn seconds(&self, tick: Tick) -> f64 {
        let market_s = self.market_seconds(tick);
        let (origin_s, began_s) = self.origin.unwrap_or((market_s, market_s));
        began_s + (market_s - origin_s) * self.scale
    }

    /// Changes the time scaling without a jump: runs by another scale from this tick on, and so moves the time origin.
    pub(crate) fn rescale(&mut self, scale: f64, now: Tick) {
        if self.origin.is_some() {
            self.origin = Some((self.market_seconds(now), self.seconds(now)));
        }
        self.scale = scale;
    }

    /// Converts virtual time to ticks: those in so many seconds of this clock, to the nearest.
    pub(crate) fn ticks(&self, seconds: f64) -> u32 {
        if self.tick_seconds <= 0.0 {
            return 0;
        }
        // `as` saturates and maps NaN to 0.
        (seconds / (self.tick_seconds * self.scale)).round() as u32
    }
}
