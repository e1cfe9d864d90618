//! The sizes that an arm chose, and their results: the trade ledger of a backtest, and the performance metrics computed from it. Profits
//! and equity are in the account's currency, by day and by variant. With an account for each variant, the equity is the sum of all
//! accounts. Trades of 0 lots count where decisions are compared (precision of recall, correlation of stakes with outcomes,
//! detection lag, sizing consistency) and as trades of a recovery; all other measures leave them out: number of trades, growth for each
//! trade, disposition, over-trading and those of money. It keeps sizes and not trades, because all arms have the same trades.

use super::days::Days;
use super::deals::Deal;
use super::measures::{
    Adaptation, Ratio, Waits, adaptation, annual_sharpe, calmar, detection_lag, disposition, ghpr,
    kelly_accuracy, max_drawdown, profit_factor, recovery, returns, sizing_consistency,
};
use morta_memories::owm::context::ContextVector;
use morta_stats::summary::mean;
use serde::Serialize;

/// One trade with an arm's size.
#[derive(Clone, Copy, Debug)]
pub(super) struct LedgerRow {
    /// The context with the account's drawdown, as it is remembered.
    pub context: ContextVector,
    /// The regime, by its index in the book.
    pub regime: usize,
    /// Fraction of equity; `None` if the arm computes none.
    pub fraction: Option<f64>,
    /// Multiple of the fixed lot, of an arm that computes no fraction of equity but still distinguishes trades.
    pub usual: Option<f64>,
    /// Share of the first five recalled outcomes that have the trade's sign; `None` if the arm recalls none.
    pub precision: Option<f64>,
    /// Lots, 0 or more.
    pub lots: f64,
    /// Profit in dollars; 0 until the trade has closed.
    pub pnl: f64,
}

/// All trades of the validation with an arm's sizes.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// Rows in the order of decisions.
    pub rows: Vec<LedgerRow>,
    /// Indices of rows in the order of closes.
    pub closed: Vec<usize>,
}

/// The references of the measures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Yardstick<'a> {
    pub deals: &'a [Deal],
    pub days: &'a Days,
    /// Total equity at the start.
    pub start: f64,
    /// The Kelly fraction of each strategy's training trades.
    pub training_kelly: &'a [f64],
    /// For each regime, whether its training trades had a mean outcome of 0 or below (digest section 12).
    pub unfavourable: &'a [bool],
}

/// The performance metrics of an arm (digest section 12); null where a measure isn't defined.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Number of trades with a lot above 0.
    pub trades: u64,
    /// Their mean fraction of equity, if the arm computes one.
    pub mean_fraction: Option<f64>,
    /// Profit in dollars.
    pub net_pnl: f64,
    /// Sum of gains over the size of the sum of losses.
    pub profit_factor: Ratio,
    /// Annual Sharpe ratio of daily returns.
    pub sharpe: f64,
    /// Largest drawdown of the daily equity, as a share.
    pub max_drawdown: f64,
    /// Geometric holding period return: growth for each trade.
    pub ghpr: Option<f64>,
    /// Annual growth over the largest drawdown.
    pub calmar: Ratio,
    /// Mean share of the first five recalled memories whose sign was the trade's.
    pub recall_precision: Option<f64>,
    /// Pearson correlation of stakes with outcomes.
    pub kelly_accuracy: Option<f64>,
    /// The rolling Sharpe ratio over 30 trading days.
    pub adaptation: Option<Adaptation>,
    /// Number of trades from a change of regime until stakes changed.
    pub detection_lag: Option<Waits>,
    /// Number of trades from leaving a peak of equity to the next peak.
    pub recovery: Waits,
    /// Disposition effect: mean holding time of losers over that of winners, less 1.
    pub disposition: Option<f64>,
    /// Variance of the ratio of lots to the lots of the training's Kelly fraction.
    pub sizing_consistency: Option<f64>,
    /// Trades for each bar in unfavourable regimes over those in favourable ones; none without bars.
    pub over_trading: Option<f64>,
}

impl Ledger {
    /// Computes the equity curve: total equity at the ends of days, beginning with the start.
    pub(super) fn equity(&self, yard: &Yardstick<'_>) -> Vec<f64> {
        let mut made = vec![0.0; yard.days.numbers.len()];
        for &place in &self.closed {
            made[yard.days.place(yard.deals[place].exited_s)] += self.rows[place].pnl;
        }
        accumulated(yard.start, &made)
    }

    /// Profit of each variant, dollars (profit by variant).
    pub(super) fn by_variant(&self, deals: &[Deal], variants: usize) -> Vec<f64> {
        let mut made = vec![0.0; variants];
        for (row, deal) in self.rows.iter().zip(deals) {
            made[deal.variant as usize] += row.pnl;
        }
        made
    }

    /// The performance metrics of the arm over the validation: Sharpe, Calmar, drawdown, profit factor, and those of memory
    /// (performance metrics).
    pub(super) fn measures(&self, yard: &Yardstick<'_>) -> Measures {
        let equity = self.equity(yard);
        let returns = returns(&equity);
        let end = equity.last().copied().unwrap_or(yard.start);
        let traded: Vec<(&LedgerRow, &Deal)> =
            self.rows.iter().zip(yard.deals).filter(|(row, _)| row.lots > 0.0).collect();
        let pnl: Vec<f64> = self.closed.iter().map(|place| self.rows[*place].pnl).collect();
        let real: Vec<f64> = traded.iter().map(|(row, _)| row.pnl).collect();
        let drawdown = max_drawdown(&equity);
        let fractions: Vec<f64> = traded.iter().filter_map(|(row, _)| row.fraction).collect();
        let precisions: Vec<f64> = self.rows.iter().filter_map(|row| row.precision).collect();
        let held: Vec<(f64, f64)> =
            traded.iter().filter_map(|(_, deal)| Some((deal.r, deal.held_s?))).collect();
        let some = |values: &[f64]| (!values.is_empty()).then(|| mean(values));
        Measures {
            trades: traded.len() as u64,
            mean_fraction: some(&fractions),
            net_pnl: end - yard.start,
            profit_factor: profit_factor(&real),
            sharpe: annual_sharpe(&returns),
            max_drawdown: drawdown,
            ghpr: ghpr(yard.start, end, traded.len() as u64),
            calmar: calmar(yard.start, end, yard.days.span(), drawdown),
            recall_precision: some(&precisions),
            kelly_accuracy: kelly_accuracy(&self.stakes(yard.deals)),
            adaptation: adaptation(&returns, &yard.days.changes),
            detection_lag: self.detection_lag(yard),
            recovery: recovery(&accumulated(yard.start, &pnl)),
            disposition: disposition(&held),
            sizing_consistency: self.sizing_consistency(yard),
            over_trading: over_trading(&traded, yard),
        }
    }

    /// Pairs of stake and outcome, which the correlation needs.
    fn stakes(&self, deals: &[Deal]) -> Vec<(f64, f64)> {
        self.rows.iter().zip(deals).filter_map(|(row, deal)| Some((row.stake()?, deal.r))).collect()
    }

    fn detection_lag(&self, yard: &Yardstick<'_>) -> Option<Waits> {
        let stakes: Vec<f64> = self.rows.iter().filter_map(LedgerRow::stake).collect();
        // An arm without a stake for some trades has gaps, in which a lag can't be counted.
        if stakes.len() < self.rows.len() {
            return None;
        }
        // A day's regime is known only when the day is over, so stakes can react from the next day on.
        let first_after =
            |day: &usize| yard.deals.partition_point(|deal| yard.days.place(deal.known_s) <= *day);
        let changes: Vec<usize> = yard.days.changes.iter().map(first_after).collect();
        Some(detection_lag(&stakes, &changes))
    }

    /// Ratios of the lots to those of the training's Kelly fraction at the same equity, which is the ratio of the fractions.
    fn sizing_consistency(&self, yard: &Yardstick<'_>) -> Option<f64> {
        let ratio = |(row, deal): (&LedgerRow, &Deal)| {
            let usual = yard.training_kelly[usize::from(deal.domain.strategy)];
            row.fraction.filter(|_| usual > 0.0).map(|fraction| fraction / usual)
        };
        sizing_consistency(&self.rows.iter().zip(yard.deals).filter_map(ratio).collect::<Vec<f64>>())
    }
}

impl LedgerRow {
    /// The stake in the arm's own unit.
    fn stake(&self) -> Option<f64> {
        self.fraction.or(self.usual)
    }
}

fn accumulated(start: f64, made: &[f64]) -> Vec<f64> {
    let mut equity = vec![start];
    let mut now = start;
    for pnl in made {
        now += pnl;
        equity.push(now);
    }
    equity
}

fn over_trading(traded: &[(&LedgerRow, &Deal)], yard: &Yardstick<'_>) -> Option<f64> {
    let rate = |bad: bool| {
        let bars = (0..yard.unfavourable.len()).filter(|place| yard.unfavourable[*place] == bad);
        let bars: u64 = bars.map(|place| yard.days.bars[place]).sum();
        let trades = traded.iter().filter(|(row, _)| yard.unfavourable[row.regime] == bad).count();
        (bars > 0).then(|| trades as f64 / bars as f64)
    };
    let (bad, good) = (rate(true)?, rate(false)?);
    (good > 0.0).then(|| bad / good)
}
