//! Outcome of a trade on paper (paper trading): a position on a stretch of prices, with its stop loss and its horizon (time exit).
//!
//! R = (g − c) / d, where g is the gain before costs as a fraction of the stake, c the costs of the round trip and d the distance of the
//! stop, both as fractions. With q the price over its entry price, g is q − 1 for a long, 1 − q for a short, and √q − 1 + earned fees for
//! liquidity. A trade that is stopped at exactly its distance and without costs makes −1 R; 0 ticks make −c/d.
//!
//! The truth tables and the fits of `oracle-as-read` and `constant` run whole trades by `paper_trade`. Forecasts and a golem's regrets
//! follow theirs tick by tick with the same gain and the same stop, so that they can be compared; forecasts are scored before costs (c =
//! 0). Values of staying, open results at reviews and positions that were left use the gain before costs as well. Costs are the predicted
//! ones at entry, gas included.

use crate::market::view::predicted_round_trip_bps;
use crate::market::{AssetView, PositionSide};
use morta_base::{Bps, Usdc};
use serde::{Deserialize, Serialize};

/// A simulated position (virtual trade) with its stop-loss; the market never sees it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaperTrade {
    /// The source of its gain.
    pub side: PositionSide,
    /// The asset when it is entered.
    pub entry: PathPoint,
    /// Distance of the stop as a fraction of the entry price; above 0. One R is what is lost there.
    pub stop_distance: f64,
    /// Costs of the round trip, in bps of the stake.
    pub cost_bps: Bps,
}

/// The asset at one tick: a point of the price path with cumulative fees, for path-dependent exits. Golems value their open positions at it
/// as well (mark to market).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PathPoint {
    /// The pool's price, dollars a unit.
    pub price: f64,
    /// The pool's cumulative fees for a dollar of liquidity; matters to liquidity only.
    pub fee_growth: f64,
}

impl PathPoint {
    /// Makes a path point from a bare price (quote) without fees, for sides other than liquidity. So far only tests use it.
    pub const fn at_price(price: f64) -> Self {
        Self { price, fee_growth: 0.0 }
    }
}

impl From<&AssetView> for PathPoint {
    fn from(asset: &AssetView) -> Self {
        Self { price: asset.pool_price, fee_growth: asset.fee_growth }
    }
}

/// The backtest result of one trade: its R-multiple, its length, and whether it was a simulated stop-out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaperOutcome {
    /// Gain net of costs over what the stop risked.
    pub r_multiple: f64,
    /// Ticks it was held.
    pub ticks_held: u32,
    /// Whether the stop ended it.
    pub stopped: bool,
}

impl PaperTrade {
    /// The gross return: gain before costs as a fraction of the stake. A share of a constant-product pool is worth √(price ratio) of what
    /// it was, and has earned its fees; √q − 1 holds the impermanent loss. The return is unrealised.
    pub fn gain(&self, now: PathPoint) -> f64 {
        let ratio = now.price / self.entry.price;
        match self.side {
            PositionSide::Long => ratio - 1.0,
            PositionSide::Short => 1.0 - ratio,
            PositionSide::Liquidity => ratio.sqrt() - 1.0 + (now.fee_growth - self.entry.fee_growth),
        }
    }
}

/// Backtests a trade along `path` (the ticks after the entry, as many as it may be held) and ends it at the first tick at which the loss
/// before costs has reached the stop, or with the last. A stop is carried out at the price of the tick that set it off, so gaps cost more
/// than one R; without costs, no stop makes money of a martingale.
///
/// With no path at all the trade is over at once and has made its costs' loss.
pub fn paper_trade(trade: &PaperTrade, path: impl IntoIterator<Item = PathPoint>) -> PaperOutcome {
    let (mut gain, mut ticks_held, mut stopped) = (0.0, 0, false);
    for point in path {
        gain = trade.gain(point);
        ticks_held += 1;
        // Before costs: after costs, the same signal would be stopped earlier wherever trading is dearer.
        if gain <= -trade.stop_distance {
            stopped = true;
            break;
        }
    }
    PaperOutcome { r_multiple: (gain - trade.cost_bps * 1e-4) / trade.stop_distance, ticks_held, stopped }
}

/// Estimates transaction costs before a trade: expected costs (slippage, fees, gas) of opening and closing a position of `stake` at this
/// tick, gas for both included, in bps of the stake. Liquidity swaps half of it each way. A stake of 0 bears no gas. Candidates are costed
/// at the largest stake that the golem may take, truth tables, fits and interviews at that of a newborn, regrets at the size taken. A
/// candidate whose costs exceed `golem.max_cost_r` (.75 R) is dropped.
pub fn round_trip_cost_bps(asset: &AssetView, side: PositionSide, stake: Usdc, gas: Usdc) -> Bps {
    let swapped = match side {
        PositionSide::Long | PositionSide::Short => predicted_round_trip_bps(asset, stake),
        PositionSide::Liquidity => predicted_round_trip_bps(asset, stake.scaled(0.5)) / 2.0,
    };
    let gas_share = if stake.is_positive() { 2.0 * gas.dollars() / stake.dollars() } else { 0.0 };
    swapped + 1e4 * gas_share
}
