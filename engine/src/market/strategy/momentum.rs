//! Momentum: follow the last four ticks when they moved more than noise would (time-series momentum, at a short horizon). The move is in
//! standard deviations, the stop in average true ranges, the signal runs from −1 to 1, the horizon is in ticks.

use super::{Signal, beyond};
use crate::market::Reading;

/// Moves of fewer standard deviations than this are noise.
const DEAD_ZONE: f64 = 1.5;
/// Slope of the answer beyond it.
const STEEPNESS: f64 = 0.7;
const STOP_ATR: f64 = 2.0;
/// Twice the ticks that the measure looks back.
const HORIZON_TICKS: u32 = 8;

/// Long after a rise of four ticks beyond noise, short after a fall.
pub(super) fn signal(reading: &Reading) -> Signal {
    let [_, four_ticks, _, _] = reading.scaled_returns;
    Signal::new(reading, beyond(four_ticks, DEAD_ZONE, STEEPNESS), STOP_ATR, HORIZON_TICKS)
}
