//! `bardo+owm`: Bardo's dreams, rules and claims, with outcome-weighted recall of episodes and stakes from memory. Whether
//! the two are more together than either alone is for the arena to say.
//!
//! Bardo takes in everything and speaks with all it has concluded; its own recall of episodes is silent. In its place
//! speak the episodes that come to mind by outcome, likeness, recency, trust and state of mind, and the size of a position is the
//! Kelly fraction from memory, by the rules of `memory.owm`. Beliefs and plans of that memory are silent: conclusions are Bardo's.

use crate::base::Tick;
use crate::dream::config::ConsolidationConfig;
use crate::episode::Episode;
use crate::lethe::{Bequest, Drawn};
use crate::memory::bardo::Bardo;
use crate::memory::config::MemoryConfig;
use crate::memory::legacy::Received;
use crate::memory::owm::Owm;
use crate::memory::{
    Advice, Attended, Attention, BardoConfig, Candidate, DecisionContext, MemoryAccount, Voice, VoiceSource,
};
use serde::{Deserialize, Serialize};

/// The two memories of one golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BardoOwm {
    bardo: Bardo,
    owm: Owm,
}

impl BardoOwm {
    /// Of two empty ones.
    pub fn new(bardo: Bardo, owm: Owm) -> Self {
        Self { bardo, owm }
    }

    /// What dreams.
    pub const fn bardo(&self) -> &Bardo {
        &self.bardo
    }

    /// The same, to be changed.
    pub const fn bardo_mut(&mut self) -> &mut Bardo {
        &mut self.bardo
    }

    /// What recalls.
    pub const fn owm(&self) -> &Owm {
        &self.owm
    }

    /// Bardo's keys without its own recall.
    pub fn silenced(config: &BardoConfig) -> BardoConfig {
        let mut config = config.clone();
        config.recall.enabled = false;
        config
    }

    pub(super) fn rebind(&mut self, keys: &MemoryConfig, consolidation: &ConsolidationConfig, now: Tick) {
        self.bardo.rebind(Self::silenced(&keys.bardo), consolidation.clone(), now);
        self.owm.rebind(keys.owm.clone());
    }

    pub(super) fn count_on_from(&mut self, other: &Self) {
        self.bardo.count_on_from(&other.bardo);
        self.owm.count_on_from(&other.owm);
    }

    pub(super) fn observe(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        self.bardo.observe(episode, why, now);
        self.owm.observe(episode, why, now);
    }

    pub(super) fn advise(
        &self,
        moment: &DecisionContext<'_>,
        candidates: &[Candidate],
        advice: &mut Vec<Advice>,
    ) {
        let query = self.owm.query(moment);
        for candidate in candidates {
            let (episodes, size) = self.owm.recall(candidate, &query);
            let spoken = self.bardo.advise_hearing(moment, candidate, episodes);
            advice.push(Advice { size_multiplier: size, ..spoken });
        }
    }

    /// What its advice would have been had one of Bardo's entries been silent; the size is memory's own.
    pub(super) fn unheard(&self, candidate: &Candidate, advice: &Advice, silent: VoiceSource) -> Advice {
        let size_multiplier = advice.size_multiplier;
        Advice { size_multiplier, ..self.bardo.unheard(candidate, advice, silent) }
    }

    /// Its account, to be added to.
    pub(super) const fn account_mut(&mut self) -> &mut MemoryAccount {
        self.bardo.account_mut()
    }

    /// Equity is felt, which is what stakes go by.
    pub(super) fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.owm.attend(attention);
        Attended::default()
    }

    pub(super) fn bequeath(&self) -> Vec<Bequest> {
        self.bardo.bequeath()
    }

    /// Bardo takes in everything; scars are recalled as well.
    pub(super) fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        let scars = drawn.iter().filter(|one| one.bloodstain.is_scar()).cloned().collect();
        self.owm.inherit(scars, now);
        self.bardo.inherit(drawn, now)
    }
}
