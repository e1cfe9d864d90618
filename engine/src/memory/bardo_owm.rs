//! `bardo+owm`: Bardo's dreams, rules and claims, with outcome-weighted recall of episodes and stakes from memory. Whether
//! the two are more together than either alone is for the arena to say.
//!
//! Bardo takes in everything and speaks with all it has concluded; its own recall of episodes is silent. In its place
//! speak the episodes that come to mind by outcome, likeness, recency, trust and state of mind, and the size of a position is the
//! Kelly fraction from memory, by the rules of `memory.owm`. Beliefs and plans of that memory are silent: conclusions are Bardo's.

use crate::episode::{Claim, Context, Course, Lesson};
use crate::lethe::{Bequest, Drawn};
use crate::memory::bardo::Bardo;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, Dreams, Experience, HeardLessons,
    Holding, HoldingAdvice, MemoryAccount, MemoryArchitecture, MemoryBirth, MemoryEvent, MemoryKeys,
    VoiceSource,
};
use crate::memory::family::FamilyMember;
use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use crate::memory::owm::Owm;
use crate::memory::{BardoConfig, Inheritance};
use morta_base::{GolemId, Tick};
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::sync::Arc;

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
}

impl FamilyMember for BardoOwm {
    fn empty(birth: &MemoryBirth<'_>) -> Self {
        let shared = birth.shared;
        let (keys, consolidation) = (Arc::clone(&shared.silenced), Arc::clone(&shared.consolidation));
        let bardo = Bardo::new(birth.golem, keys, consolidation, birth.embedding_dimensions);
        Self::new(bardo, Owm::empty(birth))
    }
}

impl MemoryArchitecture for BardoOwm {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let query = self.owm.query(moment);
        for candidate in candidates {
            let (episodes, size) = self.owm.recall(candidate, &query);
            let spoken = self.bardo.advise_hearing(moment, candidate, episodes);
            let by_voices = Advice::size_by_voices(spoken.heard.iter());
            advice.push(Advice { size_multiplier: size * by_voices, ..spoken });
        }
    }

    /// The size is memory's own.
    fn unheard(&self, _: &Context, candidate: &Candidate, advice: &Advice, silent: VoiceSource) -> Advice {
        let size_multiplier = advice.size_multiplier;
        Advice { size_multiplier, ..self.bardo.unheard(candidate, advice, silent) }
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        MemoryArchitecture::observe(&mut self.bardo, experience);
        MemoryArchitecture::observe(&mut self.owm, experience);
    }

    fn wants_attention(&self) -> bool {
        true
    }

    /// Equity is felt, which is what stakes go by.
    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.owm.attend(attention);
        Attended::default()
    }

    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice> {
        self.bardo.advise_holding(moment, holding)
    }

    fn observe_course(&mut self, course: &Course, now: Tick) {
        self.bardo.observe_course(course, now);
    }

    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        self.bardo.drain_events()
    }

    /// Bardo's, which holds every episode too.
    fn account(&self) -> Option<&MemoryAccount> {
        self.bardo.account()
    }

    fn account_mut(&mut self) -> Option<&mut MemoryAccount> {
        self.bardo.account_mut()
    }

    fn inherits(&self) -> bool {
        true
    }

    fn bequeath(&self) -> Vec<Bequest> {
        self.bardo.bequeath()
    }

    /// Bardo takes in everything; scars are recalled as well.
    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        let scars = drawn.iter().filter(|one| one.bloodstain.is_scar()).cloned().collect();
        self.owm.inherit(scars, now);
        self.bardo.inherit(drawn, now)
    }

    fn inheritance(&self) -> &[Inheritance] {
        self.bardo.inheritance()
    }

    fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Option<Legacy> {
        Some(self.bardo.legacy(affect, known_by, config))
    }

    fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> Received {
        self.bardo.receive_legacy(legacy, heir, config)
    }

    fn growth(&self) -> Option<Growth> {
        self.bardo.growth()
    }

    fn shares(&self) -> bool {
        true
    }

    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        self.bardo.lessons(now, heuristic_age)
    }

    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, trust: CladeTrust, now: Tick) -> HeardLessons {
        self.bardo.hear_lessons(told, trust, now)
    }

    fn hear_borne_out(&mut self, claim: &Claim, now: Tick) {
        self.bardo.hear_borne_out(claim, now);
    }

    fn dreams(&self) -> Option<&dyn Dreams> {
        self.bardo.dreams()
    }

    fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        self.bardo.dreams_mut()
    }

    fn rebind(&mut self, keys: MemoryKeys<'_>, now: Tick) {
        let silenced = Self::silenced(&keys.memory.bardo);
        self.bardo.rebind(silenced, keys.consolidation.clone(), now);
        MemoryArchitecture::rebind(&mut self.owm, keys, now);
    }

    fn count_on_from(&mut self, other: &dyn MemoryArchitecture) {
        let other: &dyn Any = other;
        if let Some(both) = other.downcast_ref::<Self>() {
            self.bardo.count_on_from(&both.bardo);
            MemoryArchitecture::count_on_from(&mut self.owm, &both.owm);
        }
    }
}
