//! The `[golem]` table: how golems live and trade, memory aside: money in dollars, risk and position limits as shares of the balance,
//! thresholds and temperatures in R, intervals in ticks.
//!
//! Terms of the field: position sizing by risk per trade, softmax temperature, epsilon-greedy exploration, mutation rate. They are the
//! hyperparameters of an agent; its genome, its mood, its memory's advice, its phase of life and its rung of the credit ladder multiply
//! several of them, so a value here is that of a median, calm and healthy golem.

use crate::golem::average_reward::Rank;
use crate::golem::gate::GateConfig;
use crate::golem::holding::HoldingConfig;
use crate::golem::leverage::LeverageConfig;
use crate::mortality::purse::PurseConfig;
use morta_base::Usdc;
use morta_base::keys;

/// Smallest stake worth a transaction. Our choice: five times the default price of a transaction (`market.gas.base_usdc`), so that gas doesn't take most of
/// a stake. Half and twice as much changed no byte of four worlds (`scenarios/sensitivity/knobs.toml`). An addition to a position has to
/// reach it too, and the laboratory remarks on a scenario in which no golem can.
pub const MIN_STAKE: Usdc = Usdc(100_000);

keys! {
    /// How golems live and trade, memory aside.
    pub struct GolemConfig {
        /// Balance at birth, dollars.
        endowment_usdc: f64 = 50.0, in 0.01..=1e9, "dollars";
        /// Price of being awake or asleep for one tick, dollars.
        compute_usdc_per_tick: f64 = 0.168 / 2_160.0, in 0.0..=1e6, "dollars";
        /// How the balance is divided.
        purse: PurseConfig = PurseConfig::default();
        /// Share of the balance risked at the stop of one trade.
        risk_per_trade: f64 = 0.02, in 1e-6..=1.0, "share";
        /// Largest stake as a share of the balance; what `leverage` lends comes on top.
        max_position_share: f64 = 0.25, in 1e-6..=1.0, "share";
        /// Positions larger than the money put in.
        leverage: LeverageConfig = LeverageConfig::default();
        /// Decisions inside a trade.
        holding: HoldingConfig = HoldingConfig::default();
        /// Thinking only when surprised.
        gate: GateConfig = GateConfig::default();
        /// Ticks between two decisions.
        decision_interval_ticks: u64 = 1, in 1..=1_000_000_000, "ticks";
        /// R a signal of full strength is expected to make before costs by somebody without memory.
        prior_edge_r: f64 = 0.5, in -100.0..=100.0, "R";
        /// Most that a round trip may cost for its strategy to be considered at all, even to explore, in R. The poor,
        /// whose stakes are small against gas, stop trading here.
        max_cost_r: f64 = 0.75, in 1e-6..=1e6, "R";
        /// What candidates are ranked and let pass by. `rate`: expected R less what the ticks they take are worth, by the golem's own mean
        /// reward a tick; `trade`: expected R a trade, however long it takes.
        rank: Rank = Rank::Rate;
        /// Least expected R, net of costs, for which a golem acts; by `rate`, beyond what the ticks until its next decision are worth.
        min_expected_r: f64 = 0.0, in -100.0..=100.0, "R";
        /// Spread of the choice among candidates, in R: 0 always takes the best, larger values choose more freely.
        choice_temperature_r: f64 = 0.1, in 0.0..=100.0, "R";
        /// Probability of acting on a random candidate instead.
        exploration_rate: f64 = 0.05, in 0.0..=1.0, "probability";
        /// Ticks an abstention is followed before it is remembered.
        abstention_ticks: u64 = 24, in 1..=1_000_000_000, "ticks";
        /// How much golems differ by nature (thresholds, risk, exploration, plasticity), 0 for not at all.
        diversity: f64 = 0.2, in 0.0..=2.0, "standard deviations";
    }
}
