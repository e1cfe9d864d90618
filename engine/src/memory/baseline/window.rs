//! `window`: the last trades, independent of the market (sliding window, recency baseline). It shows what is gained by mere recency,
//! without similarity or conclusions.
//!
//! Its size is a number of trades of any kind, 30 by default; of these the candidate's strategy and asset count, each once. The advice is
//! their mean with a prior that counts as 3 trades (`super::advice`). Abstentions aren't kept. Results are in R.
//! The window size is a number of recent trades (rolling window, FIFO).

use super::{Kept, PRIOR_WEIGHT};
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryAccount, MemoryArchitecture, MemoryBirth,
    VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use morta_base::keys;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

keys! {
    /// The `[memory.window]` table.
    // The schema's name stays, so that scenarios and their schema don't change with the type's.
    #[schemars(rename = "WindowConfig")]
    pub struct WindowMemoryConfig {
        /// Trades kept; the oldest leaves.
        trades: u32 = 30, in 1..=100_000, "trades";
    }
}

/// A sliding window baseline (moving average of results): it expects of a strategy its mean result among the last trades.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WindowMemory {
    config: WindowMemoryConfig,
    kept: VecDeque<Kept>,
    account: MemoryAccount,
}

impl WindowMemory {
    /// An empty memory: a sliding window without trades.
    pub fn new(config: WindowMemoryConfig) -> Self {
        Self { config, ..Self::default() }
    }

    fn forget(&mut self) {
        let excess = self.kept.len().saturating_sub(self.config.trades as usize);
        self.kept.drain(..excess);
    }
}

impl FamilyMember for WindowMemory {
    fn empty(_: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        Self::new(keys.memory.window.clone())
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        self.config = keys.memory.window.clone();
        self.forget();
    }
}

impl MemoryArchitecture for WindowMemory {
    crate::capable_of!(account);

    fn advise(&self, _: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        advice.extend(candidates.iter().map(|candidate| {
            super::advice(candidate, PRIOR_WEIGHT, self.kept.iter().map(|kept| (1.0, kept)))
        }));
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        let Some(kept) = Kept::from_episode(experience.episode, false) else { return };
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

    /// Of three kept trades two are momentum's, of 1 and 2 R: with three imagined ones of 0, (1 + 2)/5. The first of all is forgotten.
    #[test]
    fn the_last_trades_speak_and_earlier_ones_are_gone() {
        let config = WindowMemoryConfig { trades: 3 };
        let here = [1.0, 0.0];
        let trades = [
            (Strategy::Momentum, -9.0, here),
            (Strategy::Momentum, 1.0, here),
            (Strategy::Breakout, -4.0, here),
            (Strategy::Momentum, 2.0, [0.0, 1.0]),
        ];
        let memory = lived(WindowMemory::new(config), &trades);
        assert!((expected_r(&memory, Strategy::Momentum, &here) - 0.6).abs() < 1e-12);
        assert!((expected_r(&memory, Strategy::Breakout, &here) + 1.0).abs() < 1e-12);
        assert_eq!(expected_r(&memory, Strategy::MeanReversion, &here), 0.0);
    }
}
