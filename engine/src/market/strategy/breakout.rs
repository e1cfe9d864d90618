//! Breakout: enter when the price leaves the range of the last 32 ticks (Donchian), in the direction it left.

use super::{Signal, beyond};
use crate::market::Reading;

/// Slope of the answer to the distance beyond the range, in ATR.
const STEEPNESS: f64 = 1.0;
const STOP_ATR: f64 = 3.0;
const HORIZON_TICKS: u32 = 24;

/// The signal it gives on what is read, −1 to 1, with its stop; strength 0 stays out.
pub(super) fn signal(reading: &Reading) -> Signal {
    Signal::new(reading, beyond(reading.breakout, 0.0, STEEPNESS), STOP_ATR, HORIZON_TICKS)
}
