//! The price oracle: the reference price, late and with an error. It has nothing to do with the memory `oracle`, which knows the truth.
//!
//! published = reference of `lag_ticks` ago · e^ε, ε normal with a standard deviation of `deviation_bps`, plus the bias of shocks. Without
//! lag, deviation and shocks it is the reference; by default the lag is 0 and the deviation 2 bps. In decentralised finance this is a price
//! feed. Its gap to the pool is what oracle arbitrage trades on (stale price, oracle latency), and its lag and error are what misleads that
//! strategy. No order is executed at the oracle's price.

use crate::market::OracleConfig;
use morta_base::math::exp;
use morta_base::{Purpose, WorldSeed};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A delayed and noisy price feed: the reference prices that it has received, and its present error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Oracle {
    config: OracleConfig,
    /// Reference prices, oldest first, as many as the lag and one.
    heard: VecDeque<f64>,
    error: f64,
}

impl Oracle {
    /// Starts the price feed at the true price, without error.
    pub(super) fn new(config: OracleConfig, price: f64) -> Self {
        Self { config, heard: VecDeque::from([price]), error: 0.0 }
    }

    /// A config change at runtime. A shorter lag forgets at once; a longer one is reached as prices come in.
    pub(super) fn rebind(&mut self, config: OracleConfig) {
        self.config = config;
        let most = config.lag_ticks as usize + 1;
        self.heard.drain(..self.heard.len().saturating_sub(most));
    }

    /// Puts the reference price of a tick into the delay line (queue), and draws a new error. `bias` is a shock's relative error.
    pub(super) fn advance(&mut self, seed: WorldSeed, part: u32, step: u64, reference: f64, bias: f64) {
        self.heard.push_back(reference);
        if self.heard.len() as u64 > u64::from(self.config.lag_ticks) + 1 {
            self.heard.pop_front();
        }
        let noise = seed.world(Purpose::Oracle, part, step).normal() * self.config.deviation_bps * 1e-4;
        self.error = noise + bias;
    }

    /// The stale (delayed) price of the feed with its error; before the lag has passed, the oldest price known. The error is a
    /// log, so the price stays above 0.
    pub(super) fn price(&self) -> f64 {
        self.heard[0] * exp(self.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_lags_and_deviates_as_configured() {
        let config = OracleConfig { lag_ticks: 3, deviation_bps: 0.0 };
        let mut oracle = Oracle::new(config, 100.0);
        for step in 1..=10 {
            oracle.advance(WorldSeed(1), 0, step, 100.0 + step as f64, 0.0);
            assert_eq!(oracle.price(), 100.0 + step.saturating_sub(3) as f64);
        }
        oracle.advance(WorldSeed(1), 0, 11, 111.0, 0.01);
        assert!((oracle.price() - 108.0 * exp(0.01)).abs() < 1e-9);
    }
}
