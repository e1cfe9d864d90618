//! What a phase costs. The document names speed, thinking and budget and gives no figures; these are ours (digest section 12).

use crate::base::TableChecker;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How soon an answer has to be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Speed {
    Fast,
    #[default]
    Balanced,
    Slow,
}

/// How long it is thought about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Thinking {
    Low,
    #[default]
    Medium,
    High,
}

/// What kind of model is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Budget {
    Cheap,
    #[default]
    Medium,
    Expensive,
}

/// How a phase is carried out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct ExecutionConfig {
    /// "fast", "balanced" or "slow".
    pub speed: Speed,
    /// "low", "medium" or "high".
    pub thinking: Thinking,
    /// "cheap", "medium" or "expensive".
    pub budget: Budget,
    /// Most tokens an answer may have, 1 to 1,000,000; left out: as many as it takes.
    pub max_output_tokens: Option<u32>,
}

impl ExecutionConfig {
    pub(super) fn check(&self, table: &mut TableChecker<'_>) {
        if let Some(most) = self.max_output_tokens {
            table.whole("maxOutputTokens", most.into(), 1, 1_000_000);
        }
    }
}

/// The token cost table: how many tokens a run takes, and what they cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct TokenCosts {
    /// Tokens read in every run, before any entry: 0 to 1,000,000.
    pub input_tokens_per_run: u32,
    /// Tokens read for each entry looked at: 0 to 10,000.
    pub input_tokens_per_entry: u32,
    /// Tokens written for each entry named: 0 to 10,000.
    pub output_tokens_per_entry: u32,
    /// Tokens thought for each entry looked at, when thinking is low, medium, high: each 0 to 10,000.
    pub thinking_tokens_per_entry: [u32; 3],
    /// Dollars for a million tokens read, by a cheap, medium, expensive model: each 0 to 1,000.
    pub input_usdc_per_million: [f64; 3],
    /// Dollars for a million tokens thought or written, likewise.
    pub output_usdc_per_million: [f64; 3],
    /// What a price is multiplied by when the answer has to be fast, balanced, slow: each 0 to 100.
    pub speed_factor: [f64; 3],
}

impl Default for TokenCosts {
    fn default() -> Self {
        Self {
            input_tokens_per_run: 400,
            input_tokens_per_entry: 60,
            output_tokens_per_entry: 40,
            thinking_tokens_per_entry: [0, 20, 80],
            input_usdc_per_million: [0.25, 1.0, 3.0],
            output_usdc_per_million: [1.25, 5.0, 15.0],
            speed_factor: [1.5, 1.0, 0.5],
        }
    }
}

/// Tokens of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Read.
    pub input: u64,
    /// Thought and written.
    pub output: u64,
}

impl TokenCosts {
    /// The tokens of a run that looks at so many entries and names so many of them. What may be written at most bounds thinking and
    /// writing together.
    pub fn tokens(&self, execution: &ExecutionConfig, looked_at: u32, named: u32) -> Tokens {
        let thinking = self.thinking_tokens_per_entry[execution.thinking as usize];
        let output = u64::from(looked_at) * u64::from(thinking)
            + u64::from(named) * u64::from(self.output_tokens_per_entry);
        Tokens {
            input: u64::from(self.input_tokens_per_run)
                + u64::from(looked_at) * u64::from(self.input_tokens_per_entry),
            output: execution.max_output_tokens.map_or(output, |most| output.min(most.into())),
        }
    }

    /// What they cost, in dollars.
    pub fn dollars(&self, execution: &ExecutionConfig, tokens: Tokens) -> f64 {
        let model = execution.budget as usize;
        let factor = self.speed_factor[execution.speed as usize];
        let input = tokens.input as f64 * self.input_usdc_per_million[model];
        let output = tokens.output as f64 * self.output_usdc_per_million[model];
        factor * (input + output) * 1e-6
    }

    /// Everything about the values that can't be.
    pub fn check(&self, table: &mut TableChecker<'_>) {
        table.whole("inputTokensPerRun", self.input_tokens_per_run.into(), 0, 1_000_000);
        table.whole("inputTokensPerEntry", self.input_tokens_per_entry.into(), 0, 10_000);
        table.whole("outputTokensPerEntry", self.output_tokens_per_entry.into(), 0, 10_000);
        for tokens in self.thinking_tokens_per_entry {
            table.whole("thinkingTokensPerEntry", tokens.into(), 0, 10_000);
        }
        for (key, prices, most) in [
            ("inputUsdcPerMillion", self.input_usdc_per_million, 1_000.0),
            ("outputUsdcPerMillion", self.output_usdc_per_million, 1_000.0),
            ("speedFactor", self.speed_factor, 100.0),
        ] {
            prices.into_iter().for_each(|price| table.within(key, price, 0.0, most));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_thinking_and_budget_have_their_price() {
        let costs = TokenCosts::default();
        let balanced = ExecutionConfig::default();
        let tokens = costs.tokens(&balanced, 10, 3);
        assert_eq!(tokens, Tokens { input: 1_000, output: 320 });
        assert!((costs.dollars(&balanced, tokens) - 0.0026).abs() < 1e-12);
        let hasty = ExecutionConfig { speed: Speed::Fast, ..balanced.clone() };
        assert!((costs.dollars(&hasty, tokens) - 0.0039).abs() < 1e-12);
        let deep =
            ExecutionConfig { thinking: Thinking::High, budget: Budget::Expensive, ..balanced.clone() };
        let tokens = costs.tokens(&deep, 10, 3);
        assert_eq!(tokens.output, 920);
        assert!((costs.dollars(&deep, tokens) - 0.0168).abs() < 1e-12);
        let capped = ExecutionConfig { max_output_tokens: Some(100), ..deep };
        assert_eq!(costs.tokens(&capped, 10, 3).output, 100);
    }
}
