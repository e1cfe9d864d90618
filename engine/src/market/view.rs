//! A golem's view of the market at one tick: the observation of a partially observable environment. Everything here is computed from prices
//! up to that tick; the market's true regime is not part of it.
//!
//! Prices are in dollars a unit, spreads, fees and average true ranges are fractions, time is in ticks and in seconds since 1970. Its
//! classes are categorical features: market regime, trend direction, liquidity, gas level and trading session. One view serves all golems
//! of a world; only the regime is read by each with thresholds of its own (1.5 and 1.6 in the middle, varied by its genome). The regime is
//! the market condition: trending up or down, ranging, or volatile. The trend is the market direction (uptrend or downtrend). Pool depth is
//! market depth, discretized to a liquidity class. The gas price is a transaction cost (gas fee).

use crate::market::{AssetIndex, Signal, Strategy};
use morta_base::{Bps, Tick, Usdc};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The market's condition (digest section 1).
    #[allow(missing_docs)]
    pub enum Regime: Key {
        TrendingUp = "trending_up",
        TrendingDown = "trending_down",
        RangeBound = "range_bound",
        Volatile = "volatile",
    }

    /// Pool depth against its own long-run level.
    #[allow(missing_docs)]
    pub enum LiquidityClass: Key {
        Crisis = "crisis",
        Thin = "thin",
        Normal = "normal",
        Deep = "deep",
    }

    /// Gas price against its own long-run level.
    #[allow(missing_docs)]
    pub enum GasClass: Key {
        Low = "low",
        Normal = "normal",
        Elevated = "elevated",
        Spike = "spike",
    }

    /// Trading session by the hour of the day, UTC: Asia 22–7, Europe 7–13, America 13–22.
    #[allow(missing_docs)]
    pub enum Session: Key {
        Asia = "asia",
        Europe = "europe",
        America = "america",
    }
}

impl Session {
    /// The trading session at a time in seconds since 1970-01-01 UTC, by the time of day in whole hours.
    pub fn at(time_s: i64) -> Self {
        match time_s.rem_euclid(86_400) / 3_600 {
            7..13 => Self::Europe,
            13..22 => Self::America,
            _ => Self::Asia,
        }
    }
}

/// A market data snapshot of one asset at one tick, with technical indicators and signals: the features that golems see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetView {
    /// Mid price of the on-chain pool, dollars a unit.
    pub pool_price: f64,
    /// The oracle's published price, dollars a unit: late, and sometimes off.
    pub oracle_price: f64,
    /// Half the bid-ask spread as a fraction of the price.
    pub half_spread: f64,
    /// The pool's fee for a swap, as a fraction.
    pub pool_fee: f64,
    /// Dollars on the money side of the pool.
    pub depth_usdc: f64,
    /// Fees earned by one dollar of liquidity since the start of the world; grows without end.
    pub fee_growth: f64,
    /// Change of the pool price over the last tick, log.
    pub log_return: f64,
    /// Standard deviation of log returns a tick, exponentially weighted over about 64 ticks; above 0.
    pub volatility: f64,
    /// Average true range as a fraction of the price; above 0.
    pub atr: f64,
    /// Rank of the volatility among the last readings: 1 calm … 5 wild.
    pub volatility_quintile: u8,
    /// Mean return over standard error of the slow window: a t-statistic; trends are beyond ±1 or so.
    pub trend_strength: f64,
    /// Fast volatility over slow volatility; about 1.
    pub volatility_ratio: f64,
    /// Whether one of the last 32 ticks moved the price by more than four of the standard deviations it had before.
    #[serde(default)]
    pub shock_lately: bool,
    /// Pool depth class.
    pub liquidity: LiquidityClass,
    /// Standardised features, length 16, 32 or 64, each clamped to [−4, 4].
    pub embedding: Box<[f32]>,
    /// The suggestion of each strategy, in the order of [`Strategy::ALL`].
    pub signals: [Signal; Strategy::COUNT],
}

/// The observation of all agents at one tick: a market snapshot of quotes, indicators and gas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarketView {
    /// The tick it shows.
    pub tick: Tick,
    /// Simulated time, seconds since 1970-01-01 UTC.
    pub time_s: i64,
    /// Gas for one transaction now.
    pub gas: Usdc,
    /// Class of the gas price against its base price (`market.gas.base_usdc`).
    pub gas_class: GasClass,
    /// Which of the world's exchanges are open, by the simulated hour.
    pub session: Session,
    /// Every asset, by [`AssetIndex`].
    pub assets: Vec<AssetView>,
}

impl MarketView {
    /// The view of one asset, by its index.
    ///
    /// # Panics
    /// When the market has no such asset: an index comes from this view or from the scenario.
    pub fn asset(&self, asset: AssetIndex) -> &AssetView {
        &self.assets[usize::from(asset)]
    }
}

/// The decision boundaries of a regime classifier, in trend and volatility: the limits between regimes by which one golem reads them. They
/// vary by genome, because golems that all read alike would all err at the same ticks. Fits of `oracle-as-read`, interviews of memories and
/// OWM's validation in `tools` have fixed ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegimeThresholds {
    /// Trend strength beyond which a market trends (a t-statistic; 1.5 in the middle).
    pub trend: f64,
    /// Volatility ratio beyond which it is volatile (1.6 in the middle).
    pub volatility: f64,
}

impl RegimeThresholds {
    /// Detects the regime by thresholds (a rule-based classifier), the golem's own reading: volatile first, then trending, else
    /// range-bound. Volatility comes first because a wild market's t-statistic exceeds the threshold of a trend by chance.
    pub(crate) fn classify(&self, asset: &AssetView) -> Regime {
        self.classify_measures(asset.volatility_ratio, asset.trend_strength)
    }

    /// Classifies the regime from the two indicators that it looks at. OWM's validation in `tools`, which has no view, calls it for
    /// recorded bars.
    pub fn classify_measures(&self, volatility_ratio: f64, trend_strength: f64) -> Regime {
        if volatility_ratio > self.volatility {
            Regime::Volatile
        } else if trend_strength > self.trend {
            Regime::TrendingUp
        } else if trend_strength < -self.trend {
            Regime::TrendingDown
        } else {
            Regime::RangeBound
        }
    }
}

/// Estimates transaction costs before a trade: the expected loss of a round trip against the pool's mid price, as the golem predicts it
/// before acting. It is twice the fee and half-spread, plus the constant-product impact of `stake` on the depth seen, in bps of the stake;
/// gas is not in it. An episode keeps it, to be compared with what the fills lost.
///
/// With depth y and stake s, buying with s moves the average price by s/(y + s); 0 for a stake of 0.
pub(crate) fn predicted_round_trip_bps(asset: &AssetView, stake: Usdc) -> Bps {
    2.0 * predicted_slippage_bps(asset, stake)
}

/// Estimates slippage (market impact) before a trade: the expected loss of one way, opening or closing, in bps of the stake. Adds fee,
/// half-spread and price impact.
pub fn predicted_slippage_bps(asset: &AssetView, stake: Usdc) -> Bps {
    let impact = stake.dollars() / (asset.depth_usdc + stake.dollars()).max(f64::MIN_POSITIVE);
    1e4 * (asset.pool_fee + asset.half_spread + impact)
}
