//! Paper-trading every signal along a world without golems: the backtest behind the truth tables and behind the fits of `oracle-as-read`
//! and `constant`.
//!
//! Results are in R net of costs, times in ticks. Every signal is entered, so that no policy selects what is measured (no selection bias).
//! Trades whose horizon isn't over at the end of the walk are dropped.

use crate::market::paper_trade::{PaperTrade, PathPoint, paper_trade, round_trip_cost_bps};
use crate::market::{AssetIndex, MarketState, PositionSide, Signal, Strategy};
use morta_base::Usdc;
use std::collections::VecDeque;

/// The backtest outcome of one signal, traded on paper, with its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WalkOutcome<L> {
    /// The tick of the decision.
    pub tick: u64,
    pub strategy: Strategy,
    /// The circumstances of the entry.
    pub label: L,
    /// Net of costs.
    pub r_multiple: f64,
    /// Costs of the round trip, in R.
    pub cost_r: f64,
    /// Ticks from the decision to the stop or the end of the horizon.
    pub ticks_held: u32,
}

/// A trade whose horizon is not over yet.
#[derive(Clone, Copy, Debug)]
struct Entry<L> {
    tick: u64,
    label: L,
    strategy: Strategy,
    signal: Signal,
    side: PositionSide,
    cost_bps: f64,
}

/// A rolling backtest of all signals of one asset: its path, and the trades entered along it.
pub(crate) struct Walk<L> {
    path: Vec<PathPoint>,
    entries: VecDeque<Entry<L>>,
}

impl<L: Copy> Walk<L> {
    /// Makes an empty backtest (simulation record), before the first tick.
    pub(crate) fn new() -> Self {
        Self { path: Vec::new(), entries: VecDeque::new() }
    }

    /// Takes in the market's current tick: enters every strategy with a signal, at the costs of a position of `stake`. `label` makes the
    /// circumstances of the entry from the signal and its costs in R. It opens paper trades at the present tick, whether or not others are
    /// open.
    pub(crate) fn visit(
        &mut self,
        market: &MarketState,
        asset: AssetIndex,
        stake: Usdc,
        mut label: impl FnMut(Strategy, &Signal, f64) -> L,
    ) {
        let (view, tick) = (market.view(), self.path.len() as u64);
        let seen = view.asset(asset);
        self.path.push(PathPoint::from(seen));
        for (strategy, signal) in Strategy::ALL.into_iter().zip(seen.signals) {
            if let Some(side) = signal.side(strategy) {
                let cost_bps = round_trip_cost_bps(seen, side, stake, view.gas);
                let label = label(strategy, &signal, cost_bps * 1e-4 / signal.stop_distance);
                self.entries.push_back(Entry { tick, label, strategy, signal, side, cost_bps });
            }
        }
    }

    /// Outcomes of the trades whose whole horizon was walked, in the order of entry. Of the others even the stopped ones are left out: with
    /// them, the end of a walk would add losses alone and bias every mean downwards (truncated, right-censored trades are dropped).
    pub(crate) fn finish(self) -> Vec<WalkOutcome<L>> {
        let last = self.path.len() as u64;
        let whole = self.entries.iter().filter(|e| e.tick + u64::from(e.signal.horizon_ticks) < last);
        whole.map(|entry| self.outcome(entry)).collect()
    }

    fn outcome(&self, entry: &Entry<L>) -> WalkOutcome<L> {
        let at = entry.tick as usize;
        let end = at + entry.signal.horizon_ticks as usize;
        let trade = PaperTrade {
            side: entry.side,
            entry: self.path[at],
            stop_distance: entry.signal.stop_distance,
            cost_bps: entry.cost_bps,
        };
        let came = paper_trade(&trade, self.path[at + 1..=end].iter().copied());
        WalkOutcome {
            tick: entry.tick,
            strategy: entry.strategy,
            label: entry.label,
            r_multiple: came.r_multiple,
            cost_r: entry.cost_bps * 1e-4 / entry.signal.stop_distance,
            ticks_held: came.ticks_held,
        }
    }
}
