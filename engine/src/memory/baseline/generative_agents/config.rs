//! The `[memory.generative_agents]` table: weights and decay of retrieval, importance from 1 to 10, numbers of records, tokens.
//!
//! Names and defaults follow Park et al. (2023), section 4: memory stream, retrieval, reflection.

use morta_base::keys;

keys! {
    /// The `[memory.generative_agents]` table. Defaults that Park et al. (2023) state are theirs; they leave open what a trade is
    /// worth to remember and how much a model reads, and those defaults are our own.
    pub struct GenerativeAgentsConfig {
        /// Weight of relevance in a record's score (the paper's α, 1); recency and importance have 1.
        relevance_weight: f64 = 1.0, in 0.0..=1_000.0, "weight";
        /// What is left of recency for each simulated hour since a record was last retrieved (the paper's .995).
        recency_decay: f64 = 0.995, in above(0.0).to(1.0), "factor";
        /// Records that are retrieved for a decision or a question: those of the highest score (our own; the paper's number is what a
        /// model's context holds).
        retrieved: u32 = 30, in 1..=10_000, "records";
        /// Records kept, reflections among them; the oldest leaves (our own; the paper keeps all).
        capacity: u32 = 2_000, in 1..=100_000, "records";
        /// |surprise| that is rated 10 of 10, as an arousal of 1 is; none at all is rated 1 (our own: the paper asks a model).
        surprise_of_ten_r: f64 = 3.0, in above(0.0).to(100.0), "R";
        /// Summed importance of what was observed since the last reflection, above which the agent reflects (the paper's 150).
        reflection_threshold: f64 = 150.0, in above(0.0).to(1e9), "importance";
        /// Latest records that questions are drawn from (the paper's 100).
        reflected_records: u32 = 100, in 1..=10_000, "records";
        /// Questions of a reflection (the paper's 3); 0 for a memory that never reflects.
        questions: u32 = 3, in 0..=100, "questions";
        /// Trades that a reflection counts as (1: in the paper a model reads both alike).
        reflection_weight: f64 = 1.0, in 0.0..=1e9, "trades";
    }
}
