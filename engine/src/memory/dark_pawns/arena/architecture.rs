//! What the contract asks, and which part answers.

use super::DarkPawns;
use crate::episode::{Context, Lesson};
use crate::lethe::{Bequest, Drawn};
use crate::llm::Stance;
use crate::memory::Inheritance;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, CladeTrust, DecisionContext, Experience, HeardLessons,
    MemoryAccount, MemoryArchitecture, MemoryBirth, MemoryKeys, VoiceSource,
};
use crate::memory::family::FamilyMember;
use crate::memory::legacy::Received;
use morta_base::{GolemId, Tick};
use std::any::Any;

impl FamilyMember for DarkPawns {
    fn empty(birth: &MemoryBirth<'_>) -> Self {
        Self::new(birth.golem, birth.keys.memory.dark_pawns.clone())
    }
}

impl MemoryArchitecture for DarkPawns {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        self.advise(moment, candidates, advice);
    }

    fn unheard(&self, context: &Context, candidate: &Candidate, _: &Advice, silent: VoiceSource) -> Advice {
        self.unheard(context.regime, candidate, silent)
    }

    fn observe(&mut self, experience: &Experience<'_>) {
        self.observe(experience.episode, experience.why, experience.now);
    }

    fn wants_attention(&self) -> bool {
        true
    }

    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        self.attend(attention)
    }

    /// What was made of the summary before this one is over.
    fn hear_stances(&mut self, stances: Vec<Stance>) {
        self.read = stances;
    }

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
        &self.inheritance
    }

    fn shares(&self) -> bool {
        true
    }

    fn lessons(&self, _: Tick, _: Tick) -> Vec<Lesson> {
        self.lessons()
    }

    fn hear_lessons(&mut self, told: Vec<(GolemId, Lesson)>, trust: CladeTrust, now: Tick) -> HeardLessons {
        self.hear_lessons(told, trust, now)
    }

    fn rebind(&mut self, keys: MemoryKeys<'_>, _: Tick) {
        self.config = keys.memory.dark_pawns.clone();
    }

    /// Gives no number that the other ever gave.
    fn count_on_from(&mut self, other: &dyn MemoryArchitecture) {
        let other: &dyn Any = other;
        if let Some(pawns) = other.downcast_ref::<Self>() {
            self.next_number = self.next_number.max(pawns.next_number);
            self.next_told = self.next_told.max(pawns.next_told);
        }
    }
}
