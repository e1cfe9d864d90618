//! What living does to what is known: a trade is remembered, and held against everything that speaks of it.

use super::archive::{EntryMove, Way};
use super::{Bardo, MAX_UNCURATED};
use crate::base::{RuleId, Tick};
use crate::curator::Insight;
use crate::dream::integration;
use crate::episode::{
    AntiKnowledge, Episode, EpisodeKind, LeavingReason, Provenance, Reinforcement, StagingVerdict, Standing,
};
use crate::llm::EpisodeBrief;
use crate::memory::{Voice, VoiceSource};

impl Bardo {
    /// Takes in an experience. What was heard before the decision is refreshed, and remembered better if the trade paid.
    pub(in crate::memory) fn observe(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        self.account.store(VoiceSource::Episode(episode.id), false);
        self.grimoire.insert(episode.clone(), now);
        self.unreplayed = self.unreplayed.saturating_add(1);
        if episode.kind != EpisodeKind::Trade {
            return;
        }
        self.hand_to_curator(episode);
        self.account.call_on_all(why);
        self.note_voices(episode, why, now);
        self.weigh_evidence(episode);
        self.validate(episode, now);
        let margin = self.consolidation.staging.confirm_margin_r;
        self.later
            .inheritance
            .iter_mut()
            .for_each(|inherited| inherited.hear_of_life(episode, why, margin, now));
    }

    fn hand_to_curator(&mut self, episode: &Episode) {
        if self.uncurated.len() == MAX_UNCURATED {
            self.uncurated.remove(0);
        }
        let brief = EpisodeBrief::from(episode);
        self.later.contrasts.entry(episode.strategy).or_default().push(brief.clone());
        self.uncurated.push(brief);
    }

    /// +1 strength for what spoke for a trade that paid (replay spec, "strength increment comparison"); to have been heard does no
    /// more than refresh.
    fn note_voices(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        const LIVE_SUCCESS: f32 = 1.0;
        for voice in why {
            let helped = episode.realised_r > 0.0 && voice.expected_r > 0.0;
            let touch = |standing: &mut Standing| {
                standing.access(now);
                if helped {
                    standing.reinforce(Reinforcement::LiveSuccess, now);
                }
            };
            match voice.source {
                VoiceSource::Episode(id) => {
                    if helped {
                        self.grimoire.reinforce(id, now, LIVE_SUCCESS);
                    }
                }
                VoiceSource::Rule(id) => integration::note_use(&mut self.playbook, id, now, helped),
                VoiceSource::Hypothesis(id) => {
                    let learned = &mut *self.later;
                    let waiting = learned.staging.claims_mut().chain(&mut learned.validated);
                    waiting.filter(|staged| staged.id == id).for_each(|staged| touch(&mut staged.standing));
                }
                VoiceSource::Insight(id) => {
                    let insight = self.insights.iter_mut().find(|insight| insight.id == id);
                    insight.into_iter().for_each(|insight| touch(&mut insight.standing));
                }
                VoiceSource::AntiKnowledge(id) => {
                    let anti = self.later.anti.iter_mut().find(|anti| anti.id == id);
                    anti.into_iter().for_each(|anti| touch(&mut anti.standing));
                }
                VoiceSource::Node(_)
                | VoiceSource::Note(_)
                | VoiceSource::Plan(_)
                | VoiceSource::Prior
                | VoiceSource::Gut
                | VoiceSource::Truth(_) => {}
            }
        }
    }

    /// Counts the outcome as evidence on every claim that speaks of it.
    fn weigh_evidence(&mut self, episode: &Episode) {
        let staged = self.later.staging.claims().iter().map(|staged| (staged.id, &staged.claim));
        let rules = self.playbook.rules().iter().map(|rule| (rule.id, &rule.claim));
        let anti = self.later.anti.iter().map(|anti| (anti.id, &anti.claim));
        let tested = staged.chain(rules).chain(anti);
        for (id, _) in tested.filter(|(_, claim)| claim.applies(episode.strategy, &episode.context)) {
            self.account.weigh(VoiceSource::Rule(id));
        }
    }

    fn validate(&mut self, episode: &Episode, now: Tick) {
        let config = &self.consolidation.staging.clone();
        let (strategy, context, r) = (episode.strategy, &episode.context, episode.realised_r);
        let margin = config.confirm_margin_r;
        self.validate_anti(episode, margin, now);
        for (mut staged, verdict) in self.later.staging.validate(strategy, context, r, now, config) {
            match verdict {
                StagingVerdict::Promoted => {
                    // Life has borne out what a dream said.
                    staged.standing.dream_validated |= staged.dream.is_some();
                    if let Provenance::Clade(giver) = staged.provenance {
                        self.later.borne_out.push((giver, staged.claim));
                    }
                    self.later.validated.push(staged.clone());
                }
                StagingVerdict::Refuted => self.learn_better(AntiKnowledge::of(&staged, now), now),
                StagingVerdict::Expired | StagingVerdict::Displaced => {}
            }
            self.tell_its_dream(&staged, verdict);
            self.later.verdicts.push((staged, verdict));
        }
        self.later.threats.values_mut().for_each(|record| record.hear_of_life(episode, now));
        let mut borne_out = Vec::new();
        for rule in self.playbook.about(strategy, *context) {
            let tally = self.tallies.entry(rule.id).or_default();
            if rule.claim.is_confirmed_by(r, margin) {
                tally.confirmed += 1;
                borne_out.push(rule.id);
            } else {
                tally.contradicted += 1;
            }
            tally.total_r += r;
        }
        borne_out.into_iter().for_each(|id| integration::note_validation(&mut self.playbook, id, now));
        let back = self.archive.hear_of_life(strategy, context, (r, margin), self.config.restore_after);
        back.into_iter().for_each(|entry| self.restore(entry, now));
    }

    /// What is known to be wrong is held against life like everything else, in reverse, and moves by the steps of staging.
    fn validate_anti(&mut self, episode: &Episode, margin_r: f64, now: Tick) {
        let staging = &self.consolidation.staging;
        for anti in &mut self.later.anti {
            if !anti.claim.applies(episode.strategy, &episode.context) {
                continue;
            }
            if anti.claim.is_confirmed_by(episode.realised_r, margin_r) {
                anti.contradicted += 1;
                anti.confidence = (anti.confidence - staging.confirm_step).max(0.0);
            } else {
                anti.confirmed += 1;
                anti.confidence = (anti.confidence + staging.contradict_step).min(1.0);
                anti.standing.validate(now);
            }
        }
    }

    /// Remembers that a claim proved wrong; a later proof on the same subject replaces an earlier one, and insights that say what
    /// was refuted go.
    pub(super) fn learn_better(&mut self, anti: AntiKnowledge, now: Tick) {
        let denied =
            self.insights.iter().filter(|insight| anti.denies(&insight.claim)).map(|insight| insight.id);
        for id in denied.collect::<Vec<RuleId>>() {
            self.archive_insight(id, LeavingReason::Contradicted, now);
        }
        self.later.anti.retain(|known| !known.claim.same_subject(&anti.claim));
        self.later.proofs.push((anti.id, anti.claim, anti.found_r, anti.confidence));
        self.later.anti.push(anti);
    }

    /// An archived entry that life has borne out again is a candidate once more, unless its subject has been taken up anew.
    fn restore(&mut self, entry: Insight, now: Tick) {
        if self.insights.iter().any(|insight| insight.claim.same_subject(&entry.claim)) {
            return;
        }
        let confidence = entry.confidence.max(self.config.restore_confidence);
        let standing = Standing { strength: entry.standing.strength, ..Standing::new(now) };
        let back = Insight { confidence, active: false, standing, ..entry };
        self.later.moves.push(EntryMove {
            id: back.id,
            kind: back.kind,
            claim: back.claim,
            confidence,
            way: Way::Restored,
        });
        self.insights.push(back);
    }
}
