//! Oracle arbitrage: trade the pool towards the oracle's price when they are further apart than a round trip costs (stale price arbitrage).
//!
//! Gap and costs (fee and half spread, twice; not gas) are in standard deviations of a tick; the strength runs from −1 to 1. The stop is 2
//! average true ranges (ATR) away, the horizon is 4 ticks. It loses where the oracle itself is wrong. Golems get the signal in their view
//! and weigh it as a candidate among others; truth tables follow it on paper.

use super::{Signal, beyond};
use crate::market::Reading;

/// Slope of the answer beyond the costs, per standard deviation of a tick.
const STEEPNESS: f64 = 0.7;
const STOP_ATR: f64 = 2.0;
/// The arbitrageur closes 60 % of a gap each tick by default: after four ticks a fortieth of it is left.
const HORIZON_TICKS: u32 = 4;

/// Long when the oracle is above the pool by more than fee and spread of a round trip, short when it is as far below.
pub(super) fn signal(reading: &Reading) -> Signal {
    let costs = 2.0 * (reading.pool_fee + reading.half_spread) / reading.volatility;
    let strength = beyond(reading.oracle_gap / reading.volatility, costs, STEEPNESS);
    Signal::new(reading, strength, STOP_ATR, HORIZON_TICKS)
}
