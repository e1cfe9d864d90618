//! Breakout: enter when the price leaves the range of the last 32 ticks (Donchian channel), in the direction it left.
//!
//! The strength is tanh of the distance beyond the range in average true ranges (ATR), from −1 to 1. The stop is 3 ATR away, the horizon is
//! 24 ticks. It gains when a range is left for good, and loses on false breakouts. Golems get the signal in their view and weigh it as a
//! candidate among others; truth tables follow it on paper.

use super::{Signal, beyond};
use crate::market::Reading;

/// Slope of the answer to the distance beyond the range, in ATR.
const STEEPNESS: f64 = 1.0;
/// Farther than momentum's: a breakout is often tested by a return to the range's edge.
const STOP_ATR: f64 = 3.0;
/// Somewhat less than the 32 ticks of the range: later the range would be another one.
const HORIZON_TICKS: u32 = 24;

/// Long above the range, short below it, 0 within: there is no dead zone, because the range is one.
pub(super) fn signal(reading: &Reading) -> Signal {
    Signal::new(reading, beyond(reading.breakout, 0.0, STEEPNESS), STOP_ATR, HORIZON_TICKS)
}
