//! The measures of the validation plan (digest section 12), on the equity at the ends of days or on single trades. They are
//! performance metrics of a backtest: profit factor, Sharpe ratio, maximum drawdown, Calmar ratio, disposition effect. `ledger` computes
//! them for each arm, but for `precision`, which `arms` takes at each decision, and `hypotheses` some of them on each resample. What isn't
//! defined (no trade, no loss) is `None` or infinite; a Sharpe ratio of returns that don't vary is 0, by convention. The list is the
//! document's, so that results can be held against its claims.

use morta_base::math;
use morta_base::quantile::quantile;
use morta_stats::paired::correlation;
use morta_stats::summary::{mean, variance};
use serde::{Serialize, Serializer};

/// Trading days of a year, the factor of annual Sharpe ratios (digest section 12).
pub const TRADING_DAYS: f64 = 252.0;
/// Mean days of a year, in the exponent of annual growth (digest section 12).
const YEAR_DAYS: f64 = 365.25;
/// Window of the rolling Sharpe ratio, in trading days (digest section 12).
pub(crate) const ROLLING_DAYS: usize = 30;
/// Number of trades before a change of regime, whose mean and deviation are the reference (digest section 12).
const TRADES_BEFORE: usize = 20;
/// Number of recalled memories that are compared with the outcome: precision@5 of digest section 12.
pub(crate) const PRECISION_AT: usize = 5;

/// A quotient that is infinite or undefined where it divides by zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratio {
    /// A number.
    Known(f64),
    /// The divisor is 0.
    Infinite,
    /// There are no data.
    Missing,
}

impl Ratio {
    /// The value; infinity if it is infinite, `None` if it is undefined (non-finite value).
    pub const fn number(self) -> Option<f64> {
        match self {
            Self::Known(value) => Some(value),
            Self::Infinite => Some(f64::INFINITY),
            Self::Missing => None,
        }
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(value) => serializer.serialize_f64(*value),
            Self::Infinite => serializer.serialize_str("infinite"),
            Self::Missing => serializer.serialize_none(),
        }
    }
}

/// The profit factor: the sum of gains over the size of the sum of losses; infinite without losses, missing without trades.
pub fn profit_factor(pnl: &[f64]) -> Ratio {
    let side = |sign: f64| pnl.iter().fold(0.0, |sum, x| sum + (x * sign).max(0.0));
    match (side(1.0), side(-1.0)) {
        _ if pnl.is_empty() => Ratio::Missing,
        (_, 0.0) => Ratio::Infinite,
        (gains, losses) => Ratio::Known(gains / losses),
    }
}

/// Computes simple daily returns from the equity; 0 once the equity is 0 or below.
pub fn returns(equity: &[f64]) -> Vec<f64> {
    let growth = |pair: &[f64]| if pair[0] > 0.0 { pair[1] / pair[0] - 1.0 } else { 0.0 };
    equity.windows(2).map(growth).collect()
}

/// Annual Sharpe ratio: mean over sample standard deviation of daily returns, times √252; 0 if they don't vary (annualized Sharpe ratio).
pub(crate) fn annual_sharpe(returns: &[f64]) -> f64 {
    if returns.len() < 2 {
        return 0.0;
    }
    let deviation = variance(returns).sqrt();
    if deviation > 0.0 { mean(returns) / deviation * TRADING_DAYS.sqrt() } else { 0.0 }
}

/// The maximum drawdown: the largest loss from a peak, as a share of the peak; 0 without a loss.
pub fn max_drawdown(equity: &[f64]) -> f64 {
    let (mut peak, mut worst) = (f64::NEG_INFINITY, 0.0_f64);
    for &value in equity {
        peak = peak.max(value);
        worst = worst.max(if peak > 0.0 { (peak - value) / peak } else { 0.0 });
    }
    worst
}

/// Geometric holding period return: (end/start)^(1/trades) − 1 (geometric mean); −1 if nothing is left, `None` without trades.
pub(crate) fn ghpr(start: f64, end: f64, trades: u64) -> Option<f64> {
    (trades > 0).then(|| if end <= 0.0 { -1.0 } else { math::pow(end / start, 1.0 / trades as f64) - 1.0 })
}

/// Calmar ratio: annual growth over the largest drawdown; infinite without a drawdown (Calmar ratio).
pub(crate) fn calmar(start: f64, end: f64, days: f64, drawdown: f64) -> Ratio {
    if days <= 0.0 {
        return Ratio::Missing;
    }
    if drawdown <= 0.0 {
        return Ratio::Infinite;
    }
    let growth = if end <= 0.0 { -1.0 } else { math::pow(end / start, YEAR_DAYS / days) - 1.0 };
    Ratio::Known(growth / drawdown)
}

/// The share of the first five recalled outcomes whose sign is the trade's, where 0 counts as no gain; `None` if nothing was recalled
/// (precision at k). Fewer than five are divided by their number.
pub fn precision(recalled: &[f64], r: f64) -> Option<f64> {
    let first = &recalled[..recalled.len().min(PRECISION_AT)];
    let right = first.iter().filter(|other| (**other > 0.0) == (r > 0.0)).count();
    (!first.is_empty()).then(|| right as f64 / first.len() as f64)
}

/// The Pearson correlation coefficient of stakes with outcomes; `None` if either doesn't vary.
pub fn kelly_accuracy(pairs: &[(f64, f64)]) -> Option<f64> {
    let (stakes, outcomes): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    correlation(&stakes, &outcomes).ok()
}

/// How an arm adapts to changes of regime: its rolling Sharpe ratio over all days, and right after a change.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Adaptation {
    /// Mean of the rolling ratio.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Its least value.
    pub minimum: f64,
    /// Mean of the ratio over the 30 days after each change of regime; `None` if no change is followed by 30 days.
    pub after_change: Option<f64>,
    /// Number of changes that 30 days follow.
    pub changes: u64,
}

/// The rolling annual Sharpe ratio over 30 days, and that of the 30 days after each change of regime; `None` with fewer days (rolling Sharpe ratio).
pub fn adaptation(returns: &[f64], changes: &[usize]) -> Option<Adaptation> {
    let rolling: Vec<f64> = returns.windows(ROLLING_DAYS).map(annual_sharpe).collect();
    let minimum = rolling.iter().copied().fold(f64::INFINITY, f64::min);
    let after: Vec<f64> = changes.iter().filter_map(|day| rolling.get(*day).copied()).collect();
    (rolling.len() > 1).then(|| Adaptation {
        mean: mean(&rolling),
        deviation: variance(&rolling).sqrt(),
        minimum,
        after_change: (!after.is_empty()).then(|| mean(&after)),
        changes: after.len() as u64,
    })
}

/// Waiting times in trades, some of which are right-censored because the data ended first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Waits {
    /// Median of the waits that ended, trades.
    pub median: Option<f64>,
    /// Longest wait that ended, trades.
    pub longest: Option<u64>,
    /// Number of waits that ended.
    pub ended: u64,
    /// Number of censored waits.
    pub censored: u64,
}

impl Waits {
    fn of(ended: &[u64], censored: u64) -> Self {
        let mut values: Vec<f64> = ended.iter().map(|wait| *wait as f64).collect();
        Self {
            median: quantile(&mut values, 0.5),
            longest: ended.iter().max().copied(),
            ended: ended.len() as u64,
            censored,
        }
    }
}

/// Detection lag: number of trades from a change of regime until a stake differs by more than two standard deviations from the mean of the
/// 20 stakes before the change (change point). Censored by the next change or the end. A change with fewer than 20 stakes before it is left
/// out, because it has no reference. `stakes` are in the order of decisions; `changes` are indices in them.
pub(crate) fn detection_lag(stakes: &[f64], changes: &[usize]) -> Waits {
    let (mut ended, mut censored) = (Vec::new(), 0);
    for (number, &change) in changes.iter().enumerate() {
        let Some(from) = change.checked_sub(TRADES_BEFORE) else { continue };
        let before = &stakes[from..change];
        let (centre, deviation) = (mean(before), variance(before).sqrt());
        let until = changes.get(number + 1).copied().unwrap_or(stakes.len());
        let far = |stake: &f64| (stake - centre).abs() > 2.0 * deviation;
        match stakes[change..until].iter().position(far) {
            Some(place) => ended.push(place as u64 + 1),
            None => censored += 1,
        }
    }
    Waits::of(&ended, censored)
}

/// Measures the recovery from drawdowns: the number of trades from leaving a peak of equity to the next higher one; `equity` after each
/// trade, beginning with the start. A drawdown that is still open is censored.
pub fn recovery(equity: &[f64]) -> Waits {
    let (mut ended, mut below) = (Vec::new(), 0);
    let mut peak = equity.first().copied().unwrap_or(0.0);
    for &value in equity {
        if value > peak {
            if below > 0 {
                ended.push(below + 1);
            }
            (peak, below) = (value, 0);
        } else if value < peak || below > 0 {
            below += 1;
        }
    }
    Waits::of(&ended, u64::from(below > 0))
}

/// The disposition effect: mean holding time of trades without a gain over that of winners, less 1; `None` unless both exist. Each trade is
/// (R, holding time).
pub fn disposition(trades: &[(f64, f64)]) -> Option<f64> {
    let held = |gained: bool| {
        let times: Vec<f64> = trades.iter().filter(|(r, _)| (*r > 0.0) == gained).map(|(_, t)| *t).collect();
        (!times.is_empty()).then(|| mean(&times))
    };
    let (winners, losers) = (held(true)?, held(false)?);
    (winners > 0.0).then(|| losers / winners - 1.0)
}

/// The variance of position sizes: the sample variance of ratios of lots to reference lots; `None` with fewer than two.
pub(crate) fn sizing_consistency(ratios: &[f64]) -> Option<f64> {
    (ratios.len() > 1).then(|| variance(ratios))
}
