//! The core of the memory contract, for `bardo`: advice before a decision, experience after it. Each further capability has a file of its
//! own name in this room.
//!
//! Expected results are in R net of costs. Advice pools voices level by level (partial pooling, credibility theory), or sums them where
//! `memory.bardo.pooling` is "sum"; experience goes to recall, to claims as evidence, and to the Curator. An abstention is only stored: it
//! is no evidence and no voice. `bardo+owm` uses `observe` and `advise_without` of here, but not `advise`.

use super::{Bardo, PRIOR_EPISODES, reading, recall};
use crate::dream::integration::beliefs::TradeOutcome;
use crate::episode::{Claim, Context, EpisodeKind};
use crate::memory::contract::{
    Advice, Candidate, DecisionContext, Experience, MemoryArchitecture, MemoryBirth, MemoryEvent, Voice,
    VoiceSource,
};
use crate::memory::family::{FamilyMember, MemoryKeys};
use crate::replay::causal::CausalStore;
use morta_base::Tick;
use std::sync::Arc;

impl FamilyMember for Bardo {
    fn empty(birth: &MemoryBirth<'_>, keys: &MemoryKeys<'_>) -> Self {
        let (bardo, consolidation) = (Arc::clone(&keys.shared.bardo), Arc::clone(&keys.shared.consolidation));
        Self::new(birth.golem, bardo, consolidation, birth.embedding_dimensions)
    }

    fn rebind(&mut self, keys: &MemoryKeys<'_>, now: Tick) {
        self.go_on_by(&keys.shared.bardo, &keys.shared.consolidation, now);
    }
}

impl MemoryArchitecture for Bardo {
    crate::capable_of!(account, holds, bequeaths, hands_on, teaches, dreams);

    fn advise(&self, moment: &DecisionContext<'_>, candidates: &[Candidate], advice: &mut Vec<Advice>) {
        let (config, reading) = (&self.config.recall, &self.config.reading);
        let about =
            |candidate: &Candidate| self.claims_about(candidate.strategy, &moment.context, moment.tick);
        let mut claims: Vec<Vec<Voice>> = candidates.iter().map(about).collect();
        let room = reading::cut(&mut claims, reading);
        let recalled = recall::recall(&self.grimoire, moment, candidates, config, room);
        advice.extend(candidates.iter().zip(claims).map(|(candidate, claims)| {
            let about = &recalled[candidate.strategy.index()];
            let read_tokens = reading::tokens(claims.len(), about.episodes(), reading);
            let spoken = about.speak(&self.grimoire);
            Advice { read_tokens, ..self.advise_by(claims, moment, candidate, spoken) }
        }));
    }

    fn advise_without(
        &self,
        _: &Context,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        let mut others: Vec<Voice> = advice.others(silent).copied().collect();
        self.balance(candidate, &mut others)
    }

    /// Takes in an experience. Entries that spoke before the decision are refreshed, and gain strength if the trade paid.
    fn observe(&mut self, experience: &Experience<'_>) {
        let Experience { episode, why, now, .. } = *experience;
        self.account.store(VoiceSource::Episode(episode.id), false);
        self.grimoire.insert(episode.clone(), now);
        self.unreplayed = self.unreplayed.saturating_add(1);
        if episode.kind != EpisodeKind::Trade {
            return;
        }
        self.hand_to_curator(episode);
        self.account.call_on_all(why);
        self.note_voices(episode, why, now);
        let outcome = TradeOutcome {
            strategy: episode.strategy,
            context: &episode.context,
            realised_r: episode.realised_r,
        };
        self.beliefs.note_outcome(episode.realised_r);
        self.outcomes.note(episode.strategy, episode.context.regime, episode.realised_r);
        self.kappa = self.outcomes.kappa(PRIOR_EPISODES);
        self.validate(outcome, now);
        self.later.threats.values_mut().for_each(|record| record.note_outcome(episode, now));
        let staging = &self.consolidation.staging;
        let confirms = |claim: &Claim, r: f64| staging.hearing(claim, r).confirms;
        let inherited = self.later.inheritance.iter_mut();
        inherited.for_each(|inherited| inherited.note_outcome(episode, why, confirms, now));
    }

    fn drain_events(&mut self) -> Vec<MemoryEvent> {
        self.later.take_part(|learned| &mut learned.events)
    }

    fn causal(&self) -> Option<&CausalStore> {
        Some(&self.later.causal)
    }

    /// Numbers its entries after those of the other, or the log would name two entries by one identity.
    fn count_on_from(&mut self, other: &Self) {
        self.next_rule = self.next_rule.max(other.next_rule);
    }
}
