//! Liquidity provision: supply the pool while the price is quiet and fees outweigh what moving prices take (market making, yield farming).
//!
//! The strength runs from 0 to 1 and is 0 in a trend or in a wild market. The stop, 3 average true ranges (ATR), is on the position's own
//! gain, which moves with the root of the price; the horizon is 24 ticks. Losses to arbitrage are loss versus rebalancing, the dynamic form
//! of impermanent loss. Golems get the signal in their view and weigh it as a candidate among others; truth tables follow it on paper.

use super::Signal;
use crate::market::Reading;
use morta_base::math::tanh;

/// Trends (t-statistics) from which supplying the pool is a bet on the price.
const TREND_LIMIT: f64 = 1.5;
/// Volatility ratio from which it is a bet on calm.
const VOLATILITY_RATIO_LIMIT: f64 = 1.4;
const STOP_ATR: f64 = 3.0;
/// Fees are earned slowly: over fewer ticks the carry below seldom exceeds the cost of entering.
const HORIZON_TICKS: u32 = 24;

/// Strength = calm · quiet · tanh(carry / entry), from 0 to 1: carry is the expected fees less losses to arbitrage over the horizon, entry
/// the cost of entering, both as fractions of the stake.
pub(super) fn signal(reading: &Reading) -> Signal {
    // A constant-product position loses σ²/8 a tick to arbitrage (Milionis et al. 2022, loss versus rebalancing).
    let lost = reading.volatility * reading.volatility / 8.0;
    let carry = f64::from(HORIZON_TICKS) * (reading.fee_rate - lost).max(0.0);
    let entry = (reading.pool_fee + reading.half_spread).max(f64::MIN_POSITIVE);
    let calm = (1.0 - reading.trend_strength.abs() / TREND_LIMIT).max(0.0);
    let quiet = if reading.volatility_ratio < VOLATILITY_RATIO_LIMIT { 1.0 } else { 0.0 };
    Signal::new(reading, calm * quiet * tanh(carry / entry), STOP_ATR, HORIZON_TICKS)
}
