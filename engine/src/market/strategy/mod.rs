//! The six strategies: trend following, breakout, mean reversion, momentum, liquidity provision (market making) and oracle arbitrage. Each
//! is one small pure function from what can be seen of an asset to a [`Signal`].
//!
//! The specs name no family of strategies (digest section 20); ours are textbook rules, and the default regimes of synthetic prices were
//! set so that each strategy pays somewhere. All but liquidity provision answer with tanh(steepness · excess), where excess is how far a
//! measure is beyond the strategy's dead zone: 0 within it, a half at about .55/steepness beyond it, nearly 1 at 2/steepness. Stops are in
//! average true ranges (ATR), so that one R is as likely to be lost in calm as in wild markets, and are held to .05 % to 50 % of the price;
//! horizons are about as long as the measure that the strategy goes by. In the field these are trading signals, or alphas; a signal has
//! strength (−1 to 1), a stop-loss as a fraction of the price, and a time exit in ticks. A signal is a candidate and no trade: the golem
//! drops it when costs exceed `golem.max_cost_r`, and its memory says what the others are worth. OWM's
//! validation in `tools` trades these signals on recorded bars.

mod breakout;
mod liquidity_provision;
mod mean_reversion;
mod momentum;
mod oracle_arbitrage;
mod trend_following;

use crate::market::{PositionSide, Reading};
use morta_base::math::tanh;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// A way of trading. Which one pays depends on regime, volatility, liquidity and gas.
    pub enum Strategy: Key {
        /// Follow the sign of a slow trend.
        TrendFollowing = "trend_following",
        /// Enter when the price leaves its recent range.
        Breakout = "breakout",
        /// Bet on the return to a moving average.
        MeanReversion = "mean_reversion",
        /// Follow the last few returns.
        Momentum = "momentum",
        /// Supply the pool and earn its fees.
        LiquidityProvision = "liquidity_provision",
        /// Trade the pool towards the oracle's price.
        OracleArbitrage = "oracle_arbitrage",
    }
}

/// A trading signal with strength, stop-loss and time exit (holding time): the suggestion of a strategy for one asset at one tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Strength and direction in [−1, 1]: above 0 long, below 0 short, 0 stay out. Liquidity provision
    /// is in [0, 1], and its venue is the pool.
    pub strength: f64,
    /// Distance of the protective stop from the entry price, as a fraction of it; above 0. One R is what is
    /// lost there.
    pub stop_distance: f64,
    /// Intended holding time, in ticks; at least 1.
    pub horizon_ticks: u32,
}

impl Signal {
    /// The side (trade direction) of the signal's order: buy or sell, or provide liquidity; `None` when it says to stay out.
    pub fn side(self, strategy: Strategy) -> Option<PositionSide> {
        if self.strength == 0.0 {
            None
        } else if strategy == Strategy::LiquidityProvision {
            Some(PositionSide::Liquidity)
        } else if self.strength > 0.0 {
            Some(PositionSide::Long)
        } else {
            Some(PositionSide::Short)
        }
    }
}

/// Closest stop, as a fraction of the price: nearer ones would be set off by the spread alone (1 bps each way by default, and wider in wild
/// times).
const STOP_DISTANCE_MIN: f64 = 0.0005;
/// Farthest stop, as a share of the price: beyond half of it a stop is no plan to stop.
const STOP_DISTANCE_MAX: f64 = 0.5;

/// Computes all trading signals for a reading, in the order of [`Strategy::ALL`]. One reading serves all golems, so signals are computed
/// once a tick and not once a golem.
pub fn signals(reading: &Reading) -> [Signal; Strategy::COUNT] {
    Strategy::ALL.map(|strategy| match strategy {
        Strategy::TrendFollowing => trend_following::signal(reading),
        Strategy::Breakout => breakout::signal(reading),
        Strategy::MeanReversion => mean_reversion::signal(reading),
        Strategy::Momentum => momentum::signal(reading),
        Strategy::LiquidityProvision => liquidity_provision::signal(reading),
        Strategy::OracleArbitrage => oracle_arbitrage::signal(reading),
    })
}

impl Signal {
    /// A signal with its stop some average true ranges away.
    fn new(reading: &Reading, strength: f64, stop_atr: f64, horizon_ticks: u32) -> Self {
        // A measure that is no number means staying out: clamped, a NaN would stay one and spread to every expectation.
        let strength = if strength.is_finite() { strength.clamp(-1.0, 1.0) } else { 0.0 };
        let stop_distance = (stop_atr * reading.atr).clamp(STOP_DISTANCE_MIN, STOP_DISTANCE_MAX);
        Self { strength, stop_distance, horizon_ticks }
    }
}

/// The excess of `value` beyond a dead zone of ±`dead`, squeezed into (−1, 1) by tanh(`steepness` · excess); 0 within the zone.
fn beyond(value: f64, dead: f64, steepness: f64) -> f64 {
    let excess = (value.abs() - dead).max(0.0);
    tanh(steepness * excess) * value.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::market::CALM;

    #[test]
    fn calm_markets_suggest_nothing() {
        for (strategy, signal) in Strategy::ALL.iter().zip(signals(&CALM)) {
            assert_eq!(signal.side(*strategy), None, "{strategy}");
            assert!(signal.stop_distance >= STOP_DISTANCE_MIN && signal.horizon_ticks >= 1);
        }
    }
}
