//! `bardo+owm`: Bardo's dreams, rules and claims, with outcome-weighted recall of episodes and sizes from memory. The arena asks
//! whether the two together earn more than either alone.
//!
//! Bardo takes in every experience and advises by all of its conclusions, but without its own recall of episodes: both recalls
//! would count one trade twice. In its place OWM recalls episodes by outcome, likeness, recency, trust and state of mind, and the
//! size of a position is its Kelly fraction over the usual risk, by the keys `memory.owm`, times what Bardo's guards and stakes leave.
//! OWM's beliefs and plans have no voice, because conclusions are Bardo's. Results are in R, sizes are factors on the usual stake. It is an
//! ensemble (hybrid architecture) of two memories.

use crate::episode::Context;
use crate::lethe::{Bequest, Drawn};
use crate::memory::bardo::Bardo;
use crate::memory::contract::{
    Advice, Attended, Attention, Bequeaths, Candidate, DecisionContext, Experience, MemoryArchitecture,
    MemoryBirth, MemoryEvent, VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use crate::memory::legacy::InheritOutcome;
use crate::memory::owm::Owm;
use crate::memory::{BardoConfig, Inheritance};
use crate::replay::causal::CausalStore;
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A hybrid memory architecture (composition by delegation): the two memories of one golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BardoOwm {
    bardo: Bardo,
    owm: Owm,
}

impl BardoOwm {
    /// Composes two empty memories; Bardo's recall must be off (`silenced`), or trades would count twice.
    pub fn new(bardo: Bardo, owm: Owm) -> Self {
        Self { bardo, owm }
    }

    /// The memory that dreams, to which dreams, rules and lessons are delegated.
    pub const fn bardo(&self) -> &Bardo {
        &self.bardo
    }

    /// The memory that recalls, to which recall and position sizing are delegated.
    pub const fn owm(&self) -> &Owm {
        &self.owm
    }

    /// Overrides Bardo's keys so that its own recall is disabled, which avoids double counting.
    pub fn silenced(config: &BardoConfig) -> BardoConfig {
        let mut config = config.clone();
        config.recall.enabled = false;
        config
    }
}

impl FamilyMember for BardoOwm {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        let (silenced, consolidation) = (&keys.shared.silenced, &keys.shared.consolidation);
        let (silenced, consolidation) = (Arc::clone(silenced), Arc::clone(consolidation));
        let bardo = Bardo::new(birth.golem, silenced, consolidation, birth.embedding_dimensions);
        Self::new(bardo, Owm::empty(birth, keys))
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, now: Tick) {
        self.bardo.go_on_by(&keys.shared.silenced, &keys.shared.consolidation, now);
        FamilyMember::rebind(&mut self.owm, keys, now);
    }
}

/// Conclusions, holdings and lessons are Bardo's.
impl MemoryArchitecture for BardoOwm {
    crate::capable_of!(bequeaths);
    crate::capable_of!(by bardo: account, holds, hands_on, teaches, dreams);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let query = self.owm.query(moment);
        for candidate in candidates {
            let (episodes, size) = self.owm.recall(candidate, &query);
            let spoken = self.bardo.advise_with(moment, candidate, episodes);
            let by_voices = Advice::size_by_voices(spoken.heard.iter());
            advice.push(Advice { size_multiplier: size * by_voices, ..spoken });
        }
    }

    /// The size stays that of the advice, also without a guard or a stake.
    fn advise_without(
        &self,
        context: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        let size_multiplier = advice.size_multiplier;
        Advice { size_multiplier, ..self.bardo.advise_without(context, candidate, advice, silent) }
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.bardo.observe(experience);
        self.owm.observe(experience);
    }

    fn causal(&self) -> Option<&CausalStore> {
        self.bardo.causal()
    }

    fn wants_attention(&self) -> bool {
        true
    }

    /// OWM follows equity, on which its sizes depend.
    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.owm.attend(attention);
        Attended::default()
    }

    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        self.bardo.drain_events()
    }

    fn count_on_from(&mut self, other: &Self) {
        self.bardo.count_on_from(&other.bardo);
        self.owm.count_on_from(&other.owm);
    }
}

impl Bequeaths for BardoOwm {
    fn bequeath(&self) -> Vec<Bequest> {
        self.bardo.bequeath()
    }

    fn renew_bequests(&self, earlier: Vec<Bequest>) -> Vec<Bequest> {
        self.bardo.renew_bequests(earlier)
    }

    /// Bardo takes in every experience; scars go to recall as well.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> InheritOutcome {
        let scars = drawn.iter().filter(|one| one.bloodstain.is_scar()).cloned().collect();
        self.owm.inherit(scars, now);
        self.bardo.inherit(drawn, now)
    }

    fn inheritance(&self) -> &[Inheritance] {
        self.bardo.inheritance()
    }
}
