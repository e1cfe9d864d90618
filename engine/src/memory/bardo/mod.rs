//! `bardo`: a Grimoire of episodes, waking recall, insights, a staging buffer and a playbook that dreams write.
//!
//! Learning has three speeds. Episodes speak at once, through recall. What the Curator and dreams conclude from
//! them speaks faintly while it is tested, and loudly once it is a rule.

mod clade;
mod inherit;
mod recall;
mod sleep;
mod testament;

pub use sleep::DreamValidation;

use crate::base::{EpisodeId, GolemId, RuleId, Tick};
use crate::curator::{CuratorReport, CuratorRequest, Insight};
use crate::dream::config::ConsolidationConfig;
use crate::dream::integration::Tally;
use crate::dream::{DreamJournalEntry, Playbook, Rule};
use crate::episode::{
    Claim, Episode, EpisodeKind, FindingKind, Grimoire, Provenance, StagedClaim, StagingBuffer,
    StagingVerdict, ThreatKind, ThreatRecord,
};
use crate::llm::EpisodeBrief;
use crate::memory::{Advice, BardoConfig, Candidate, DecisionContext, Inheritance, Voice, VoiceSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A rule or hypothesis whose fate was decided while awake.
pub type Verdict = (StagedClaim, StagingVerdict);

/// The `bardo` memory of one golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bardo {
    config: BardoConfig,
    consolidation: ConsolidationConfig,
    golem: GolemId,
    grimoire: Grimoire,
    insights: Vec<Insight>,
    staging: StagingBuffer,
    validated: Vec<StagedClaim>,
    playbook: Playbook,
    tallies: BTreeMap<RuleId, Tally>,
    next_rule: u32,
    uncurated: Vec<EpisodeBrief>,
    unreplayed: u32,
    inheritance: Vec<Inheritance>,
    draft: Vec<DraftLesson>,
    verdicts: Vec<Verdict>,
    threats: BTreeMap<ThreatKind, ThreatRecord>,
    journal: Vec<DreamJournalEntry>,
    residue: Option<Claim>,
    validations: Vec<DreamValidation>,
    /// What siblings told and life has borne out.
    borne_out: Vec<(GolemId, Claim)>,
}

/// A finding that could not be tested any more, for the testament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct DraftLesson {
    claim: Claim,
    confidence: f64,
    kind: FindingKind,
    learned_from: Vec<EpisodeId>,
}

/// Most trades that wait for the Curator; the oldest go unread.
const MAX_UNCURATED: usize = 200;

impl Bardo {
    /// An empty memory for embeddings of the given length.
    pub fn new(
        golem: GolemId,
        config: BardoConfig,
        consolidation: ConsolidationConfig,
        dimensions: u32,
    ) -> Self {
        Self {
            grimoire: Grimoire::new(config.grimoire.clone(), dimensions),
            config,
            consolidation,
            golem,
            insights: Vec::new(),
            staging: StagingBuffer::default(),
            validated: Vec::new(),
            playbook: Playbook::default(),
            tallies: BTreeMap::new(),
            next_rule: 0,
            uncurated: Vec::new(),
            unreplayed: 0,
            inheritance: Vec::new(),
            draft: Vec::new(),
            verdicts: Vec::new(),
            threats: BTreeMap::new(),
            journal: Vec::new(),
            residue: None,
            validations: Vec::new(),
            borne_out: Vec::new(),
        }
    }

    /// The episodes.
    pub fn grimoire(&self) -> &Grimoire {
        &self.grimoire
    }

    /// What the Curator concluded.
    pub fn insights(&self) -> &[Insight] {
        &self.insights
    }

    /// The rules in force.
    pub fn playbook(&self) -> &Playbook {
        &self.playbook
    }

    /// Threats met or rehearsed.
    pub fn threats(&self) -> impl Iterator<Item = &ThreatRecord> {
        self.threats.values()
    }

    /// Conclusions under test.
    pub fn staging(&self) -> &StagingBuffer {
        &self.staging
    }

    /// Episodes since the last dream.
    pub fn unreplayed(&self) -> u32 {
        self.unreplayed
    }

    pub(super) fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }

    /// Fates decided since the last call.
    pub fn take_verdicts(&mut self) -> Vec<Verdict> {
        std::mem::take(&mut self.verdicts)
    }

    pub(super) fn observe(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        self.grimoire.insert(episode.clone(), now);
        self.unreplayed = self.unreplayed.saturating_add(1);
        if episode.kind != EpisodeKind::Trade {
            return;
        }
        if self.uncurated.len() == MAX_UNCURATED {
            self.uncurated.remove(0);
        }
        self.uncurated.push(EpisodeBrief::from(episode));
        self.reinforce_what_helped(episode, why, now);
        self.validate(episode, now);
        self.account_for_inheritance(episode, why);
    }

    /// Episodes that spoke for a trade that paid are remembered better: +1 strength (replay spec, "strength increment
    /// comparison").
    fn reinforce_what_helped(&mut self, episode: &Episode, why: &[Voice], now: Tick) {
        const LIVE_CONFIRMATION: f32 = 1.0;
        if episode.realised_r <= 0.0 {
            return;
        }
        for voice in why {
            if let VoiceSource::Episode(id) = voice.source
                && voice.expected_r > 0.0
                && let Some(slot) = self.grimoire.slot_of(id)
            {
                self.grimoire.reinforce(slot, now, LIVE_CONFIRMATION);
            }
        }
    }

    fn validate(&mut self, episode: &Episode, now: Tick) {
        let config = &self.consolidation.staging.clone();
        let (strategy, context, r) = (episode.strategy, &episode.context, episode.realised_r);
        for (staged, verdict) in self.staging.validate(strategy, context, r, now, config) {
            if verdict == StagingVerdict::Promoted {
                self.validated.push(staged.clone());
                if let Provenance::Clade(giver) = staged.provenance {
                    self.borne_out.push((giver, staged.claim));
                }
            }
            self.tell_its_dream(&staged, verdict);
            self.verdicts.push((staged, verdict));
        }
        self.threats.values_mut().for_each(|record| record.hear_of_life(episode, now));
        for rule in self.playbook.about(strategy, *context) {
            let tally = self.tallies.entry(rule.id).or_default();
            if rule.claim.is_confirmed_by(r, config.confirm_margin_r) {
                tally.confirmed += 1;
            } else {
                tally.contradicted += 1;
            }
            tally.total_r += r;
        }
    }

    fn account_for_inheritance(&mut self, episode: &Episode, why: &[Voice]) {
        for inherited in &mut self.inheritance {
            if why.iter().any(|voice| voice.bloodstain == Some(inherited.bloodstain)) {
                inherited.uses += 1;
                inherited.wins += u32::from(episode.realised_r > 0.0);
                inherited.total_r += episode.realised_r;
            }
        }
    }

    /// The prior, the rules and hypotheses that apply, and the episodes of the same strategy, each weighted by how many
    /// episodes it counts as.
    pub(super) fn advise(
        &self,
        moment: &DecisionContext<'_>,
        candidates: &[Candidate],
        advice: &mut Vec<Advice>,
    ) {
        let recalled = recall::recall(&self.grimoire, moment, &self.config.recall);
        advice.extend(candidates.iter().map(|candidate| {
            let mut voices = self.claims_about(candidate, moment);
            recalled[candidate.strategy.index()].speak(&self.grimoire, &self.config.recall, &mut voices);
            self.weigh(candidate, voices)
        }));
    }

    fn claims_about(&self, candidate: &Candidate, moment: &DecisionContext<'_>) -> Vec<Voice> {
        let rules = self.playbook.about(candidate.strategy, moment.context).map(|rule: &Rule| Voice {
            source: VoiceSource::Rule(rule.id),
            bloodstain: rule.provenance.bloodstain(),
            weight: self.config.rule_weight * rule.confidence,
            expected_r: rule.claim.expected_r,
        });
        let waiting = self.staging.claims().iter().chain(&self.validated);
        let hypotheses = waiting
            .filter(|staged| staged.claim.applies(candidate.strategy, &moment.context))
            .map(|staged| Voice {
                source: VoiceSource::Hypothesis(staged.id),
                bloodstain: staged.provenance.bloodstain(),
                weight: self.config.hypothesis_weight * staged.confidence,
                expected_r: staged.claim.expected_r,
            });
        rules.chain(hypotheses).collect()
    }

    fn weigh(&self, candidate: &Candidate, mut voices: Vec<Voice>) -> Advice {
        let prior = self.config.prior_weight;
        let heard: f64 = voices.iter().map(|voice| voice.weight).sum();
        let total = prior + heard;
        let sum = prior * candidate.prior_r + voices.iter().map(|v| v.weight * v.expected_r).sum::<f64>();
        let expected_r = if total > 0.0 { sum / total } else { candidate.prior_r };
        let veto = voices.iter().any(|voice| {
            matches!(voice.source, VoiceSource::Rule(_)) && voice.expected_r <= self.config.veto_below_r
        });
        voices.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        voices.truncate(Advice::MAX_VOICES);
        Advice {
            expected_r,
            confidence: if total > 0.0 { heard / total } else { 0.0 },
            size_multiplier: (0.75 + expected_r).clamp(0.5, 1.5),
            veto,
            why: voices,
        }
    }

    /// What the Curator should look at; empties the list.
    pub fn curator_request(&mut self) -> CuratorRequest {
        CuratorRequest { episodes: std::mem::take(&mut self.uncurated) }
    }

    /// Takes in the Curator's report: tags for the next dream, and insights, merged by subject.
    pub fn hear_curator(&mut self, report: CuratorReport) {
        for tag in &report.tags {
            if let Some(slot) = self.grimoire.slot_of(tag.episode) {
                self.grimoire.tag(slot, tag.priority);
            }
        }
        for new in report.insights {
            match self.insights.iter_mut().find(|known| known.claim.same_subject(&new.claim)) {
                Some(known) => merge(known, new),
                None => self.insights.push(new),
            }
        }
        while self.insights.len() > self.config.max_insights as usize {
            let trust = |index: &usize| self.insights[*index].confidence * self.insights[*index].strength;
            let least = (0..self.insights.len()).min_by(|a, b| trust(a).total_cmp(&trust(b)));
            self.insights.remove(least.expect("there are too many, so there is one"));
        }
    }
}

/// Two insights on one subject: the estimates are averaged by the episodes behind them, agreement raises the confidence by a
/// tenth of what is missing, disagreement lowers it by as much of what is there.
fn merge(known: &mut Insight, new: Insight) {
    let (a, b) = (known.learned_from.len() as f64, new.learned_from.len() as f64);
    let agrees = (known.claim.expected_r > 0.0) == (new.claim.expected_r > 0.0);
    known.claim.expected_r = (a * known.claim.expected_r + b * new.claim.expected_r) / (a + b);
    known.confidence += if agrees { 0.1 * (1.0 - known.confidence) } else { -0.1 * known.confidence };
    known.learned_from.extend(new.learned_from);
    let excess = known.learned_from.len().saturating_sub(MAX_SOURCES);
    known.learned_from.drain(..excess);
}

/// Most episodes an insight names; the newest are kept.
const MAX_SOURCES: usize = 20;
