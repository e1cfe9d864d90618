//! Measures of one asset from its past (technical indicators): rolling windows over the pool's price, and the reading of
//! them that strategies and features share. Nothing here knows the future or the true regime. All golems of a world share one reading a
//! tick. Windows fill from the warm-up on (128 ticks by default); the rank of volatility has 256 readings only later, and means by the slow
//! weight of 1/512 settle later still. A golem sees what the view takes over from it. OWM's validation in `tools` reads recorded
//! bars by the same windows, as a pool without fees.
//!
//! With r a tick's log return, σ² its exponentially weighted mean square and p log prices:
//!
//! - trend strength = r̄ / s · √n · n/48 over the last n ≤ 48 returns (s their standard deviation): a t-statistic;
//! - volatility ratio = σ over its running geometric mean;
//! - return over h ticks = (p − p of h ticks ago) / (σ √h), in standard deviations of a random walk over that horizon;
//! - mean distance = (p − p̄) / s of the last 48 log prices; autocorrelation = Σ xₜ xₜ₋₁ / Σ xₜ² of their centred returns;
//! - relative strength = (gains − losses) / (gains + losses), Wilder's RSI moved from 0..100 to −1..1;
//! - true range and its average (ATR) as Wilder has them, as log ranges of the reference price, but no less than the pool's own move.
//!
//! Prices that stand still, and windows with too few values, read as 0. Volatility and ATR stay above 0; the quintile is 3 for fewer than
//! five readings, and 1 where prices stand still. Every measure is causal, that is without look-ahead bias.

use crate::market::window::{Window, range};
use morta_base::math::{exp, ln};
use morta_base::moments::Moments;
use serde::{Deserialize, Serialize};

/// Ticks of the window for trend strength, autocorrelation, range and mean; our choice: as long as trend following holds, and a fifth of a
/// regime's mean duration by default, so that a window mostly lies within one regime.
const SLOW_WINDOW: u32 = 48;
/// Fewest values that a place among them, or their autocorrelation, is read from: of fewer, both are near ±1 by chance.
const FEWEST: f64 = 8.0;
/// Ticks whose highest and lowest prices make the range to break out of. The current one is left out, or no price could ever be beyond it.
const BREAKOUT_WINDOW: u32 = 32;
/// Prices kept: the longest return is over 64 ticks.
const PRICES_KEPT: u32 = 65;
/// Volatility readings among which the current one is ranked; our choice: about the mean duration of a regime by default (240 ticks).
const RANK_WINDOW: u32 = 256;
/// Weight of the newest return in the variance.
const FAST: f64 = 1.0 / 64.0;
/// Weight of the newest reading in the long-run mean of log volatility: an eighth of the fast one, so that a ratio of the two shows a
/// change and not noise. The mean of logs, because a variance's long-run mean was lifted by a wild stretch for long after.
const SLOW: f64 = 1.0 / 512.0;
/// Wilder's weight for the average true range and the relative strength index, both over 14 periods (New Concepts in Technical Trading
/// Systems, 1978).
const WILDER: f64 = 1.0 / 14.0;
/// Weight of the newest tick in the rate at which liquidity earns fees; as that of the variance, because the two are held against each
/// other.
const FEE_RATE_WEIGHT: f64 = 1.0 / 64.0;
/// Standard deviations, as they were before it, beyond which a tick's move is a shock: of normal returns one in 16,000 is, while the jumps
/// of planned shocks are mostly larger.
const SHOCK_DEVIATIONS: f64 = 4.0;
/// For how many ticks a shock counts as of late: about as long as the range that breakouts go by.
const SHOCK_WINDOW: u64 = 32;
/// Volatility believed in before any return is seen; one observation's worth, so that its value is forgotten soon. It must be above 0, or
/// the first scaled return would be infinite.
const VOLATILITY_PRIOR: f64 = 0.001;
/// Least volatility and average true range, for prices that stand still.
const VOLATILITY_MIN: f64 = 1e-6;

/// A market data sample (quote): the prices and costs of an asset at one tick, the raw inputs of the indicators.
#[derive(Clone, Copy, Debug)]
pub struct AssetObservation {
    /// The pool's price, dollars a unit, above 0.
    pub pool_price: f64,
    /// The oracle's price, dollars a unit, above 0.
    pub oracle_price: f64,
    /// Log of high over low since the last tick, gap included, of the reference price: a pool has no highs and lows between ticks.
    pub true_range: f64,
    /// Half of what lies between bid and ask, as a fraction of the price.
    pub half_spread: f64,
    /// The pool's fee, as a fraction of what is swapped.
    pub pool_fee: f64,
    /// Fees that a dollar of liquidity has earned since the world began; never falls.
    pub fee_growth: f64,
    /// Depth of the pool over its usual depth.
    pub depth_ratio: f64,
}

/// The technical indicators of one asset at one tick: ATR, RSI, volatility, trend t-statistic, breakout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Log return of the last tick.
    pub log_return: f64,
    /// Standard deviation of a tick's log return, over about 64 ticks; above 0.
    pub volatility: f64,
    /// That over its geometric mean of about 512 ticks, which a wild stretch lifts less than it would a variance.
    pub volatility_ratio: f64,
    /// Rank of the volatility among the last 256 readings, 1 (calm) to 5.
    pub volatility_quintile: u8,
    /// Whether one of the last 32 ticks was a shock: a move of more than four standard deviations as they were before.
    pub shock_lately: bool,
    /// Average true range as a fraction of the price; above 0.
    pub atr: f64,
    /// t-statistic of the mean return over 48 ticks.
    pub trend_strength: f64,
    /// Position of the price between the lowest (−1) and the highest (+1) of 48 ticks.
    pub range_position: f64,
    /// Distance of the price above the highest (or, negative, below the lowest) of the 32 ticks before, in ATR.
    pub breakout: f64,
    /// Log distance from the mean of 48 ticks over the standard deviation of the prices in them.
    pub mean_distance: f64,
    /// First-order autocorrelation of returns over 48 ticks, −1 to 1.
    pub autocorrelation: f64,
    /// Relative strength index (Wilder, 14 ticks), from −1 (only losses) to 1 (only gains).
    pub relative_strength: f64,
    /// Log returns over 1, 4, 16 and 64 ticks in standard deviations of that horizon.
    pub scaled_returns: [f64; 4],
    /// (oracle − pool) / pool.
    pub oracle_gap: f64,
    /// Half the spread, as a fraction.
    pub half_spread: f64,
    /// The pool's fee, as a fraction.
    pub pool_fee: f64,
    /// Mean fees of a dollar of liquidity a tick, in dollars, over about 64 ticks.
    pub fee_rate: f64,
    /// Depth over its long-run level.
    pub depth_ratio: f64,
}

/// The rolling windows (ring buffers) and running statistics of one asset, behind its technical indicators.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssetWindows {
    /// The last 65 log prices of the pool.
    log_prices: Window,
    /// The last 48 log returns.
    returns: Window,
    /// The last 256 readings of volatility, among which the present one is ranked.
    volatilities: Window,
    /// Ticks taken in so far.
    ticks: u64,
    /// The tick of the last shock, counted like `ticks`; 0 before any.
    last_shock: u64,
    /// Running mean square (EWMA) of returns, the σ² of the formulas.
    fast_variance: f64,
    /// Running mean of ln σ, eight times as slow.
    mean_log_volatility: f64,
    /// Wilder's average true range, as a fraction of the price.
    atr: f64,
    /// Wilder's running means of gains and of losses, log returns, for the RSI.
    mean_gain: f64,
    mean_loss: f64,
    /// The pool's cumulative fees at the last tick, and the running mean of their growth a tick.
    fee_growth: f64,
    fee_rate: f64,
    /// The measures of the last tick, kept because they are read more than once a tick and computing them goes through all windows.
    /// Not in checkpoints, for they follow from the rest.
    #[serde(skip)]
    latest: Option<Reading>,
}

impl AssetWindows {
    /// Makes windows that have seen one price: the indicators begin neutral.
    pub fn new(price: f64, fee_growth: f64) -> Self {
        let mut log_prices = Window::new(PRICES_KEPT);
        log_prices.push(ln(price));
        Self {
            log_prices,
            returns: Window::new(SLOW_WINDOW),
            volatilities: Window::new(RANK_WINDOW),
            ticks: 0,
            last_shock: 0,
            fast_variance: VOLATILITY_PRIOR * VOLATILITY_PRIOR,
            mean_log_volatility: ln(VOLATILITY_PRIOR),
            atr: VOLATILITY_PRIOR,
            mean_gain: 0.0,
            mean_loss: 0.0,
            fee_growth,
            fee_rate: 0.0,
            latest: None,
        }
    }

    /// Updates the indicators online (streaming computation) by the sample of one tick.
    pub fn update(&mut self, seen: &AssetObservation) {
        let log_price = ln(seen.pool_price);
        let log_return = log_price - self.log_prices.ago(0).unwrap_or(log_price);
        // A volatility that rests on few returns would find shocks everywhere.
        let is_known = self.ticks >= u64::from(SLOW_WINDOW);
        let is_shock = is_known && log_return.abs() > SHOCK_DEVIATIONS * self.volatility();
        self.ticks += 1;
        if is_shock {
            self.last_shock = self.ticks;
        }
        self.log_prices.push(log_price);
        self.returns.push(log_return);

        // While there is little history every tick counts alike, the prior as one of them.
        let equal = 1.0 / (self.ticks as f64 + 1.0);
        let blend = |mean: &mut f64, value: f64, weight: f64| *mean += weight.max(equal) * (value - *mean);
        blend(&mut self.fast_variance, log_return * log_return, FAST);
        let volatility = self.fast_variance.sqrt().max(VOLATILITY_MIN);
        blend(&mut self.mean_log_volatility, ln(volatility), SLOW);
        blend(&mut self.atr, seen.true_range.max(log_return.abs()), WILDER);
        blend(&mut self.mean_gain, log_return.max(0.0), WILDER);
        blend(&mut self.mean_loss, (-log_return).max(0.0), WILDER);
        blend(&mut self.fee_rate, seen.fee_growth - self.fee_growth, FEE_RATE_WEIGHT);
        self.fee_growth = seen.fee_growth;
        self.volatilities.push(volatility);
        self.latest = Some(self.measure());
    }

    fn volatility(&self) -> f64 {
        self.fast_variance.sqrt().max(VOLATILITY_MIN)
    }

    /// Reads the indicators of the tick last taken in, beside prices, costs and depth as they are now.
    pub fn read(&self, seen: &AssetObservation) -> Reading {
        Reading {
            oracle_gap: (seen.oracle_price - seen.pool_price) / seen.pool_price,
            half_spread: seen.half_spread,
            pool_fee: seen.pool_fee,
            depth_ratio: seen.depth_ratio,
            ..self.latest.unwrap_or_else(|| self.measure())
        }
    }

    /// The measures that follow from the windows; the others are 0, and `read` fills them in.
    fn measure(&self) -> Reading {
        let volatility = self.volatility();
        let atr = self.atr.max(VOLATILITY_MIN);
        let moves = self.mean_gain + self.mean_loss;
        let returns = Moments::of(self.returns.newest(SLOW_WINDOW));
        Reading {
            log_return: self.returns.ago(0).unwrap_or(0.0),
            volatility,
            volatility_ratio: volatility / exp(self.mean_log_volatility),
            volatility_quintile: self.volatility_quintile(volatility),
            shock_lately: self.last_shock > 0 && self.ticks - self.last_shock < SHOCK_WINDOW,
            atr,
            trend_strength: trend_strength(returns),
            range_position: self.range_position(),
            breakout: self.breakout() / atr,
            mean_distance: self.mean_distance(),
            autocorrelation: self.autocorrelation(returns),
            relative_strength: if moves > 0.0 { (self.mean_gain - self.mean_loss) / moves } else { 0.0 },
            scaled_returns: [1, 4, 16, 64].map(|ticks| self.scaled_return(ticks, volatility)),
            oracle_gap: 0.0,
            half_spread: 0.0,
            pool_fee: 0.0,
            fee_rate: self.fee_rate,
            depth_ratio: 0.0,
        }
    }

    fn scaled_return(&self, ticks: u32, volatility: f64) -> f64 {
        let change = self.newest_price() - self.log_prices.ago(ticks).unwrap_or(self.newest_price());
        change / (volatility * f64::from(ticks).sqrt())
    }

    fn newest_price(&self) -> f64 {
        self.log_prices.ago(0).expect("windows start with a price")
    }

    fn range_position(&self) -> f64 {
        match range(self.log_prices.newest(SLOW_WINDOW)) {
            Some((low, high)) if high > low => 2.0 * (self.newest_price() - low) / (high - low) - 1.0,
            _ => 0.0,
        }
    }

    /// Log distance beyond the earlier range; 0 inside it or without a full one.
    fn breakout(&self) -> f64 {
        if self.ticks < u64::from(BREAKOUT_WINDOW) {
            return 0.0;
        }
        let price = self.newest_price();
        let earlier = self.log_prices.newest(BREAKOUT_WINDOW + 1).take(BREAKOUT_WINDOW as usize);
        range(earlier).map_or(0.0, |(low, high)| (price - high).max(0.0) - (low - price).max(0.0))
    }

    fn mean_distance(&self) -> f64 {
        match spread(Moments::of(self.log_prices.newest(SLOW_WINDOW))) {
            Some((Moments { n, mean, .. }, deviation)) if n >= FEWEST => {
                (self.newest_price() - mean) / deviation
            }
            Some(_) | None => 0.0,
        }
    }

    fn autocorrelation(&self, returns: Option<Moments>) -> f64 {
        let Some(Moments { n, mean, .. }) = returns else { return 0.0 };
        let (mut products, mut squares, mut last) = (0.0, 0.0, 0.0);
        for value in self.returns.newest(SLOW_WINDOW).map(|value| value - mean) {
            products += value * last;
            squares += value * value;
            last = value;
        }
        if squares > 0.0 && n >= FEWEST { (products / squares).clamp(-1.0, 1.0) } else { 0.0 }
    }

    fn volatility_quintile(&self, volatility: f64) -> u8 {
        let seen = self.volatilities.newest(RANK_WINDOW);
        let (below, all) = seen.fold((0.0_f64, 0.0_f64), |(below, all), value| {
            (below + if value < volatility { 1.0 } else { 0.0 }, all + 1.0)
        });
        // Five readings make one of each quintile; before that the middle, which no rule about calm or wild markets fires on.
        if all < 5.0 { 3 } else { (1.0 + 5.0 * below / all).clamp(1.0, 5.0) as u8 }
    }
}

/// Moments and standard deviation of values that vary; `None` where they don't, or are fewer than two.
fn spread(moments: Option<Moments>) -> Option<(Moments, f64)> {
    let moments = moments?;
    moments.deviation().filter(|deviation| *deviation > 0.0).map(|deviation| (moments, deviation))
}

/// The t-statistic of the mean return.
fn trend_strength(returns: Option<Moments>) -> f64 {
    let Some((Moments { n, mean, .. }, deviation)) = spread(returns) else { return 0.0 };
    // A handful of returns makes wild t-statistics: the window counts as what it will be.
    mean / deviation * n.sqrt() * (n / f64::from(SLOW_WINDOW))
}
