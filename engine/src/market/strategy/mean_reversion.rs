//! Mean reversion: bet on the return of a stretched price to its mean of 48 ticks (z-score trading, contrarian). The distance is in
//! standard deviations, the stop in average true ranges, the signal runs from −1 to 1, the horizon is in ticks. It gains in ranges and
//! loses in trends.

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
