//! The core of the memory contract, for `owm`: advice from recalled episodes, beliefs and plans, and the updates after an outcome.
//!
//! Expected results are in R, equity is in dollars, moments are in seconds of the memory's clock. Five kinds of memory follow trades and
//! equity: episodic, semantic, procedural, affective and prospective. All of it is arithmetic, so no inference is paid and no model asked.

use super::{Owm, OwmSurroundings, mapping};
use crate::episode::{Context, EpisodeKind};
use crate::memory::contract::{
    Advice, Attended, Attention, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth,
    Upkeep, UpkeepKind, VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use morta_base::Tick;
use morta_memories::owm::prospective::{PlanStatus, expire};

/// Seconds without trades after which equity is taken in again (digest section 2: affective memory changes at every close, and
/// hourly without trades).
const HOUR_S: f64 = 3_600.0;

impl FamilyMember for Owm {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        let around = OwmSurroundings {
            tick_seconds: birth.tick_seconds,
            endowment: birth.endowment_usdc,
            usual_risk: birth.risk_per_trade,
            symbols: birth.symbols.to_vec(),
        };
        Self::new(birth.golem, keys.memory.owm.clone(), around)
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, _: Tick) {
        let config = keys.memory.owm.clone();
        self.mind.rebind(config.mind.clone());
        self.scars.truncate(config.scars as usize);
        self.config = config;
    }
}

impl MemoryArchitecture for Owm {
    crate::capable_of!(account, bequeaths);

    /// The prior, the episodes of the same strategy on the same asset, beliefs about such trades, and plans for such moments.
    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let query = self.query(moment);
        advice.extend(candidates.iter().map(|candidate| self.advise_on(candidate, &query)));
    }

    /// The advice had one belief been silent, with the same plans and size; it names no voice.
    fn advise_without(
        &self,
        _: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        let (expected_r, confidence) = self.balance(candidate, advice.others(silent));
        let (size_multiplier, veto) = (advice.size_multiplier, advice.veto);
        Advice { expected_r, confidence, size_multiplier, veto, ..Advice::prior(candidate) }
    }

    /// Takes in an experience: recalled episodes are rehearsed, plans that acted are done, and the outcome moves beliefs, habits
    /// and the affective state.
    fn observe(&mut self, experience: &Experience<'_>) {
        let Experience { episode, why, now, .. } = *experience;
        let trade = episode.kind == EpisodeKind::Trade;
        if !trade {
            return self.stay_out(episode);
        }
        let now_s = self.seconds(now);
        self.account.call_on_all(why);
        for voice in why {
            if let VoiceSource::Episode(id) = voice.source
                && let Some(number) = self.number_of(id)
            {
                self.mind.recalled(number, now_s);
            }
        }
        self.carry_out_plans(episode, why, now_s);
        let number = self.store_origin(episode.id, episode.provenance);
        let memory = self.memory_of(episode, number, Some(episode.realised_r));
        self.weigh_evidence(&memory);
        let domain = memory.domain;
        let formed = self.mind.remember(memory, &self.around, now_s);
        let formed = formed.expect("a pattern names its strategy, so its belief has a condition");
        if let Some(belief) = formed {
            self.report_belief(belief, domain);
        }
        self.mind.on_direction(mapping::followed(episode));
        self.plan_to_skip(domain, now_s);
        self.keep_scar(episode);
        self.closed = true;
        let margin = self.config.confirm_margin_r;
        self.inheritance.iter_mut().for_each(|inherited| {
            inherited.note_outcome(episode, why, |claim, r| claim.is_confirmed_by(r, margin), now)
        });
    }

    fn wants_attention(&self) -> bool {
        true
    }

    /// Takes in equity after every close, and hourly; drops expired plans; plans to trade smaller in a deep drawdown. All of it
    /// is arithmetic, so no inference is paid.
    fn attend(&mut self, attention: &Attention<'_>) -> Attended {
        let now_s = self.seconds(attention.tick);
        if self.closed || now_s - self.mind.affect().updated_s >= HOUR_S {
            self.closed = false;
            self.mind.on_equity(attention.equity.dollars(), now_s);
            self.plan_to_defend(now_s);
        }
        let active = |owm: &Self| owm.plans().filter(|plan| plan.status == PlanStatus::Active).count() as u32;
        let before = active(self);
        expire(self.mind.plans_mut(), now_s);
        let dropped = before - active(self);
        if dropped > 0 {
            self.done.push(Upkeep { dropped, ..Upkeep::new(UpkeepKind::Planning, before) });
        }
        self.mind.forget_plans(self.config.plans_kept as usize);
        Attended { upkeep: std::mem::take(&mut self.done), ..Attended::default() }
    }

    /// Numbers its beliefs and plans after those of the other.
    fn count_on_from(&mut self, other: &Self) {
        self.mind.count_on_from(&other.mind);
    }
}
