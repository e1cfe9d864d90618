//! Tests of the plan's expectations (digest section 12) on the same days for all arms: days are drawn in blocks, each arm's equity is recomputed from
//! its returns on the drawn days, and a statistic of the equities is compared.
//!
//! - H1, H2: the annual Sharpe ratio of OWM is above that of the fixed lot, and above that of simple Kelly. Profit isn't used, because it would
//!   mostly compare the size of stakes.
//! - H3: the largest drawdown of OWM is below both; the p-value is the larger of the two.
//! - H4: of net profit, daily profit factor, Sharpe ratio and Calmar ratio, OWM's gain over the fixed lot, relative to it, is largest in the Calmar
//!   ratio.
//!
//! It is a paired block bootstrap with one-sided p-values, 0 to 1, by default of 10,000 resamples in blocks of 10 days. A hypothesis
//! holds if its p-value, corrected by Holm for all four, is below 1 − `level` (.05 by default); if one test can't be computed, none
//! holds.

use super::measures::{annual_sharpe, calmar, max_drawdown, profit_factor};
use super::plan::TestConfig;
use morta_base::WorldSeed;
use morta_stats::blocks::{BlockTest, block_test};
use morta_stats::bootstrap::Bootstrap;
use morta_stats::multiple::holm;
use morta_stats::{Computed, StatsError};
use serde::Serialize;

/// The result of a hypothesis test, with its p-value after Holm's correction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hypothesis {
    /// H1 to H4.
    pub name: &'static str,
    /// The expectation in words.
    pub says: &'static str,
    /// The statistic that is tested to be above 0.
    pub statistic: &'static str,
    /// The test; for H3 the one of the two with the larger p-value.
    pub test: Computed<BlockTest>,
    /// p-value corrected for four hypotheses (Holm 1979); `None` if one of them couldn't be tested.
    pub corrected_p: Option<f64>,
    /// Whether it holds: the corrected p-value is below 1 − level.
    pub holds: bool,
}

/// The daily return series of the three arms in the hypotheses, on the same days in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Returns<'a> {
    /// Of the fixed lot.
    pub fixed: &'a [f64],
    /// Of simple Kelly.
    pub simple: &'a [f64],
    /// Of OWM.
    pub owm: &'a [f64],
    /// Calendar days of the validation.
    pub span_days: f64,
}

/// Bound of a difference of relative gains, because a ratio may be infinite. If it is infinite on both sides the lead is −1,000: Calmar leads
/// nothing.
const FARTHEST: f64 = 1_000.0;

impl Returns<'_> {
    fn sharpe_gain(&self, over: &[f64], places: &[usize]) -> f64 {
        annual_sharpe(&drawn(self.owm, places)) - annual_sharpe(&drawn(over, places))
    }

    fn drawdown_gain(&self, over: &[f64], places: &[usize]) -> f64 {
        let drawdown = |series: &[f64]| max_drawdown(&equity(&drawn(series, places)));
        drawdown(over) - drawdown(self.owm)
    }

    /// The relative gain in the Calmar ratio less the largest relative gain in another measure.
    fn calmar_lead(&self, places: &[usize]) -> f64 {
        let [owm, fixed] = [self.owm, self.fixed].map(|series| self.figures(&drawn(series, places)));
        let gain = |place: usize| (owm[place] - fixed[place]) / fixed[place].abs();
        let lead = gain(3) - (0..3).map(gain).fold(f64::NEG_INFINITY, f64::max);
        if lead.is_nan() { -FARTHEST } else { lead.clamp(-FARTHEST, FARTHEST) }
    }

    fn figures(&self, returns: &[f64]) -> [f64; 4] {
        let equity = equity(returns);
        let made: Vec<f64> = equity.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let end = equity.last().copied().unwrap_or(1.0);
        let ratio = calmar(1.0, end, self.span_days, max_drawdown(&equity));
        let known = |ratio: super::measures::Ratio| ratio.number().unwrap_or(f64::NAN);
        [end - 1.0, known(profit_factor(&made)), annual_sharpe(returns), known(ratio)]
    }
}

fn drawn(series: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().map(|place| series[*place]).collect()
}

/// Equity from 1 on. Once it is 0 it stays 0.
fn equity(returns: &[f64]) -> Vec<f64> {
    let mut now = 1.0_f64;
    let grow = |r: &f64| {
        // A day's loss may exceed the equity, which would change its sign otherwise.
        now *= (1.0 + r).max(0.0);
        now
    };
    std::iter::once(1.0).chain(returns.iter().map(grow)).collect()
}

/// Tests all four hypotheses by a block bootstrap, and corrects the p-values by Holm's method. The check of the plan guarantees that the
/// three arms are there.
pub fn test(returns: &Returns<'_>, config: &TestConfig) -> Vec<Hypothesis> {
    let (resamples, level, seed) = (config.resamples, config.level, WorldSeed(config.seed));
    // One random stream for all four tests, so that they draw the same days.
    let bootstrap = Bootstrap { resamples, level, seed, part: 0 };
    let days = returns.owm.len();
    let block = config.block_days as usize;
    let run = |statistic: &dyn Fn(&[usize]) -> f64| block_test(days, block, &bootstrap, statistic);
    let sharpe = |over| run(&move |places| returns.sharpe_gain(over, places));
    let drawdown = |over| run(&move |places| returns.drawdown_gain(over, places));
    let tests = [
        sharpe(returns.fixed),
        sharpe(returns.simple),
        worse(drawdown(returns.fixed), drawdown(returns.simple)),
        run(&|places| returns.calmar_lead(places)),
    ];
    let p_values: Option<Vec<f64>> = tests.iter().map(|test| test.as_ref().ok().map(|t| t.p_value)).collect();
    let corrected = p_values.and_then(|p_values| holm(&p_values).ok());
    let corrected_p = |place: usize| corrected.as_ref().map(|p_values| p_values[place]);
    let named = |(place, test): (usize, Result<BlockTest, StatsError>)| {
        let [name, says, statistic] = WORDS[place];
        let holds = corrected_p(place).is_some_and(|p| p < 1.0 - level);
        Hypothesis { name, says, statistic, test: test.into(), corrected_p: corrected_p(place), holds }
    };
    tests.into_iter().enumerate().map(named).collect()
}

const WORDS: [[&str; 3]; 4] = [
    ["H1", "OWM does better than the fixed lot", "annual Sharpe ratio of owm less that of fixed"],
    ["H2", "OWM does better than simple Kelly", "annual Sharpe ratio of owm less that of simple_kelly"],
    [
        "H3",
        "OWM's largest drawdown is below both",
        "their largest drawdown less that of owm, the worse of the two",
    ],
    ["H4", "OWM gains most in the Calmar ratio", "relative gain over fixed in Calmar less the next largest"],
];

fn worse(
    one: Result<BlockTest, StatsError>,
    other: Result<BlockTest, StatsError>,
) -> Result<BlockTest, StatsError> {
    let (one, other) = (one?, other?);
    Ok(if one.p_value >= other.p_value { one } else { other })
}
