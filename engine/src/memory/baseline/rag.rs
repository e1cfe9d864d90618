//! `rag`: retrieval by similarity alone. The trades with the most similar markets are read, and nothing else, as retrieval-augmented
//! generation does. It is nearest neighbour regression (k-nearest) with an optional recency decay, and shows what is gained by similarity
//! without conclusions.
//!
//! Similarity is a cosine, from −1 to 1; ages are in ticks, results in R. The 30 most similar trades are retrieved by default, of any
//! strategy and asset; those of the candidate's own then count alike, whatever their similarity. No age decay is the default. What was
//! stayed out of isn't kept, because it has no result; the mean of the trades and a prior that counts as 3 is the advice (`super::advice`).
//! The memory recalls the top-k trades by cosine similarity.

use super::Kept;
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryAccount, MemoryArchitecture, MemoryBirth,
    VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use morta_base::dot::cosine_similarity;
use morta_base::fading::Fading;
use morta_base::keys;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

keys! {
    /// The `[memory.rag]` table.
    pub struct RagConfig {
        /// Trades that are retrieved for a decision: those whose embeddings have the highest cosine to the present.
        retrieved: u32 = 30, in 1..=10_000, "trades";
        /// Ticks after which a trade counts half, both for what is retrieved and for what it weighs; 0 for never (our own key: plain retrieval
        /// knows no time).
        age_half_life_ticks: f64 = 0.0, in 0.0..=1e12, "ticks";
        /// Trades kept; the oldest leaves.
        capacity: u32 = 2_000, in 1..=100_000, "trades";
        /// Imagined trades the prior of a decision counts as.
        // The same 3 as in all memories with a prior: they differ in what they remember alone.
        prior_weight: f64 = 3.0, in 0.0..=1e9, "trades";
    }
}

/// A retrieval-augmented (RAG) memory, k nearest neighbours by embedding: it expects of a strategy its mean result in similar markets, and
/// keeps past trades in a queue.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rag {
    config: RagConfig,
    kept: VecDeque<Kept>,
    account: MemoryAccount,
}

impl Rag {
    /// An empty memory: a vector store without documents.
    pub fn new(config: RagConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// Trades by similarity times what age leaves of it, the highest first; of equals the later. Age lowers a similarity above 0,
    /// and leaves one below as it is: multiplied, an old dissimilar trade would rise.
    fn retrieve(&self, embedding: &[f32], now: Tick) -> Vec<(f64, &Kept)> {
        let fading = Fading::new(self.config.age_half_life_ticks);
        let left = |kept: &Kept| fading.left(now.saturating_sub(kept.closed));
        let rank = |kept: &Kept| {
            let cosine = cosine_similarity(embedding, &kept.embedding);
            if cosine > 0.0 { cosine * left(kept) } else { cosine }
        };
        let mut ranked: Vec<(f64, &Kept)> = self.kept.iter().rev().map(|kept| (rank(kept), kept)).collect();
        ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        ranked.truncate(self.config.retrieved as usize);
        ranked.into_iter().map(|(_, kept)| (left(kept), kept)).collect()
    }

    fn forget(&mut self) {
        let excess = self.kept.len().saturating_sub(self.config.capacity as usize);
        self.kept.drain(..excess);
    }
}

impl FamilyMember for Rag {
    fn empty(_: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self::new(keys.memory.rag.clone())
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        self.config = keys.memory.rag.clone();
        self.forget();
    }
}

impl MemoryArchitecture for Rag {
    crate::capable_of!(account);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let retrieved = self.retrieve(moment.embedding, moment.tick);
        let prior_weight = self.config.prior_weight;
        let speak = |candidate| super::advice(candidate, prior_weight, retrieved.iter().copied());
        advice.extend(candidates.iter().map(speak));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let Some(kept) = Kept::from_episode(experience.episode, true) else { return };
        self.account.store(VoiceSource::Episode(kept.episode), false);
        self.account.call_on_all(experience.why);
        self.kept.push_back(kept);
        self.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{expected_r, lived};
    use super::*;
    use crate::market::Strategy;

    /// Two are retrieved: in a market like the first axis those of 1 and 3 R, 4/5 with the prior; in one like the second axis one of −5 and
    /// the nearer of the others.
    #[test]
    fn the_likest_trades_speak() {
        let config = RagConfig { retrieved: 2, ..RagConfig::default() };
        let trades = [
            (Strategy::Momentum, 1.0, [1.0, 0.0]),
            (Strategy::Momentum, 3.0, [1.0, 0.2]),
            (Strategy::Momentum, -5.0, [0.0, 1.0]),
        ];
        let memory = lived(Rag::new(config), &trades);
        assert!((expected_r(&memory, Strategy::Momentum, &[2.0, 0.0]) - 0.8).abs() < 1e-12);
        assert!((expected_r(&memory, Strategy::Momentum, &[0.0, 1.0]) + 0.4).abs() < 1e-12);
    }

    /// Two trades of 3 R, closed at 0 and 1, heard at tick 99 with half-lives of 98 ticks: (½·2^(−1/98) + ½)·3 over that and a prior of 3.
    #[test]
    fn age_halves_what_a_trade_weighs() {
        let here = [1.0, 0.0];
        let trades = [(Strategy::Momentum, 3.0, here), (Strategy::Momentum, 3.0, here)];
        let config = RagConfig { age_half_life_ticks: 98.0, ..RagConfig::default() };
        let weight = 0.5 + 0.5 * morta_base::math::exp2(-1.0 / 98.0);
        let expected = 3.0 * weight / (weight + 3.0);
        let found = expected_r(&lived(Rag::new(config), &trades), Strategy::Momentum, &here);
        assert!((found - expected).abs() < 1e-4, "{found} for {expected}");
    }

    #[test]
    fn the_oldest_leaves_first() {
        let config = RagConfig { capacity: 1, ..RagConfig::default() };
        let here = [1.0, 0.0];
        let trades = [(Strategy::Momentum, 9.0, here), (Strategy::Momentum, 4.0, here)];
        assert_eq!(expected_r(&lived(Rag::new(config), &trades), Strategy::Momentum, &here), 1.0);
    }
}
