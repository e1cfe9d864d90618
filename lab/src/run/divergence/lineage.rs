//! Totals of each lineage from the branch on, in both arms: paired differences (branch less control) of R, trades, deaths and money in
//! USDC. They describe one world and are not tested. Ticks of first differences are absolute; a lineage whose decisions never differ has
//! none. Lineages and not golems are paired, because a golem may have died in one arm and live in the other.

use crate::run::run_folder::tables::Cast;
use morta_base::{Lineage, Tick, Usdc};
use morta_engine::event::{Event, EventKind};
use serde::{Deserialize, Serialize};

/// The totals of one arm, from the branch on: equity, sum of R, profit and loss, trades, deaths (outcome).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LineageOutcome {
    /// Balance at the end of the golem that lives there, dollars; 0 when none does.
    pub equity_usdc: f64,
    /// Sum of the R-multiples of closed trades.
    pub total_r: f64,
    /// Their profit, costs taken off, dollars.
    pub pnl_usdc: f64,
    /// Trades closed.
    pub trades: u32,
    /// Deaths.
    pub deaths: u32,
}

/// The outcomes of both arms, and their paired difference, the branch less the control (treatment effect).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeDifference {
    /// Without the change.
    pub control: LineageOutcome,
    /// With it.
    pub branch: LineageOutcome,
    /// Difference in equity, dollars; below 0 where the change cost money.
    pub equity_usdc: f64,
    /// Difference in the sum of R-multiples.
    pub total_r: f64,
    /// In profit, dollars.
    pub pnl_usdc: f64,
    /// In trades.
    pub trades: i64,
    /// In deaths.
    pub deaths: i64,
}

/// One lineage in `divergence.json`: its first differing decisions and its totals in both arms (paired comparison).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineageRow {
    /// The slot.
    pub lineage: Lineage,
    /// Its cohort.
    pub cohort: String,
    /// First tick at which its decision differs in anything: whether to trade, strategy, asset, side or
    /// stake.
    pub decided_otherwise: Option<Tick>,
    /// First tick at which its decision differs in more than the stake.
    pub chose_otherwise: Option<Tick>,
    /// Its totals.
    #[serde(flatten)]
    pub outcome: OutcomeDifference,
}

/// Adds up the totals of one lineage. Money is added in whole micro-dollars, so that the sum doesn't depend on the order of lineages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineageTally {
    equity: Usdc,
    total_r: f64,
    pnl: Usdc,
    trades: u32,
    deaths: u32,
}

impl LineageTally {
    /// Adds an event to the totals (accumulator): a closed trade, a death, or the balance of a golem that outlives the run. Other events
    /// are ignored.
    pub(super) fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::TradeClosed { episode, .. } => {
                self.trades += 1;
                self.total_r += episode.realised_r;
                self.pnl += episode.pnl;
            }
            EventKind::LifeEnded(life) if life.is_censored() => self.equity += life.balance,
            EventKind::LifeEnded(_) => self.deaths += 1,
            _ => {}
        }
    }

    fn outcome(&self) -> LineageOutcome {
        LineageOutcome {
            equity_usdc: self.equity.dollars(),
            total_r: self.total_r,
            pnl_usdc: self.pnl.dollars(),
            trades: self.trades,
            deaths: self.deaths,
        }
    }
}

/// A lineage while both arms are lived: totals of each, and ticks of first differences (accumulator).
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// The control's, then the branch's.
    pub arms: [LineageTally; 2],
    pub decided_otherwise: Option<Tick>,
    pub chose_otherwise: Option<Tick>,
}

impl Slot {
    /// The row of the lineage for the report, with both arms and their difference (paired difference).
    pub(super) fn row(&self, lineage: Lineage, cast: &Cast) -> LineageRow {
        let [control, branch] = self.arms;
        let mut outcome = OutcomeDifference::between(control.outcome(), branch.outcome());
        outcome.equity_usdc = (branch.equity - control.equity).dollars();
        outcome.pnl_usdc = (branch.pnl - control.pnl).dollars();
        LineageRow {
            lineage,
            cohort: cast.cohort(lineage).name.clone(),
            decided_otherwise: self.decided_otherwise,
            chose_otherwise: self.chose_otherwise,
            outcome,
        }
    }
}

impl OutcomeDifference {
    fn between(control: LineageOutcome, branch: LineageOutcome) -> Self {
        Self {
            control,
            branch,
            equity_usdc: branch.equity_usdc - control.equity_usdc,
            total_r: branch.total_r - control.total_r,
            pnl_usdc: branch.pnl_usdc - control.pnl_usdc,
            trades: i64::from(branch.trades) - i64::from(control.trades),
            deaths: i64::from(branch.deaths) - i64::from(control.deaths),
        }
    }

    /// Adds up all lineages, in floating-point dollars.
    pub fn sum<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let mut sum = [LineageOutcome::default(); 2];
        for one in all {
            for (into, from) in sum.iter_mut().zip([one.control, one.branch]) {
                into.equity_usdc += from.equity_usdc;
                into.total_r += from.total_r;
                into.pnl_usdc += from.pnl_usdc;
                into.trades += from.trades;
                into.deaths += from.deaths;
            }
        }
        let [control, branch] = sum;
        Self::between(control, branch)
    }
}
