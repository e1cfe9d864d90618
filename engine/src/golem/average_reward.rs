//! The value of a golem's time: average-reward reinforcement learning (Schwartz 1993, R-learning; Mahadevan 1996), which the
//! ecology of foraging knows as the marginal value theorem (Charnov 1976).
//!
//! Trades are not scarce, time is: a golem that holds a position can't take the next. So a candidate stands at
//!
//! ```text
//! standing = E[R] − ρ·E[ticks]     in R
//! ```
//!
//! where ρ ≥ 0 is the golem's running mean reward a tick, in R, and ticks are those until it can decide again. Waiting for the next decision
//! earns nothing and takes `wait` ticks, so it stands at 0 − ρ·wait, and a trade passes the gate when it beats that by the R the gate asks:
//! E[R] − ρ·(E[ticks] − wait) > gate.
//!
//! The standing is a difference in R and not a quotient in R a tick, so a temperature or a gut feeling in R keeps its meaning. With ρ = 0, for a golem
//! that has earned nothing, it is E[R]. Ranked by R a trade instead, arbitrage would lose to liquidity provision, which earns a
//! twenty-fifth as much a tick. The key `golem.rank` chooses between reward per unit of time (average reward, reward rate; the default) and
//! reward per trade, for which ρ is 0 throughout. ρ forgets over 1,000 counted ticks, is set against every candidate and every review of a
//! held position, and starts from 0 in each life: it isn't inherited.

use crate::market::{Signal, Strategy};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What candidates are ranked by.
    #[derive(Default)]
    pub enum Rank: Key {
        /// Expected R less what the time it takes is worth: the mean reward a tick times the ticks expected.
        #[default]
        Rate = "rate",
        /// Expected R of the trade, however long it takes.
        Trade = "trade",
    }
}

/// Ticks from the decision to close until the next decision: the order goes out at one barrier and its fill comes in at the next tick.
pub(crate) const ORDER_LATENCY_TICKS: u32 = 1;
/// Weight of the newest trade in the running share of the horizon: about the last twenty count; our choice, some of each strategy in a life.
const HELD_WEIGHT: f32 = 0.05;

/// A golem's running mean reward a tick (average-reward reinforcement learning), and how long its trades tie it up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct AverageReward {
    /// R a tick, exponentially forgetting.
    rate: f32,
    /// R of trades that closed since the last tick that counted: stops work while it sleeps.
    uncounted_r: f32,
    /// Ticks held over the horizon, running mean by strategy.
    held_share: [f32; Strategy::COUNT],
}

impl Default for AverageReward {
    /// Time is worth nothing to a golem that has earned nothing, and a trade is expected to last its whole horizon.
    fn default() -> Self {
        Self { rate: 0.0, uncounted_r: 0.0, held_share: [1.0; Strategy::COUNT] }
    }
}

impl AverageReward {
    /// ρ, the average reward rate (opportunity cost of time), in R a tick; 0 or more. Staying out is free and always possible, so time is
    /// never worth less than nothing: with a mean below 0, a losing golem would prize trades for being long and enter those it expects to
    /// lose by, to be spared its own next decision.
    pub(super) fn rho(&self, rank: Rank) -> f64 {
        match rank {
            Rank::Rate => f64::from(self.rate).max(0.0),
            Rank::Trade => 0.0,
        }
    }

    /// Notes that a trade closed `ticks` after its decision: accumulates its reward, and updates the mean holding time.
    pub(crate) fn note_trade(&mut self, strategy: Strategy, signal: &Signal, realised_r: f64, ticks: u64) {
        self.uncounted_r += realised_r as f32;
        let held = ticks.saturating_sub(u64::from(ORDER_LATENCY_TICKS));
        let share = &mut self.held_share[strategy.index()];
        *share += HELD_WEIGHT * (held as f32 / signal.horizon_ticks as f32 - *share);
    }

    /// Notes a tick in which it was awake and held something or could have. The exponential moving average starts from 0 with the weight of
    /// a whole window, so a lucky first trade doesn't make it choosy.
    pub(crate) fn note_tick(&mut self, window_ticks: u64) {
        self.rate += (self.uncounted_r - self.rate) / window_ticks as f32;
        self.uncounted_r = 0.0;
    }

    /// The expected holding period of a trade on this signal, in ticks.
    pub(super) fn held_ticks(&self, strategy: Strategy, signal: &Signal) -> f64 {
        f64::from(self.held_share[strategy.index()]) * f64::from(signal.horizon_ticks)
    }
}

/// The value of time at one decision: its opportunity cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeValue {
    /// R a tick, 0 or more.
    pub rho: f64,
    /// Ticks until the next decision, if it stays out; at least 1.
    pub wait_ticks: f64,
}

impl TimeValue {
    /// The opportunity cost of a trade's duration, in R, for all its ticks: those it is held and those its orders take, no fewer than those
    /// to the next decision.
    pub(super) fn cost_r(&self, held_ticks: f64) -> f64 {
        self.rho * (held_ticks + f64::from(ORDER_LATENCY_TICKS)).max(self.wait_ticks)
    }

    /// The opportunity cost of waiting for the next decision, in R.
    pub(crate) fn wait_cost_r(&self) -> f64 {
        self.rho * self.wait_ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNAL: Signal = Signal { strength: 0.5, stop_distance: 0.01, horizon_ticks: 24 };

    /// One R in a tick, in a window of four: ρ = 1/4, then three quarters of it for each tick without.
    #[test]
    fn the_mean_reward_is_forgotten_exponentially() {
        let mut mean = AverageReward::default();
        mean.note_trade(Strategy::Breakout, &SIGNAL, 1.0, 25);
        mean.note_tick(4);
        assert_eq!(mean.rho(Rank::Rate), 0.25);
        mean.note_tick(4);
        assert_eq!(mean.rho(Rank::Rate), 0.1875);
        assert_eq!(mean.rho(Rank::Trade), 0.0);
    }

    #[test]
    fn time_is_never_worth_less_than_nothing() {
        let mut mean = AverageReward::default();
        mean.note_trade(Strategy::Breakout, &SIGNAL, -1.0, 25);
        mean.note_tick(4);
        assert_eq!(mean.rho(Rank::Rate), 0.0);
        // But it is remembered: the next R makes up for the loss before it counts.
        mean.note_trade(Strategy::Breakout, &SIGNAL, 1.0, 25);
        mean.note_tick(4);
        assert_eq!(mean.rho(Rank::Rate), 0.0625);
    }

    /// Stopped after 12 of 24 ticks, and a tick for the order: the expected share falls by a twentieth of the difference.
    #[test]
    fn how_long_trades_last_is_learnt_by_strategy() {
        let mut mean = AverageReward::default();
        assert_eq!(mean.held_ticks(Strategy::Breakout, &SIGNAL), 24.0);
        mean.note_trade(Strategy::Breakout, &SIGNAL, -1.0, 13);
        assert!((mean.held_ticks(Strategy::Breakout, &SIGNAL) - 24.0 * 0.975).abs() < 1e-5);
        assert_eq!(mean.held_ticks(Strategy::Momentum, &SIGNAL), 24.0);
    }

    /// .02 R a tick: a trade of .3 R held for 4 ticks stands at .3 − .02 · 5 = .2, one of .9 R held for 48 at .9 − .98 < 0. Waiting a tick stands
    /// at −.02; both are held against that.
    #[test]
    fn a_short_small_trade_beats_a_long_large_one() {
        let time = TimeValue { rho: 0.02, wait_ticks: 1.0 };
        assert!((0.3 - time.cost_r(4.0) - 0.2).abs() < 1e-12);
        assert!((0.9 - time.cost_r(48.0) + 0.08).abs() < 1e-12);
        assert_eq!(time.wait_cost_r(), 0.02);
        // Decisions every ten ticks: a trade of four is as long as the wait, and costs nothing beyond it.
        let seldom = TimeValue { rho: 0.02, wait_ticks: 10.0 };
        assert_eq!(seldom.cost_r(4.0), seldom.wait_cost_r());
    }
}
