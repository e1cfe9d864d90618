//! Momentum: follow the last four ticks when they moved more than noise (time-series momentum, at a short horizon).
//!
//! The move is in standard deviations of a random walk over four ticks, of which 1.5 are a dead zone; the strength runs from −1 to 1. The
//! stop is 2 average true ranges (ATR) away, the horizon is 8 ticks. Golems get the signal in their view and weigh it as a candidate among
//! others; truth tables follow it on paper.

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
