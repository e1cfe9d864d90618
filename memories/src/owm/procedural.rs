//! Procedural memory: the actual behaviour over a rolling window of a domain's trades (digest section 7), a domain being a strategy on a
//! symbol. It is behavioural statistics of a trader: win rate 0 to 1, disposition effect, loss aversion and recency bias (signed, 0 for
//! none), results in R. The window is 50 to 100 trades, 75 at first; it grows with the stability of behaviour. It is of the newest episodes
//! on the shelf, so inherited ones and decisions not to trade are in it; drift alone takes only closed trades. `super::Mind` updates it at
//! every closed trade, with the expectation of its beliefs. The statistics are reported by the `owm` tools; no stake and no recall depends
//! on them. It is about what was done and not what is believed, because traders rarely see their own habits.

use super::drift::{Detector, Drift, DriftConfig};
use super::episodic::{Domain, EpisodicMemory};
use super::kelly;
use morta_base::moments::{mean, population_deviation};
use serde::{Deserialize, Serialize};

/// The fewest outcomes for a stability. Our choice, because the document names it and gives no rule: half a window of fewer has too few outcomes for
/// a mean.
const LEAST_FOR_STABILITY: usize = 10;
/// The fewest trades for a correlation. Our choice, because few pairs are nearly always correlated: two always by ±1.
const LEAST_FOR_RECENCY: usize = 5;

/// The behaviour of a trader in a domain: behavioural statistics over a rolling window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProceduralMemory {
    /// The domain.
    pub domain: Domain,
    /// Largest number of trades in the window.
    pub window_size: u32,
    /// Number of trades in the window.
    pub trades: u32,
    /// Share of gains among known outcomes; 0 without any.
    pub actual_win_rate: f64,
    /// Mean known outcome in R; 0 without any.
    pub actual_avg_pnl_r: f64,
    /// Mean holding time in seconds.
    pub actual_avg_hold_seconds: Option<f64>,
    /// Mean timing of entries relative to their signals: early (towards −1) or late (towards 1); `None` if no trade has one.
    pub actual_entry_timing_bias: Option<f64>,
    /// Mean timing of exits relative to their targets; `None` if no trade has one.
    pub actual_exit_timing_bias: Option<f64>,
    /// Mean size of trades, in the caller's unit.
    pub actual_avg_lots: Option<f64>,
    /// Variance of sizes (population).
    pub actual_lot_variance: Option<f64>,
    /// Mean size over the expected Kelly fraction; `None` unless that is above 0. The document's simplification: a true fraction needs the equity.
    pub actual_lot_fraction_vs_kelly: Option<f64>,
    /// Disposition effect: the mean holding time of trades that didn't gain over that of gains, less 1. Positive means that losers are held longer.
    pub disposition_effect: f64,
    /// Loss aversion: the mean size after gains less that after losses, in mean sizes.
    pub loss_aversion: f64,
    /// Recency bias: the correlation of a size with the outcome before it.
    pub recency_bias: f64,
    /// Stability: the similarity of both halves of the window, 0 to 1.
    pub behavior_stability: f64,
    /// The Kelly fraction of the expectation.
    pub kelly_fraction: Option<f64>,
    /// The expected win rate.
    pub expected_win_rate: Option<f64>,
    /// The expected mean outcome, in R.
    pub expected_avg_pnl_r: Option<f64>,
    /// The drift of outcomes.
    pub drift: Drift,
    /// The moment of the last update, in seconds. Only reported: habits don't age, they leave the window.
    pub updated_s: f64,
    detector: Detector,
}

/// The expectation of a domain, from beliefs or theory (expected value).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expectation {
    /// The win rate, 0 to 1.
    pub win_rate: f64,
    /// The mean outcome in R.
    pub avg_pnl_r: f64,
    /// Mean gain over mean loss (payoff ratio), no unit.
    pub payoff: f64,
}

impl ProceduralMemory {
    /// The memory of a domain without trades: empty statistics, i.e. zeros, unknowns and a new drift detector.
    pub fn new(domain: Domain, now_s: f64, config: &DriftConfig) -> Self {
        Self {
            domain,
            window_size: window_size(0.5),
            trades: 0,
            actual_win_rate: 0.0,
            actual_avg_pnl_r: 0.0,
            actual_avg_hold_seconds: None,
            actual_entry_timing_bias: None,
            actual_exit_timing_bias: None,
            actual_avg_lots: None,
            actual_lot_variance: None,
            actual_lot_fraction_vs_kelly: None,
            disposition_effect: 0.0,
            loss_aversion: 0.0,
            recency_bias: 0.0,
            behavior_stability: 0.5,
            kelly_fraction: None,
            expected_win_rate: None,
            expected_avg_pnl_r: None,
            drift: Drift::default(),
            updated_s: now_s,
            detector: Detector::new(config),
        }
    }

    /// Updates the statistics from a domain's trades, oldest first (rolling statistics). `arrived_r` is the outcome in R of the trade that
    /// has just become known; `None` leaves the drift as it was. Drift is tested in the order of arrival rather than of moments, because
    /// the detectors are sums and can't take an outcome back.
    pub fn update(
        &mut self,
        trades: &[EpisodicMemory],
        arrived_r: Option<f64>,
        expected: Option<Expectation>,
        now_s: f64,
        config: &DriftConfig,
    ) {
        self.window_size = window_size(self.behavior_stability);
        let window = &trades[trades.len().saturating_sub(self.window_size as usize)..];
        let outcomes: Vec<f64> = window.iter().filter_map(|trade| trade.pnl_r).collect();
        let holds: Vec<f64> = window.iter().filter_map(|trade| trade.hold_s).collect();
        let lots: Vec<f64> = window.iter().filter_map(|trade| trade.lots).collect();
        self.trades = window.len() as u32;
        let won: Vec<f64> = outcomes.iter().map(|r| if *r > 0.0 { 1.0 } else { 0.0 }).collect();
        self.actual_win_rate = mean(&won).unwrap_or(0.0);
        self.actual_avg_pnl_r = mean(&outcomes).unwrap_or(0.0);
        self.actual_avg_hold_seconds = mean(&holds);
        let timing = |value: fn(&EpisodicMemory) -> Option<f64>| {
            mean(window.iter().filter_map(value).collect::<Vec<f64>>())
        };
        self.actual_entry_timing_bias = timing(|trade| trade.entry_timing);
        self.actual_exit_timing_bias = timing(|trade| trade.exit_timing);
        self.actual_avg_lots = mean(&lots);
        self.actual_lot_variance =
            (!lots.is_empty()).then(|| population_deviation(&lots) * population_deviation(&lots));
        self.disposition_effect = disposition_effect(window).unwrap_or(0.0);
        self.loss_aversion = loss_aversion(window).unwrap_or(0.0);
        self.recency_bias = recency_bias(window);
        self.behavior_stability = behavior_stability(&outcomes);
        self.expect(expected);
        if let Some(r) = arrived_r {
            self.drift = self.detector.take(r, config);
        }
        self.updated_s = now_s;
    }

    fn expect(&mut self, expected: Option<Expectation>) {
        self.expected_win_rate = expected.map(|expected| expected.win_rate);
        self.expected_avg_pnl_r = expected.map(|expected| expected.avg_pnl_r);
        let fraction = |expected: Expectation| {
            (expected.payoff > 0.0).then(|| kelly::classic(expected.win_rate, expected.payoff))
        };
        self.kelly_fraction = expected.and_then(fraction);
        let positive = self.kelly_fraction.filter(|fraction| *fraction > 0.0);
        self.actual_lot_fraction_vs_kelly =
            self.actual_avg_lots.zip(positive).map(|(lots, fraction)| lots / fraction);
    }
}

/// Number of trades in the rolling window for a stability of 0 to 1: 50·(1 + stability), rounded half to even, clamped to 20 and 100. The
/// lower limit is the document's and never binds.
pub fn window_size(stability: f64) -> u32 {
    (50.0 * (1.0 + stability)).round_ties_even().clamp(20.0, 100.0) as u32
}

/// Disposition effect: the mean holding time of trades that didn't gain over that of gains, less 1; `None` unless there are both. The
/// original has the inverse.
pub fn disposition_effect(trades: &[EpisodicMemory]) -> Option<f64> {
    let held = |gained: bool| {
        let known = trades.iter().filter_map(|trade| trade.pnl_r.zip(trade.hold_s));
        let times: Vec<f64> = known.filter(|(r, _)| (*r > 0.0) == gained).map(|(_, hold)| hold).collect();
        mean(&times)
    };
    let (winners, losers) = (held(true)?, held(false)?);
    (winners > 0.0).then(|| losers / winners - 1.0)
}

/// Pairs of a known outcome and the size of the next trade.
fn sizes_after(trades: &[EpisodicMemory]) -> Vec<(f64, f64)> {
    trades.windows(2).filter_map(|pair| pair[0].pnl_r.zip(pair[1].lots)).collect()
}

/// Loss aversion: (mean size after gains − mean size after other outcomes)/mean size; `None` unless there are sizes after both. Positive
/// means that the trader bets less after a loss. The measure is ours, because the document only names it.
pub fn loss_aversion(trades: &[EpisodicMemory]) -> Option<f64> {
    let pairs = sizes_after(trades);
    let after = |gain: bool| {
        let lots: Vec<f64> =
            pairs.iter().filter(|(r, _)| (*r > 0.0) == gain).map(|(_, lots)| *lots).collect();
        mean(&lots)
    };
    let (gains, losses) = (after(true)?, after(false)?);
    let all: Vec<f64> = trades.iter().filter_map(|trade| trade.lots).collect();
    let usual = mean(&all).unwrap_or(0.0);
    (usual > 0.0).then(|| (gains - losses) / usual)
}

/// Recency bias: the correlation of sizes with the outcomes before them; 0 with fewer than five trades or without variation.
pub fn recency_bias(trades: &[EpisodicMemory]) -> f64 {
    if trades.len() < LEAST_FOR_RECENCY {
        return 0.0;
    }
    correlation(&sizes_after(trades)).unwrap_or(0.0)
}

/// Pearson's correlation coefficient of pairs; `None` if either side doesn't vary. Clamped, because rounding can exceed ±1.
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (centre_x, centre_y) = (mean(&x)?, mean(&y)?);
    let together: Vec<f64> = pairs.iter().map(|(x, y)| (x - centre_x) * (y - centre_y)).collect();
    let scale = population_deviation(&x) * population_deviation(&y);
    mean(&together).filter(|_| scale > 0.0).map(|mean| (mean / scale).clamp(-1.0, 1.0))
}

/// Behavioural stability: 1 − min(1, |mean of the first half − mean of the second|/max(½, standard deviation)); ½ with fewer than ten
/// outcomes.
pub fn behavior_stability(outcomes: &[f64]) -> f64 {
    if outcomes.len() < LEAST_FOR_STABILITY {
        return 0.5;
    }
    let (first, second) = outcomes.split_at(outcomes.len() / 2);
    let change = (mean(first).unwrap_or(0.0) - mean(second).unwrap_or(0.0)).abs()
        / population_deviation(outcomes).max(0.5);
    1.0 - change.min(1.0)
}
