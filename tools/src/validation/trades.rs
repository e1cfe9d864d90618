//! From bars to trades: the trades of each variant, before any arm sizes them (signal generation of a backtest). A trade is decided at a
//! bar's close, filled at the next open, and left at the stop or when the holding time is over. The fill is at the next open, because a
//! close is known only when it is over. Prices are the asset's, results are R after half of the spread at each end, holding times are
//! bars. A trade that the bars don't end is dropped.
//!
//! `read` is also what `owm::priced` completes a user's contexts with.

use super::plan::{RegimeConfig, Variant};
use morta_engine::market::reading::{AssetObservation, AssetWindows};
use morta_engine::market::strategy::signals;
use morta_engine::market::{Bar, Regime, Session, Signal, Strategy};
use morta_engine::memory::owm::arena::mapping;
use morta_memories::owm::context::ContextVector;
use morta_memories::owm::episodic::Direction;
use serde::{Deserialize, Serialize};

/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// Weight of a day in Wilder's average over 14 days (Wilder 1978), the usual window of the average true range.
const WILDER: f64 = 1.0 / 14.0;
/// Bounds of a stop's distance, as a share of the price.
const STOP_MIN: f64 = 1e-4;
const STOP_MAX: f64 = 0.5;

/// The market features that are known at a bar's close, from this bar and earlier ones.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The market context; the drawdown is missing, because it is the account's.
    pub context: ContextVector,
    /// The regime in the engine's terms.
    pub regime: Regime,
    /// The signal of each strategy, by its index.
    pub(super) signals: [Signal; Strategy::COUNT],
}

/// A trade of a variant before any arm sizes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trade {
    /// The variant.
    pub variant: u32,
    /// Its strategy.
    pub strategy: Strategy,
    /// Its side.
    pub direction: Direction,
    /// The bar at whose close it was decided. It is filled at the next bar's open, because a close is known only when it is over.
    pub decided: u32,
    /// The bar of the exit: at its open when the holding time was over, within it when the stop was hit.
    pub exited: u32,
    /// Whether the stop ended it.
    pub stopped: bool,
    /// Price of the entry, with half of the spread.
    pub entry_price: f64,
    /// Price of the exit, with half of the spread.
    pub exit_price: f64,
    /// Distance of the stop in dollars a unit, which is one R for one unit.
    pub stop: f64,
    /// Outcome in R, with the spread.
    pub r: f64,
    /// Number of bars it was held.
    pub held_bars: u32,
}

/// The part of the train/validation split to which a trade belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Closed before the split.
    Training,
    /// Decided after the split.
    Validation,
    /// Across the split or the end.
    LeftOut,
}

/// Reads the market at every bar's close (feature extraction): regime, volatility, session, average true range, spread and signals.
pub fn read(bars: &[Bar], regime: &RegimeConfig) -> Vec<Seen> {
    let Some(first) = bars.first() else { return Vec::new() };
    let thresholds = regime.thresholds();
    let mut measure = AssetWindows::new(first.open, 0.0);
    let mut days = DayRange::default();
    let mut before = first.open;
    let mut look = |bar: &Bar| {
        let true_range = (bar.high.max(before) - bar.low.min(before)) / bar.close;
        before = bar.close;
        let observed = AssetObservation {
            pool_price: bar.close,
            oracle_price: bar.close,
            true_range,
            half_spread: bar.half_spread,
            pool_fee: 0.0,
            fee_growth: 0.0,
            depth_ratio: 1.0,
        };
        measure.update(&observed);
        let reading = measure.read(&observed);
        let regime = thresholds.classify_measures(reading.volatility_ratio, reading.trend_strength);
        let context = ContextVector {
            regime: Some(mapping::regime(regime)),
            volatility_regime: Some(mapping::volatility(reading.volatility_quintile)),
            session: Some(mapping::session(Session::at(bar.open_time_s))),
            atr_d1: days.take(bar),
            atr_h1: Some(reading.atr * bar.close),
            spread_as_atr_pct: Some(2.0 * bar.half_spread / reading.atr),
            drawdown_pct: None,
            price: Some(bar.close),
        };
        Seen { context, regime, signals: signals(&reading) }
    };
    bars.iter().map(&mut look).collect()
}

/// Average true range of whole days, in price.
#[derive(Default)]
struct DayRange {
    /// The present day, since 1970-01-01; its range is in `high`, `low` and `close`.
    day: Option<i64>,
    high: f64,
    low: f64,
    close: f64,
    /// The close of the previous day.
    before: Option<f64>,
    /// Number of whole days in the mean.
    days: f64,
    mean: f64,
}

impl DayRange {
    /// Adds a bar. Returns the mean over the days before the bar's; none on the first day. The present day isn't included, because its range isn't
    /// complete.
    fn take(&mut self, bar: &Bar) -> Option<f64> {
        let day = bar.open_time_s.div_euclid(DAY_S);
        if self.day != Some(day) {
            if self.day.is_some() {
                let before = self.before.unwrap_or(self.close);
                let range = self.high.max(before) - self.low.min(before);
                self.days += 1.0;
                self.mean += WILDER.max(1.0 / self.days) * (range - self.mean);
                self.before = Some(self.close);
            }
            (self.day, self.high, self.low) = (Some(day), bar.high, bar.low);
        }
        (self.high, self.low) = (self.high.max(bar.high), self.low.min(bar.low));
        self.close = bar.close;
        (self.days > 0.0).then_some(self.mean)
    }
}

/// Simulates the trades of every variant that follow from its signals, sorted by bar of decision and variant. A variant holds at most one
/// trade at a time.
pub fn all(bars: &[Bar], seen: &[Seen], variants: &[Variant], train_s: i64) -> Vec<Trade> {
    let first = bars.partition_point(|bar| bar.open_time_s < train_s);
    let numbered = (0_u32..).zip(variants);
    let mut trades: Vec<Trade> =
        numbered.flat_map(|(number, variant)| of_variant(bars, seen, number, variant, first)).collect();
    trades.sort_by_key(|trade| (trade.decided, trade.variant));
    trades
}

fn of_variant(bars: &[Bar], seen: &[Seen], number: u32, variant: &Variant, first: usize) -> Vec<Trade> {
    let mut trades = Vec::new();
    let mut bar = first;
    while bar + 1 < bars.len() {
        let signal = seen[bar].signals[variant.strategy.index()];
        if signal.strength == 0.0 || signal.strength.abs() < variant.strength {
            bar += 1;
            continue;
        }
        let Some(trade) = follow(bars, bar, number, variant, &signal) else { break };
        bar = trade.exited as usize;
        trades.push(trade);
    }
    trades
}

/// Simulates a trade that is decided at a bar's close. It enters at the next open. It exits at its stop, at the open if that lies beyond the stop, or
/// at the open of the bar at which the holding time is over. `None` if the bars end first.
fn follow(bars: &[Bar], decided: usize, number: u32, variant: &Variant, signal: &Signal) -> Option<Trade> {
    let sign = signal.strength.signum();
    let entered = decided + 1;
    let middle = bars[entered].open;
    let stop = (signal.stop_distance * variant.stop).clamp(STOP_MIN, STOP_MAX) * bars[decided].close;
    let level = middle - sign * stop;
    let hold = (f64::from(signal.horizon_ticks) * variant.hold).round().max(1.0) as usize;
    let mut place = entered;
    let (exit, stopped) = loop {
        let bar = bars.get(place)?;
        if place == entered + hold {
            break (bar.open, false);
        }
        if sign * (bar.open - level) <= 0.0 {
            break (bar.open, true);
        }
        let worst = if sign > 0.0 { bar.low } else { bar.high };
        if sign * (worst - level) <= 0.0 {
            break (level, true);
        }
        place += 1;
    };
    // The newest spread that is known at entry and exit.
    let at_exit = if stopped { place } else { place - 1 };
    let entry_price = middle * (1.0 + sign * bars[decided].half_spread);
    let exit_price = exit * (1.0 - sign * bars[at_exit].half_spread);
    Some(Trade {
        variant: number,
        strategy: variant.strategy,
        direction: if sign > 0.0 { Direction::Long } else { Direction::Short },
        decided: decided as u32,
        exited: place as u32,
        stopped,
        entry_price,
        exit_price,
        stop,
        r: sign * (exit_price - entry_price) / stop,
        held_bars: (place - entered + usize::from(stopped)) as u32,
    })
}
