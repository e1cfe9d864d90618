//! The `[golem]` table.

use crate::mortality::purse::PurseConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How golems live and trade, memory aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GolemConfig {
    /// Balance at birth, dollars, above 0.
    pub endowment_usdc: f64,
    /// Price of being awake or asleep for one tick, dollars, 0 or more.
    pub compute_usdc_per_tick: f64,
    /// How the balance is divided.
    pub purse: PurseConfig,
    /// Share of the balance risked at the stop of one trade, above 0 to 1.
    pub risk_per_trade: f64,
    /// Largest stake as a share of the balance, above 0 to 1.
    pub max_position_share: f64,
    /// Smallest stake worth a transaction, dollars, above 0.
    pub min_stake_usdc: f64,
    /// Ticks between two decisions, at least 1.
    pub decision_interval_ticks: u64,
    /// R a signal of full strength is expected to make before costs by somebody without memory.
    pub prior_edge_r: f64,
    /// Most that a round trip may cost for its strategy to be considered at all, even to explore, in R; above 0. The poor,
    /// whose stakes are small against gas, stop trading here.
    pub max_cost_r: f64,
    /// Least expected R, net of costs, for which a golem acts.
    pub min_expected_r: f64,
    /// Spread of the choice among candidates, in R: 0 always takes the best, larger values choose more freely.
    pub choice_temperature_r: f64,
    /// Probability of acting on a random candidate instead, 0 to 1.
    pub exploration_rate: f64,
    /// Ticks an abstention is followed before it is remembered, at least 1.
    pub abstention_ticks: u64,
    /// How much golems differ by nature (thresholds, risk, exploration, plasticity), 0 for not at all.
    pub diversity: f64,
    /// How much of that difference a successor draws anew; the rest is its predecessor's. 0 to 1.
    pub mutation: f64,
}

impl Default for GolemConfig {
    fn default() -> Self {
        Self {
            endowment_usdc: 50.0,
            compute_usdc_per_tick: 0.168 / 2_160.0,
            purse: PurseConfig::default(),
            risk_per_trade: 0.02,
            max_position_share: 0.25,
            min_stake_usdc: 0.10,
            decision_interval_ticks: 1,
            prior_edge_r: 0.5,
            max_cost_r: 0.75,
            min_expected_r: 0.0,
            choice_temperature_r: 0.1,
            exploration_rate: 0.05,
            abstention_ticks: 24,
            diversity: 0.2,
            mutation: 0.3,
        }
    }
}

impl GolemConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("golem");
        table.within("endowment_usdc", self.endowment_usdc, 0.01, 1e9);
        table.within("compute_usdc_per_tick", self.compute_usdc_per_tick, 0.0, 1e6);
        self.purse.check(&mut table.table("purse"));
        table.within("risk_per_trade", self.risk_per_trade, 1e-6, 1.0);
        table.within("max_position_share", self.max_position_share, 1e-6, 1.0);
        table.within("min_stake_usdc", self.min_stake_usdc, 1e-6, 1e9);
        table.whole("decision_interval_ticks", self.decision_interval_ticks, 1, 1_000_000_000);
        table.within("prior_edge_r", self.prior_edge_r, -100.0, 100.0);
        table.within("max_cost_r", self.max_cost_r, 1e-6, 1e6);
        table.within("min_expected_r", self.min_expected_r, -100.0, 100.0);
        table.within("choice_temperature_r", self.choice_temperature_r, 0.0, 100.0);
        table.share("exploration_rate", self.exploration_rate);
        table.whole("abstention_ticks", self.abstention_ticks, 1, 1_000_000_000);
        table.within("diversity", self.diversity, 0.0, 2.0);
        table.share("mutation", self.mutation);
    }
}
