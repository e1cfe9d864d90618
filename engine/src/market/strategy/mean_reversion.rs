//! Mean reversion: bet on the return of a stretched price to its mean of 48 ticks.

use super::{Signal, beyond};
use crate::market::Reading;

/// Prices nearer to the mean than this many standard deviations are left alone.
const DEAD_ZONE: f64 = 1.5;
/// Slope of the answer beyond it.
const STEEPNESS: f64 = 0.8;
const STOP_ATR: f64 = 3.0;
const HORIZON_TICKS: u32 = 12;

/// The signal it gives on what is read, −1 to 1, with its stop; strength 0 stays out.
pub(super) fn signal(reading: &Reading) -> Signal {
    let strength = -beyond(reading.mean_distance, DEAD_ZONE, STEEPNESS);
    Signal::new(reading, strength, STOP_ATR, HORIZON_TICKS)
}
