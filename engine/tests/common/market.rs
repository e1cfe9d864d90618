//! Prices that walk gently, and a reading in which nothing happens.

use morta_base::math::exp;
use morta_base::{Purpose, WorldSeed};
use morta_engine::market::{Bar, Reading};

/// A gentle walk of `count` hourly bars, the same for the same part.
pub fn walk(count: u64, part: u32) -> Vec<Bar> {
    let mut price = 100.0;
    (0..count)
        .map(|step| {
            let open = price;
            price *= exp(0.003 * WorldSeed(99).world(Purpose::Bootstrap, part, step).normal());
            Bar {
                open_time_s: 3_600 * step as i64,
                open,
                high: open.max(price) * 1.0005,
                low: open.min(price) * 0.9995,
                close: price,
                half_spread: 0.0001,
                volume: Some(10.0 + (step % 7) as f64),
            }
        })
        .collect()
}

/// A reading in which nothing happens.
pub const CALM: Reading = Reading {
    log_return: 0.0,
    volatility: 0.001,
    volatility_ratio: 1.0,
    volatility_quintile: 3,
    shock_lately: false,
    atr: 0.001,
    trend_strength: 0.0,
    range_position: 0.0,
    breakout: 0.0,
    mean_distance: 0.0,
    autocorrelation: 0.0,
    relative_strength: 0.0,
    scaled_returns: [0.0; 4],
    oracle_gap: 0.0,
    half_spread: 0.0001,
    pool_fee: 0.0005,
    fee_rate: 0.0,
    depth_ratio: 1.0,
};
