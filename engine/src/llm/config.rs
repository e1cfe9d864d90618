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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TierConfig {
    /// Price of a million tokens read, dollars.
    pub input_usdc_per_mtok: f64,
    /// Price of a million tokens written, dollars.
    pub output_usdc_per_mtok: f64,
    /// Ticks from being served to the reply.
    pub latency_ticks: u64,
    /// Standard deviation of the error in reading one episode's result, in R.
    pub reading_noise_r: f64,
    /// Probability that a reply contains something that isn't in the episodes.
    pub hallucination_rate: f64,
    /// Most circumstances it can hold together in one pattern.
    pub depth: u32,
    /// Most patterns in one reply.
    pub max_patterns: u32,
}

/// What a scenario changes in a tier; what is left out keeps the tier's own value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TierChanges {
    /// Price of a million tokens read, dollars, 0 or more. By tier: 0.25, 3, 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_usdc_per_mtok: Option<f64>,
    /// Price of a million tokens written, dollars, 0 or more. By tier: 1.25, 15, 75.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_usdc_per_mtok: Option<f64>,
    /// Ticks from being served to the reply, 1 to 1,000. By tier: 1, 1, 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ticks: Option<u64>,
    /// Standard deviation of the error in reading one episode's result, in R; 0 for a perfect reader. By tier: 0.3,
    /// 0.15, 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading_noise_r: Option<f64>,
    /// Probability that a reply contains something that isn't in the episodes, 0 to 1. By tier: 0.1, 0.05, 0.02.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hallucination_rate: Option<f64>,
    /// Most circumstances it can hold together in one pattern, 1 to 4. By tier: 1, 2, 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Most patterns in one reply, 1 to 100. By tier: 3, 5, 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_patterns: Option<u32>,
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
    pub t0: TierChanges,
    /// The middling tier.
    pub t1: TierChanges,
    /// The large tier.
    pub t2: TierChanges,
}

impl Default for LlmConfig {
    fn default() -> Self {
        Self {
            requests_per_tick: 64,
            queue_capacity: 10_000,
            budget_usdc: None,
            t0: TierChanges::default(),
            t1: TierChanges::default(),
            t2: TierChanges::default(),
        }
    }
}

impl LlmConfig {
    /// The configuration of a tier, the scenario's changes applied.
    pub fn tier(&self, tier: Tier) -> TierConfig {
        let changes = match tier {
            Tier::T0 => &self.t0,
            Tier::T1 => &self.t1,
            Tier::T2 => &self.t2,
        };
        changes.apply(TierConfig::of(tier))
    }

    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("llm");
        table.whole("requests_per_tick", self.requests_per_tick.into(), 1, 1_000_000);
        table.whole("queue_capacity", self.queue_capacity.into(), 1, 10_000_000);
        if let Some(budget) = self.budget_usdc {
            table.at_least("budget_usdc", budget, 0.0);
        }
        for (name, tier) in [("t0", Tier::T0), ("t1", Tier::T1), ("t2", Tier::T2)] {
            let tier = self.tier(tier);
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

impl TierChanges {
    fn apply(&self, own: TierConfig) -> TierConfig {
        TierConfig {
            input_usdc_per_mtok: self.input_usdc_per_mtok.unwrap_or(own.input_usdc_per_mtok),
            output_usdc_per_mtok: self.output_usdc_per_mtok.unwrap_or(own.output_usdc_per_mtok),
            latency_ticks: self.latency_ticks.unwrap_or(own.latency_ticks),
            reading_noise_r: self.reading_noise_r.unwrap_or(own.reading_noise_r),
            hallucination_rate: self.hallucination_rate.unwrap_or(own.hallucination_rate),
            depth: self.depth.unwrap_or(own.depth),
            max_patterns: self.max_patterns.unwrap_or(own.max_patterns),
        }
    }
}

impl TierConfig {
    /// A tier as it is when the scenario changes nothing: prices as of small, middling and large hosted models.
    pub const fn of(tier: Tier) -> Self {
        match tier {
            Tier::T0 => Self {
                input_usdc_per_mtok: 0.25,
                output_usdc_per_mtok: 1.25,
                latency_ticks: 1,
                reading_noise_r: 0.3,
                hallucination_rate: 0.10,
                depth: 1,
                max_patterns: 3,
            },
            Tier::T1 => Self {
                input_usdc_per_mtok: 3.0,
                output_usdc_per_mtok: 15.0,
                latency_ticks: 1,
                reading_noise_r: 0.15,
                hallucination_rate: 0.05,
                depth: 2,
                max_patterns: 5,
            },
            Tier::T2 => Self {
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

    /// What reading and writing this many tokens costs.
    pub fn price(&self, input_tokens: u32, output_tokens: u32) -> Usdc {
        let micro_dollars = f64::from(input_tokens) * self.input_usdc_per_mtok
            + f64::from(output_tokens) * self.output_usdc_per_mtok;
        Usdc(micro_dollars.round() as i64)
    }
}
