//! What an arm put on each trade, and what it comes to.

use super::days::Days;
use super::deals::Deal;
use super::measures::{
    Adaptation, Ratio, Waits, adaptation, annual_sharpe, calmar, detection_lag, disposition, ghpr,
    kelly_accuracy, max_drawdown, profit_factor, recovery, returns, sizing_consistency,
};
use morta_memories::owm::context::ContextVector;
use morta_stats::summary::mean;
use serde::Serialize;

/// One trade as an arm sized it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub context: ContextVector,
    /// The regime, by its place in the book.
    pub regime: usize,
    /// Share of equity; `None` when the arm knows none.
    pub fraction: Option<f64>,
    /// Usual lots, of an arm that knows no share of equity but does tell trades apart.
    pub usual: Option<f64>,
    pub precision: Option<f64>,
    pub lots: f64,
    /// Dollars, known once it has closed.
    pub pnl: f64,
}

/// All trades of the validation as an arm sized them.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// In the order of decisions.
    pub rows: Vec<Row>,
    /// Their places in the order of closes.
    pub closed: Vec<usize>,
}

/// What measures are taken against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Yardstick<'a> {
    pub deals: &'a [Deal],
    pub days: &'a Days,
    /// Equity of all accounts at the start.
    pub start: f64,
    /// The Kelly fraction of each strategy's training trades.
    pub training_kelly: &'a [f64],
    /// Whether a regime's training trades lost on average, or came to nothing.
    pub unfavourable: &'a [bool],
}

/// The measures of an arm (digest section 12). What can't be told is null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Trades with a lot above 0.
    pub trades: u64,
    /// Mean share of equity at risk in those, where the arm knows one.
    pub mean_fraction: Option<f64>,
    /// Profit, dollars.
    pub net_pnl: f64,
    /// Gains over losses.
    pub profit_factor: Ratio,
    /// Annual Sharpe ratio of daily returns.
    pub sharpe: f64,
    /// Largest drawdown of equity at days' ends, as a share.
    pub max_drawdown: f64,
    /// Growth for each trade.
    pub ghpr: Option<f64>,
    /// Growth of a year over the largest drawdown.
    pub calmar: Ratio,
    /// Mean share of the first five recalled whose sign was the trade's.
    pub recall_precision: Option<f64>,
    /// Correlation of stakes with outcomes.
    pub kelly_accuracy: Option<f64>,
    /// The rolling Sharpe ratio over 30 days.
    pub adaptation: Option<Adaptation>,
    /// Trades from a change of regime until stakes moved.
    pub detection_lag: Option<Waits>,
    /// Trades from leaving a peak of equity to the next.
    pub recovery: Waits,
    /// Mean holding time of losers over that of winners, less 1.
    pub disposition: Option<f64>,
    /// Variance of lots over those of the training's Kelly fraction.
    pub sizing_consistency: Option<f64>,
    /// Trades for each bar in unfavourable regimes, over those in favourable ones; unknown where there are no bars.
    pub over_trading: Option<f64>,
}

impl Ledger {
    /// Equity of all accounts at the ends of days, the start first.
    pub fn equity(&self, yard: &Yardstick<'_>) -> Vec<f64> {
        let mut made = vec![0.0; yard.days.numbers.len()];
        for &place in &self.closed {
            made[yard.days.place(yard.deals[place].exited_s)] += self.rows[place].pnl;
        }
        accumulated(yard.start, &made)
    }

    /// Profit of each variant, dollars.
    pub fn by_variant(&self, deals: &[Deal], variants: usize) -> Vec<f64> {
        let mut made = vec![0.0; variants];
        for (row, deal) in self.rows.iter().zip(deals) {
            made[deal.variant as usize] += row.pnl;
        }
        made
    }

    pub fn measures(&self, yard: &Yardstick<'_>) -> Measures {
        let equity = self.equity(yard);
        let returns = returns(&equity);
        let end = equity.last().copied().unwrap_or(yard.start);
        let traded: Vec<(&Row, &Deal)> =
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

    /// Stakes with outcomes.
    fn stakes(&self, deals: &[Deal]) -> Vec<(f64, f64)> {
        self.rows.iter().zip(deals).filter_map(|(row, deal)| Some((row.stake()?, deal.r))).collect()
    }

    fn detection_lag(&self, yard: &Yardstick<'_>) -> Option<Waits> {
        let stakes: Vec<f64> = self.rows.iter().filter_map(Row::stake).collect();
        if stakes.len() < self.rows.len() {
            return None;
        }
        // A day's regime is known when the day is over, so stakes can answer from the next day on.
        let first_after =
            |day: &usize| yard.deals.partition_point(|deal| yard.days.place(deal.known_s) <= *day);
        let changes: Vec<usize> = yard.days.changes.iter().map(first_after).collect();
        Some(detection_lag(&stakes, &changes))
    }

    /// Lots over those that the training's Kelly fraction would put on with the same equity: the quotient of the shares of equity.
    fn sizing_consistency(&self, yard: &Yardstick<'_>) -> Option<f64> {
        let ratio = |(row, deal): (&Row, &Deal)| {
            let usual = yard.training_kelly[usize::from(deal.domain.strategy)];
            row.fraction.filter(|_| usual > 0.0).map(|fraction| fraction / usual)
        };
        sizing_consistency(&self.rows.iter().zip(yard.deals).filter_map(ratio).collect::<Vec<f64>>())
    }
}

impl Row {
    /// What the arm stakes, in its own measure.
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

fn over_trading(traded: &[(&Row, &Deal)], yard: &Yardstick<'_>) -> Option<f64> {
    let rate = |bad: bool| {
        let bars = (0..yard.unfavourable.len()).filter(|place| yard.unfavourable[*place] == bad);
        let bars: u64 = bars.map(|place| yard.days.bars[place]).sum();
        let trades = traded.iter().filter(|(row, _)| yard.unfavourable[row.regime] == bad).count();
        (bars > 0).then(|| trades as f64 / bars as f64)
    };
    let (bad, good) = (rate(true)?, rate(false)?);
    (good > 0.0).then(|| bad / good)
}
