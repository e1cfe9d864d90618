//! Waking life: a trade is remembered, and held against the entries that apply to it, insights aside, which the Curator tests (online
//! validation, belief updating).
//!
//! Results are in R, confidence runs from 0 to 1. Claims under test, disproofs and archived entries move at once. Claim and confidence of
//! rules aren't changed here: outcomes are tallied for the next dream, which revises them. Only strength and times of use move at once.

use super::{Bardo, MAX_UNCURATED};
use crate::dream::integration::beliefs::{Disproof, TradeOutcome};
use crate::dream::{Belief, integration};
use crate::episode::{Episode, LeavingReason, Provenance, StagingVerdict};
use crate::llm::EpisodeBrief;
use crate::memory::{EntryMove, MemoryEvent, ProvedWrong, Voice, VoiceSource, Way};
use morta_base::{RuleId, Tick};

impl Bardo {
    /// Queues a trade for the Curator (at most 200; the oldest is dropped), and for the contrast of its strategy.
    pub(super) fn hand_to_curator(&mut self, episode: &Episode) {
        if self.uncurated.len() == MAX_UNCURATED {
            self.uncurated.remove(0);
        }
        let brief = EpisodeBrief::from(episode);
        self.later.contrasts.entry(episode.strategy).or_default().push(brief.clone());
        self.uncurated.push(brief);
    }

    /// An entry that spoke for a trade that paid gains 1 of strength (replay spec, "strength increment comparison": live
    /// retrieval and confirmation). Retrieval alone only refreshes it.
    pub(super) fn note_voices(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        const LIVE_SUCCESS: f32 = 1.0;
        for voice in why {
            let helped = episode.realised_r > 0.0 && voice.expected_r > 0.0;
            let touch = |heard: &mut Belief| heard.standing.speak(now, helped);
            match voice.source {
                VoiceSource::Episode(id) => {
                    if helped {
                        self.grimoire.reinforce(id, now, LIVE_SUCCESS);
                    }
                }
                // Each is looked for under the status that it spoke with: one that has changed its status since isn't touched.
                VoiceSource::Rule(id) | VoiceSource::Stake(id) | VoiceSource::Warning(id) => {
                    integration::note(&mut self.beliefs, id, |standing| standing.speak(now, helped));
                }
                VoiceSource::Hypothesis(id) => {
                    self.beliefs.claims_mut().filter(|staged| staged.id == id).for_each(touch);
                }
                VoiceSource::Insight(id) => self.beliefs.insight_mut(id).into_iter().for_each(touch),
                VoiceSource::AntiKnowledge(id) => {
                    self.beliefs.proved_wrong_mut().filter(|wrong| wrong.id == id).for_each(touch);
                }
                VoiceSource::Node(_)
                | VoiceSource::Note(_)
                | VoiceSource::Plan(_)
                | VoiceSource::Gut
                | VoiceSource::Guard(_)
                | VoiceSource::Truth(_) => {}
            }
        }
    }

    /// Counts the outcome in the account as evidence on each claim under test, rule and disproof that applies.
    fn weigh_evidence(&mut self, outcome: TradeOutcome<'_>) {
        let beliefs = &self.beliefs;
        let tested = beliefs.under_test().iter().chain(beliefs.rules()).chain(beliefs.proved_wrong());
        for entry in tested.filter(|entry| entry.claim.applies(outcome.strategy, outcome.context)) {
            self.account.weigh(VoiceSource::Rule(entry.id));
        }
    }

    /// Holds an outcome against every entry that applies: claims under test, rules, disproved claims, archived entries.
    pub(super) fn validate(&mut self, outcome: TradeOutcome<'_>, now: Tick) {
        self.weigh_evidence(outcome);
        let config = &self.consolidation.staging.clone();
        let by_size = self.beliefs.sequential_test(config).is_some();
        // Disproved claims come first, so that a refutation that this very trade completes isn't confirmed by it once more.
        self.validate_wrong(outcome, now);
        for (staged, verdict) in self.beliefs.test(outcome, now, config) {
            match verdict {
                StagingVerdict::Promoted => {
                    if let Provenance::Clade(giver) = staged.provenance {
                        let borne_out = MemoryEvent::BorneOut { giver, claim: staged.claim };
                        self.later.events.push(borne_out);
                    }
                }
                StagingVerdict::Refuted => {
                    let found_r = staged.tested_mean_r().unwrap_or(0.0);
                    let belief = Belief::clone(&staged);
                    self.learn_better(Disproof::new(belief, found_r, by_size, now), now);
                }
                StagingVerdict::Expired | StagingVerdict::Displaced => {}
            }
            self.credit_its_dream(&staged, verdict);
            let staged = Box::new(staged);
            self.later.events.push(MemoryEvent::ClaimDecided { staged, verdict });
        }
        self.tally_rules(outcome, now);
        let back = self.beliefs.test_archived(outcome, config);
        for entry in back {
            if let Some(back) = self.beliefs.restore(entry, now) {
                self.later.events.push(MemoryEvent::EntryMoved(EntryMove::from_entry(back, Way::Restored)));
            }
        }
    }

    /// Counts an outcome for the next dream, which revises rules by it. Rules don't change awake, because only integration may
    /// change one.
    fn tally_rules(&mut self, outcome: TradeOutcome<'_>, now: Tick) {
        let staging = &self.consolidation.staging;
        let mut borne_out = Vec::new();
        for rule in self.beliefs.rules_about(outcome.strategy, *outcome.context) {
            let tally = self.tallies.entry(rule.id).or_default();
            let verdict = staging.hearing(&rule.claim, outcome.realised_r);
            if verdict.confirms {
                tally.evidence.confirmed += 1;
                borne_out.push(rule.id);
            } else {
                tally.evidence.contradicted += 1;
            }
            tally.total_r += verdict.came_to_r;
        }
        for id in borne_out {
            integration::note(&mut self.beliefs, id, |standing| standing.validate(now));
        }
    }

    /// Holds disproved claims against an outcome, in reverse: an outcome that confirms the claim lowers confidence in its being
    /// wrong, by the same steps or likelihoods as under test.
    fn validate_wrong(&mut self, outcome: TradeOutcome<'_>, now: Tick) {
        let staging = &self.consolidation.staging;
        let test = self.beliefs.sequential_test(staging);
        for wrong in self.beliefs.proved_wrong_mut() {
            if !wrong.claim.applies(outcome.strategy, outcome.context) {
                continue;
            }
            let verdict = staging.hearing(&wrong.claim, outcome.realised_r);
            let steps = if verdict.confirms {
                wrong.evidence.contradicted += 1;
                (wrong.confidence - staging.confirm_step).max(0.0)
            } else {
                wrong.evidence.confirmed += 1;
                wrong.standing.validate(now);
                (wrong.confidence + staging.contradict_step).min(1.0)
            };
            // Evidence for the claim is evidence against its being wrong.
            wrong.confidence = test.map_or(steps, |test| {
                let for_claim = test.evidence(wrong.claim.expected_r, verdict.came_to_r, 1);
                test.moved(wrong.confidence, -for_claim)
            });
        }
    }

    /// Stores a disproof; a later one on the same subject replaces an earlier one, and insights that say the refuted claim are
    /// archived.
    pub(super) fn learn_better(&mut self, disproof: Disproof, now: Tick) {
        let Disproof { belief, found_r } = &disproof;
        let denied = self.beliefs.insights().iter().filter(|insight| belief.claim.restates(&insight.claim));
        for id in denied.map(|insight| insight.id).collect::<Vec<RuleId>>() {
            self.archive_insight(id, LeavingReason::Contradicted, now);
        }
        let proved = ProvedWrong {
            id: belief.id,
            claim: belief.claim,
            found_r: *found_r,
            confidence: belief.confidence,
        };
        self.later.events.push(MemoryEvent::ProvedWrong(proved));
        self.beliefs.prove_wrong(disproof);
    }
}
