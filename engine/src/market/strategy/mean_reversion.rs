//! Mean reversion: bet on the return of a stretched price to its mean of 48 ticks (z-score trading, contrarian).
//!
//! The distance is in standard deviations, of which 1.5 are a dead zone; the strength runs from −1 to 1. The stop is 3 average true ranges
//! (ATR) away, the horizon is 12 ticks. It gains in ranges and loses in trends. Golems get the signal in their view and weigh it as a
//! candidate among others; truth tables follow it on paper.

use super::{Signal, beyond};
use crate::market::Reading;

/// Prices nearer to the mean than this many standard deviations are left alone.
const DEAD_ZONE: f64 = 1.5;
/// Slope of the answer beyond it.
const STEEPNESS: f64 = 0.8;
/// Farther than momentum's: a stretched price may stretch farther before it returns.
const STOP_ATR: f64 = 3.0;
/// A range-bound regime closes a tenth of the distance to its anchor a tick by default: in 12 ticks over two thirds of it.
const HORIZON_TICKS: u32 = 12;

/// Short above the mean, long below it: the sign is turned, because the bet is on the return.
pub(super) fn signal(reading: &Reading) -> Signal {
    let strength = -beyond(reading.mean_distance, DEAD_ZONE, STEEPNESS);
    Signal::new(reading, strength, STOP_ATR, HORIZON_TICKS)
}
