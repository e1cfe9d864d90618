//! What the contract asks, and which part answers.

use super::OpenClaw;
use crate::episode::Context;
use crate::lethe::{Bequest, Drawn};
use crate::memory::Inheritance;
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryAccount, MemoryArchitecture,
    MemoryBirth, MemoryKeys, VoiceSource,
};
use crate::memory::family::FamilyMember;
use crate::memory::legacy::Received;
use morta_base::Tick;
use std::any::Any;

impl FamilyMember for OpenClaw {
    fn empty(birth: &MemoryBirth<'_>) -> Self {
        Self::new(birth.golem, birth.keys.memory.openclaw.clone())
    }
}

impl MemoryArchitecture for OpenClaw {
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        self.advise(moment, candidates, advice);
    }

    fn unheard(&self, _: &Context, candidate: &Candidate, advice: &Advice, silent: VoiceSource) -> Advice {
        self.unheard(candidate, advice, silent)
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

    fn hear_reflections(&mut self, worth: Vec<(u32, f64)>) {
        self.take_reflections(worth);
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

    fn rebind(&mut self, keys: MemoryKeys<'_>, now: Tick) {
        self.rebind(keys.memory.openclaw.clone(), now);
    }

    fn count_on_from(&mut self, other: &dyn MemoryArchitecture) {
        let other: &dyn Any = other;
        if let Some(claw) = other.downcast_ref::<Self>() {
            self.number_after(claw);
        }
    }
}
