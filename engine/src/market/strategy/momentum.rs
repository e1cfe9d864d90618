//! Momentum: follow the last four ticks when they moved more than noise would.

use super::{Signal, beyond};
use crate::market::Reading;

/// Moves of fewer standard deviations than this are noise.
const DEAD_ZONE: f64 = 1.5;
/// Slope of the answer beyond it.
const STEEPNESS: f64 = 0.7;
const STOP_ATR: f64 = 2.0;
const HORIZON_TICKS: u32 = 8;

/// The signal it gives on what is read, −1 to 1, with its stop; strength 0 stays out.
pub(super) fn signal(reading: &Reading) -> Signal {
    let [_, four_ticks, _, _] = reading.scaled_returns;
    Signal::new(reading, beyond(four_ticks, DEAD_ZONE, STEEPNESS), STOP_ATR, HORIZON_TICKS)
}
