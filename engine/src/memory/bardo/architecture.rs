//! What the contract asks, and which part answers.

use super::Bardo;
use crate::episode::{Claim, Context, Course, Lesson};
use crate::lethe::{Bequest, Drawn};
use crate::memory::Inheritance;
use crate::memory::contract::{
    Advice, Candidate, CladeTrust, DecisionContext, Dreams, Experience, HeardLessons, Holding, HoldingAdvice,
    MemoryAccount, MemoryArchitecture, MemoryBirth, MemoryEvent, MemoryKeys, VoiceSource,
};
use crate::memory::family::FamilyMember;
use crate::memory::legacy::{AffectLegacy, Growth, Heir, Legacy, Received, SuccessionConfig};
use crate::replay::causal::CausalStore;
use morta_base::{GolemId, Tick};
use std::any::Any;
use std::sync::Arc;

impl FamilyMember for Bardo {
    fn empty(birth: &MemoryBirth<'_>) -> Self {
        let shared = birth.shared;
        let (keys, consolidation) = (Arc::clone(&shared.bardo), Arc::clone(&shared.consolidation));
        Self::new(birth.golem, keys, consolidation, birth.embedding_dimensions)
    }
}

impl MemoryArchitecture for Bardo {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        self.advise(moment, candidates, advice);
    }

    fn unheard(&self, _: &Context, candidate: &Candidate, advice: &Advice, silent: VoiceSource) -> Advice {
        self.unheard(candidate, advice, silent)
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.observe(experience.episode, experience.why, experience.now);
    }

    fn advise_holding(&self, moment: &DecisionContext<'_>, holding: &Holding<'_>) -> Option<HoldingAdvice> {
        self.advise_holding(moment, holding)
    }

    fn observe_course(&mut self, course: &Course, now: Tick) {
        self.observe_course(course, now);
    }

    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        self.later.take_part(|learned| &mut learned.events)
    }

    /// Episodes, and entries of every kind, each counted once however far it came.
    fn account(&self) -> Option<&MemoryAccount> {
        Some(&self.account)
    }

    fn account_mut(&mut self) -> Option<&mut MemoryAccount> {
        Some(&mut self.account)
    }

    fn inherits(&self) -> bool {
        true
    }

    fn bequeath(&self) -> Vec<Bequest> {
        self.bequeath()
    }

    fn inherit(&mut self, drawn: Vec<Drawn>, now: Tick) -> Received {
        self.inherit(drawn, now)
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.later.inheritance
    }

    fn legacy(
        &self,
        affect: Option<AffectLegacy>,
        known_by: Option<Tick>,
        config: &SuccessionConfig,
    ) -> Option<Legacy> {
        Some(self.legacy(affect, known_by, config))
    }

    fn receive_legacy(&mut self, legacy: Legacy, heir: &Heir, config: &SuccessionConfig) -> Received {
        self.receive_legacy(legacy, heir, config)
    }

    fn causal(&self) -> Option<&CausalStore> {
        Some(&self.later.causal)
    }

    fn growth(&self) -> Option<Growth> {
        self.growth()
    }

    fn shares(&self) -> bool {
        true
    }

    fn lessons(&self, now: Tick, heuristic_age: Tick) -> Vec<Lesson> {
        self.lessons(now, heuristic_age)
    }

    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, trust: CladeTrust, now: Tick) -> HeardLessons {
        self.hear_lessons(told, trust, now)
    }

    fn hear_borne_out(&mut self, claim: &Claim, now: Tick) {
        self.hear_borne_out(claim, now);
    }

    fn dreams(&self) -> Option<&dyn Dreams> {
        Some(self)
    }

    fn dreams_mut(&mut self) -> Option<&mut dyn Dreams> {
        Some(self)
    }

    fn rebind(&mut self, keys: MemoryKeys<'_>, now: Tick) {
        self.rebind(keys.memory.bardo.clone(), keys.consolidation.clone(), now);
    }

    /// Numbers its entries after those of the other, so that no two have one name.
    fn count_on_from(&mut self, other: &dyn MemoryArchitecture) {
        let other: &dyn Any = other;
        if let Some(bardo) = other.downcast_ref::<Self>() {
            self.next_rule = self.next_rule.max(bardo.next_rule);
        }
    }
}
