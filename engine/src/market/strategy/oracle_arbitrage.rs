//! Oracle arbitrage: trade the pool towards the oracle's price when they are further apart than a round trip costs.

use super::{Signal, beyond};
use crate::market::Reading;

/// Slope of the answer beyond the costs, per standard deviation of a tick.
const STEEPNESS: f64 = 0.7;
const STOP_ATR: f64 = 2.0;
const HORIZON_TICKS: u32 = 4;

/// The signal it gives on what is read, −1 to 1, with its stop; strength 0 stays out.
pub(super) fn signal(reading: &Reading) -> Signal {
    let costs = 2.0 * (reading.pool_fee + reading.half_spread) / reading.volatility;
    let strength = beyond(reading.oracle_gap / reading.volatility, costs, STEEPNESS);
    Signal::new(reading, strength, STOP_ATR, HORIZON_TICKS)
}
