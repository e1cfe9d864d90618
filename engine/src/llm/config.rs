//! The `[llm]` table: the tiers of inference, and the broker's limits.

use crate::base::Usdc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A class of model. Higher tiers cost more, see subtler patterns and make up less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Small and cheap; lightweight dreams run on it.
    #[default]
    T0,
    /// Middling.
    T1,
    /// Large and dear.
    T2,
}

/// Price, speed and quality of one tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TierConfig {
    /// Price of a million tokens read, dollars, 0 or more.
    pub input_usdc_per_mtok: f64,
    /// Price of a million tokens written, dollars, 0 or more.
    pub output_usdc_per_mtok: f64,
    /// Ticks from being served to the reply, 1 to 1,000.
    pub latency_ticks: u64,
    /// Standard deviation of the error in reading one episode's result, in R; 0 for a perfect reader.
    pub reading_noise_r: f64,
    /// Probability that a reply contains something that isn't in the episodes, 0 to 1.
    pub hallucination_rate: f64,
    /// Most circumstances it can hold together in one pattern, 1 to 4.
    pub depth: u32,
    /// Most patterns in one reply, 1 to 100.
    pub max_patterns: u32,
}

/// Inference for all golems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LlmConfig {
    /// Requests served in one tick; the others wait in order. 1 to 1,000,000.
    pub requests_per_tick: u32,
    /// Most requests waiting; beyond that a request is refused. 1 to 10,000,000.
    pub queue_capacity: u32,
    /// What all golems together may spend on inference in a run, dollars, 0 or more; left out: no limit.
    pub budget_usdc: Option<f64>,
    /// The small tier.
    pub t0: TierConfig,
    /// The middling tier.
    pub t1: TierConfig,
    /// The large tier.
    pub t2: TierConfig,
}

impl Default for LlmConfig {
    fn default() -> Self {
        Self {
            requests_per_tick: 64,
            queue_capacity: 10_000,
            budget_usdc: None,
            t0: TierConfig {
                input_usdc_per_mtok: 0.25,
                output_usdc_per_mtok: 1.25,
                latency_ticks: 1,
                reading_noise_r: 0.3,
                hallucination_rate: 0.10,
                depth: 1,
                max_patterns: 3,
            },
            t1: TierConfig {
                input_usdc_per_mtok: 3.0,
                output_usdc_per_mtok: 15.0,
                latency_ticks: 1,
                reading_noise_r: 0.15,
                hallucination_rate: 0.05,
                depth: 2,
                max_patterns: 5,
            },
            t2: TierConfig {
                input_usdc_per_mtok: 15.0,
                output_usdc_per_mtok: 75.0,
                latency_ticks: 2,
                reading_noise_r: 0.05,
                hallucination_rate: 0.02,
                depth: 3,
                max_patterns: 8,
            },
        }
    }
}

impl LlmConfig {
    /// The configuration of a tier.
    pub fn tier(&self, tier: Tier) -> &TierConfig {
        match tier {
            Tier::T0 => &self.t0,
            Tier::T1 => &self.t1,
            Tier::T2 => &self.t2,
        }
    }

    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("llm");
        table.whole("requests_per_tick", self.requests_per_tick.into(), 1, 1_000_000);
        table.whole("queue_capacity", self.queue_capacity.into(), 1, 10_000_000);
        if let Some(budget) = self.budget_usdc {
            table.at_least("budget_usdc", budget, 0.0);
        }
        for (name, tier) in [("t0", &self.t0), ("t1", &self.t1), ("t2", &self.t2)] {
            let mut table = table.table(name);
            table.within("input_usdc_per_mtok", tier.input_usdc_per_mtok, 0.0, 1e6);
            table.within("output_usdc_per_mtok", tier.output_usdc_per_mtok, 0.0, 1e6);
            table.whole("latency_ticks", tier.latency_ticks, 1, 1_000);
            table.within("reading_noise_r", tier.reading_noise_r, 0.0, 100.0);
            table.share("hallucination_rate", tier.hallucination_rate);
            table.whole("depth", tier.depth.into(), 1, 4);
            table.whole("max_patterns", tier.max_patterns.into(), 1, 100);
        }
    }
}

impl TierConfig {
    /// What reading and writing this many tokens costs.
    pub fn price(&self, input_tokens: u32, output_tokens: u32) -> Usdc {
        let micro_dollars = f64::from(input_tokens) * self.input_usdc_per_mtok
            + f64::from(output_tokens) * self.output_usdc_per_mtok;
        Usdc(micro_dollars.round() as i64)
    }
}
