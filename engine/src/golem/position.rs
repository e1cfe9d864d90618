//! An open position, and the positions that could have been opened instead.
//!
//! Regret is the best result of the other strategies, each with its own side and stop at the same stake, less the own result, and at least 0. With the
//! golem's side and stop for all, regret would blame a strategy for trades it never proposed. Results and regret are in R net of costs,
//! slippage is in basis points of the size, money in dollars. It is counterfactual regret with paper trades of every action. Paper trades
//! are followed from the decision (abstentions for `golem.abstention_ticks`) until the episode is made, at the market's own prices, without
//! impact of their own; costs are those predicted at the decision.

use crate::episode::{Conditions, Context, DecisionStep, Review, StepKind, record::MAX_CHAIN_STEPS};
use crate::golem::exposure::Exposure;
use crate::market::{
    AssetView, PaperTrade, PathPoint, Quantity, Regime, Signal, Strategy, round_trip_cost_bps,
};
use crate::memory::{Candidate, Voice, VoiceSource};
use morta_base::{Tick, Usdc};
use serde::{Deserialize, Serialize};

/// Paper trades of every strategy since the decision, each with its own side and stop, at the same stake: counterfactual shadow trading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shadows {
    trades: [Option<Shadow>; Strategy::COUNT],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Shadow {
    trade: PaperTrade,
    /// The result at its stop, in R net of costs; none while it runs.
    stopped_r: Option<f64>,
}

impl Shadows {
    /// Opens a trade on paper for every strategy with a signal: the counterfactual set.
    pub fn open(asset: &AssetView, signals: &[Signal; Strategy::COUNT], stake: Usdc, gas: Usdc) -> Self {
        let entry = PathPoint::from(asset);
        let open = |strategy: Strategy| {
            let signal = signals[strategy.index()];
            let side = signal.side(strategy)?;
            let cost_bps = round_trip_cost_bps(asset, side, stake, gas);
            let trade = PaperTrade { side, entry, stop_distance: signal.stop_distance, cost_bps };
            Some(Shadow { trade, stopped_r: None })
        };
        Self { trades: Strategy::ALL.map(open) }
    }

    /// Follows the price for one tick, mark to market and with a stop-loss. A result is fixed at the first tick beyond the stop, like that
    /// of a resting order.
    pub fn follow(&mut self, now: PathPoint) {
        for shadow in self.trades.iter_mut().flatten().filter(|shadow| shadow.stopped_r.is_none()) {
            if shadow.trade.gain(now) <= -shadow.trade.stop_distance {
                shadow.stopped_r = Some(shadow.result(now));
            }
        }
    }

    /// The result of a strategy by now, in R net of costs; `None` when it had no signal. It is a counterfactual reward; a stop fixes it.
    pub fn result(&self, strategy: Strategy, now: PathPoint) -> Option<f64> {
        self.trades[strategy.index()].as_ref().map(|shadow| shadow.result(now))
    }

    /// The best of the strategies other than `own` with its result, for the regret.
    pub(crate) fn best_other(&self, own: Option<Strategy>, now: PathPoint) -> Option<(Strategy, f64)> {
        Strategy::ALL
            .into_iter()
            .filter(|strategy| Some(*strategy) != own)
            .filter_map(|strategy| Some((strategy, self.result(strategy, now)?)))
            .fold(None, |best: Option<(Strategy, f64)>, new| match best {
                Some(best) if best.1 >= new.1 => Some(best),
                _ => Some(new),
            })
    }
}

impl Shadow {
    fn result(&self, now: PathPoint) -> f64 {
        self.stopped_r
            .unwrap_or_else(|| (self.trade.gain(now) - self.trade.cost_bps * 1e-4) / self.trade.stop_distance)
    }
}

/// A decision and its circumstances: a decision record (audit trail) with the candidate, its voices and the items that tipped it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The chosen candidate.
    pub candidate: Candidate,
    /// Tick of the decision.
    pub tick: Tick,
    /// Money put in.
    pub stake: Usdc,
    /// The lender's money in it.
    pub loan: Usdc,
    /// Circumstances.
    pub context: Context,
    /// The same in numbers.
    pub conditions: Conditions,
    /// The market's true regime, for the tables.
    pub true_regime: Regime,
    /// The market's embedding.
    pub embedding: Box<[f32]>,
    /// Expected R, net of costs.
    pub expected_r: f64,
    /// Whether it was taken to explore.
    pub explored: bool,
    /// Voices of memory and gut that moved its expectation or its size.
    pub why: Vec<Voice>,
    /// Items of memory that tipped it: without the voice of any one of them it becomes another, or none.
    pub influential: Vec<VoiceSource>,
    /// The alternatives, on paper.
    pub shadows: Shadows,
    /// Predicted slippage of the round trip, bps of the size.
    pub predicted_slippage_bps: f64,
    /// Predicted gas of the round trip.
    pub predicted_gas: Usdc,
}

impl Decision {
    /// The size of the position (notional value, exposure): the money put in and what was lent.
    pub fn size(&self) -> Usdc {
        self.stake + self.loan
    }

    /// The shadow trade beside the real one: the trade on paper that follows its own strategy, from which open results are read.
    pub fn own_trade(&self) -> Option<PaperTrade> {
        self.shadows.trades[self.candidate.strategy.index()].map(|shadow| shadow.trade)
    }

    /// The unrealised gross return: gain before costs as a fraction of the size, had it been carried out at the pool's price.
    pub fn gain(&self, now: PathPoint) -> f64 {
        self.own_trade().map_or(0.0, |trade| trade.gain(now))
    }
}

/// A position that is held: an open trade with entry price, exposure and audit trail. A golem holds at most one; its stop is the signal's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The decision behind it.
    pub decision: Decision,
    /// Tick of its fill.
    pub opened: Tick,
    /// Entry price as filled.
    pub entry_price: f64,
    /// The amount held; pool shares for liquidity.
    pub quantity: Quantity,
    /// Proceeds of a short's sale, in escrow.
    pub proceeds: Usdc,
    /// The pool's fee growth at the entry.
    pub fee_growth: f64,
    /// Slippage of the entry as filled, bps of the size.
    pub entry_slippage_bps: f64,
    /// Gas charged so far.
    pub gas: Usdc,
    /// The money in it, and its size.
    pub exposure: Exposure,
    /// Analysis, entry and the holds that mattered.
    pub chain: Vec<DecisionStep>,
    /// The moments in which it was thought over.
    pub reviews: Vec<Review>,
    /// The asset when it was decided to close, once it was.
    pub exit: Option<PathPoint>,
}

/// Change of the open result since the last step from which a hold is kept, in R; our choice: half the way to the stop. The chain of an episode has
/// room for few.
const NOTABLE_MOVE_R: f64 = 0.5;

impl Position {
    /// The open result before costs, in R: the unrealised profit (P&L) as an R-multiple. At −1 or below the stop is hit.
    pub fn open_r(&self, now: PathPoint) -> f64 {
        self.decision.gain(now) / self.decision.candidate.signal.stop_distance
    }

    /// Mark-to-market value of the stake at the pool's price, costs of closing and interest left out; never below zero.
    pub fn value(&self, now: PathPoint) -> Usdc {
        self.exposure.value(self.decision.gain(now))
    }

    /// Adds a hold to the chain, a sparse sample of the equity curve, if the result has moved notably, as long as there is room left for
    /// the exit: a chain without its end would be of no use to a dream.
    pub(crate) fn note_hold(&mut self, tick: Tick, r: f64) {
        let last =
            self.chain.last().map_or(0.0, |step| if step.kind == StepKind::Hold { step.r } else { 0.0 });
        if (r - last).abs() >= NOTABLE_MOVE_R && self.chain.len() + 1 < MAX_CHAIN_STEPS {
            self.chain.push(DecisionStep { kind: StepKind::Hold, tick, r });
        }
    }
}
