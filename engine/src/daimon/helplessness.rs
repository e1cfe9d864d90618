//! Learned helplessness: low dominance for a long while (digest section 9, A01; the term is Seligman's).
//!
//! Dominance runs from −1 to 1, the window is in waking ticks (200 by default). The mean is a moving average over a ring buffer of twenty
//! partial means; before the window is full there is no mean, so that a newborn's bad start isn't helplessness. The threshold (−.3) and its
//! one effect, a higher emotional load and so a more urgent dream, are keys of `daimon.behaviour`.

use serde::{Deserialize, Serialize};

/// Parts of a window; our choice, because a golem then keeps 80 bytes and not a number for each of 200 ticks.
const PARTS: usize = 20;

/// Moving average of dominance over a window of ticks, as a ring buffer of twenty block means: exact to a twentieth of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DominanceWindow {
    /// Means of the twenty parts.
    parts: [f32; PARTS],
    /// Number of parts that hold a mean; the window is full at twenty.
    filled: u8,
    /// Place of the oldest, which the next mean replaces.
    next: u8,
    /// Sum over the part under way.
    sum: f64,
    /// Ticks of the part under way.
    ticks: u64,
}

impl DominanceWindow {
    /// Takes in one tick; a window has this many. A push into the ring buffer when a twentieth of the window is full.
    pub fn note(&mut self, dominance: f64, window_ticks: u64) {
        self.sum += dominance;
        self.ticks += 1;
        if self.ticks * PARTS as u64 >= window_ticks {
            self.parts[usize::from(self.next)] = (self.sum / self.ticks as f64) as f32;
            self.next = (self.next + 1) % PARTS as u8;
            self.filled = (self.filled + 1).min(PARTS as u8);
            (self.sum, self.ticks) = (0.0, 0);
        }
    }

    /// The moving average of dominance over the window, −1 to 1; `None` until it is full.
    pub fn mean(&self) -> Option<f64> {
        let full = usize::from(self.filled) == PARTS;
        full.then(|| self.parts.iter().map(|part| f64::from(*part)).sum::<f64>() / PARTS as f64)
    }
}
