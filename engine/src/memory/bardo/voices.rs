//! What a memory says of a candidate: claims by their effective confidence, episodes by their likeness.

use super::{Bardo, recall};
use crate::base::Tick;
use crate::episode::{Claim, EntryNature, Provenance, Standing};
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource};

/// A claim of any kind, as far as it speaks.
struct Speaker<'a> {
    source: VoiceSource,
    claim: &'a Claim,
    expected_r: f64,
    confidence: f64,
    standing: &'a Standing,
    nature: EntryNature,
    provenance: Provenance,
    weight: f64,
}

impl Bardo {
    /// The prior, the rules, insights and hypotheses that apply, what is known to be wrong, and the episodes of the same strategy,
    /// each weighted by how many episodes it counts as.
    pub(in crate::memory) fn advise(
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

    /// The same of one candidate, with other voices in the place of its own recall.
    pub(in crate::memory) fn advise_hearing(
        &self,
        moment: &DecisionContext<'_>,
        candidate: &Candidate,
        others: Vec<Voice>,
    ) -> Advice {
        let mut voices = self.claims_about(candidate, moment);
        voices.extend(others);
        self.weigh(candidate, voices)
    }

    fn claims_about(&self, candidate: &Candidate, moment: &DecisionContext<'_>) -> Vec<Voice> {
        let applies = |speaker: &Speaker<'_>| speaker.claim.applies(candidate.strategy, &moment.context);
        self.speakers().filter(applies).map(|speaker| self.voice(&speaker, moment.tick)).collect()
    }

    /// Everything that could speak, in a fixed order. Candidates among the insights are silent.
    fn speakers(&self) -> impl Iterator<Item = Speaker<'_>> {
        let rules = self.playbook.rules().iter().map(|rule| Speaker {
            source: VoiceSource::Rule(rule.id),
            claim: &rule.claim,
            expected_r: rule.claim.expected_r,
            confidence: rule.confidence,
            standing: &rule.standing,
            nature: rule.nature(),
            provenance: rule.provenance,
            weight: self.config.rule_weight,
        });
        let hypotheses =
            self.later.staging.claims().iter().chain(&self.later.validated).map(|staged| Speaker {
                source: VoiceSource::Hypothesis(staged.id),
                claim: &staged.claim,
                expected_r: staged.claim.expected_r,
                confidence: staged.confidence,
                standing: &staged.standing,
                nature: staged.nature(),
                provenance: staged.provenance,
                weight: self.config.hypothesis_weight,
            });
        let insights = self.insights.iter().filter(|insight| insight.active).map(|insight| Speaker {
            source: VoiceSource::Insight(insight.id),
            claim: &insight.claim,
            expected_r: insight.claim.expected_r,
            confidence: insight.confidence,
            standing: &insight.standing,
            nature: insight.nature(),
            provenance: insight.provenance,
            weight: self.config.insight_weight,
        });
        let anti = self.later.anti.iter().map(|anti| Speaker {
            source: VoiceSource::AntiKnowledge(anti.id),
            claim: &anti.claim,
            expected_r: anti.found_r,
            confidence: anti.confidence,
            standing: &anti.standing,
            nature: anti.nature(),
            provenance: anti.provenance,
            weight: self.config.anti_weight,
        });
        rules.chain(hypotheses).chain(insights).chain(anti)
    }

    fn voice(&self, speaker: &Speaker<'_>, now: Tick) -> Voice {
        let Speaker { standing, nature, confidence, .. } = speaker;
        Voice {
            source: speaker.source,
            provenance: speaker.provenance,
            weight: speaker.weight * self.config.ageing.effective(standing, nature, *confidence, now),
            expected_r: speaker.expected_r,
        }
    }

    /// What its advice would have been had one item been silent; whom it names is left out.
    pub(in crate::memory) fn unheard(
        &self,
        candidate: &Candidate,
        advice: &Advice,
        silent: VoiceSource,
    ) -> Advice {
        self.balance(candidate, advice.others(silent))
    }

    fn weigh(&self, candidate: &Candidate, voices: Vec<Voice>) -> Advice {
        let why = Advice::loudest(voices.iter().copied());
        Advice { why, ..self.balance(candidate, voices.iter()) }.having_heard(voices)
    }

    /// What voices come to.
    fn balance<'a>(&self, candidate: &Candidate, voices: impl Iterator<Item = &'a Voice> + Clone) -> Advice {
        let veto = voices.clone().any(|voice| {
            matches!(voice.source, VoiceSource::Rule(_)) && voice.expected_r <= self.config.veto_below_r
        });
        Advice { veto, ..Advice::balanced(candidate, self.config.prior_weight, voices) }
    }
}
