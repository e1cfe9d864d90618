//! Costs of a phase. The document names speed (latency), thinking (reasoning effort, thinking level) and budget (model tier) and gives no
//! figures; the figures are ours (digest section 12). They are token counts and seconds of a simulated model call. They exist because a
//! simulated golem pays for its sleep. The engine pays and sleeps by them, and picks the model's tier by `budget`; on users' files only the
//! limit on output tokens (max tokens) counts, where a model words the themes of REM sleep.

use morta_base::keys;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// How soon an answer has to be there.
    #[derive(Default)]
    pub enum Speed: Key {
        /// At once.
        Fast = "fast",
        /// As usual.
        #[default]
        Balanced = "balanced",
        /// Whenever it suits.
        Slow = "slow",
    }

    /// How long it is thought about.
    #[derive(Default)]
    pub enum Thinking: Key {
        /// Hardly.
        Low = "low",
        /// For a while.
        #[default]
        Medium = "medium",
        /// For long.
        High = "high",
    }

    /// What kind of model is asked.
    #[derive(Default)]
    pub enum Budget: Key {
        /// A small one.
        Cheap = "cheap",
        /// A middling one.
        #[default]
        Medium = "medium",
        /// A large one.
        Expensive = "expensive",
    }
}

keys! {
    /// How a phase is carried out.
    pub struct ExecutionConfig {
        /// How soon an answer has to be there; it decides how long a run is slept for.
        speed: Speed = Speed::default();
        /// How long it is thought about; it decides how many tokens a run takes.
        thinking: Thinking = Thinking::default();
        /// What kind of model is asked; it decides what a token costs.
        budget: Budget = Budget::default();
        /// Most tokens an answer may have; left out: as many as it takes.
        max_output_tokens: Option<u32> = None, in 1..=1_000_000, "tokens";
    }
}

keys! {
    /// The token cost table: how many tokens a run takes, and how long it is slept for. What a token costs is the
    /// model's affair.
    pub struct TokenCosts {
        /// Tokens read in every run, before any entry.
        input_per_run: u32 = 200, in 0..=1_000_000, "tokens";
        /// Tokens read for each entry looked at.
        input_per_entry: u32 = 20, in 0..=10_000, "tokens";
        /// Tokens written for each entry named.
        output_per_entry: u32 = 10, in 0..=10_000, "tokens";
        /// Tokens thought, and paid for as if written, for each entry looked at, when thinking is low, medium, high.
        thinking_per_entry: [u32; 3] = [0, 5, 20], in 0..=10_000, "tokens";
        /// Seconds a run takes when it is fast, balanced, slow. They are slept through.
        sleep_seconds: [f64; 3] = [20.0, 60.0, 300.0], in 0.0..=1e6, "seconds";
    }
}

/// Numbers of tokens of a run (token usage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens read.
    pub input: u32,
    /// Tokens thought and written.
    pub output: u32,
}

impl TokenCosts {
    /// The token cost of a run that reads `looked_at` entries and names `named` of them. `max_output_tokens` bounds thinking and writing
    /// together, because providers count both as output.
    pub fn tokens(&self, execution: &ExecutionConfig, looked_at: u32, named: u32) -> Tokens {
        let times = |count: u32, tokens: u32| count.saturating_mul(tokens);
        let thought = times(looked_at, self.thinking_per_entry[execution.thinking as usize]);
        let output = thought.saturating_add(times(named, self.output_per_entry));
        Tokens {
            input: self.input_per_run.saturating_add(times(looked_at, self.input_per_entry)),
            output: execution.max_output_tokens.map_or(output, |most| output.min(most)),
        }
    }

    /// Looks up the duration (latency) of a run by its speed, in seconds.
    pub fn seconds(&self, execution: &ExecutionConfig) -> f64 {
        self.sleep_seconds[execution.speed as usize]
    }
}
