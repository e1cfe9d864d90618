//! What a memory says of a candidate: claims by their effective confidence, episodes by their likeness.

use super::{Bardo, guard, recall};
use crate::base::Tick;
use crate::dream::{Entry, Status};
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource, WeighBy};

impl Bardo {
    /// The prior, the rules, insights and hypotheses that apply, what is known to be wrong, and the episodes of the same strategy,
    /// each weighted by how many episodes it counts as; and the scar that warns.
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
            voices.extend(guard::warning(&self.grimoire, candidate, moment, &self.config.guard));
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
        voices.extend(guard::warning(&self.grimoire, candidate, moment, &self.config.guard));
        self.weigh(candidate, voices)
    }

    /// Everything that speaks of a candidate, in the order of the store: rules, claims under test and those that have passed, active
    /// insights, what proved wrong.
    fn claims_about(&self, candidate: &Candidate, moment: &DecisionContext<'_>) -> Vec<Voice> {
        let entries = self.beliefs.active().iter();
        let about = entries.filter(|entry| entry.claim.applies(candidate.strategy, &moment.context));
        about.filter_map(|entry| self.voice(entry, moment.tick)).collect()
    }

    /// An entry's voice, as loud as its status or the outcomes behind it make it, times its effective confidence. What proved wrong speaks of what it came to instead of
    /// what it claimed; candidates and what isn't active are silent.
    pub(super) fn voice(&self, entry: &Entry, now: Tick) -> Option<Voice> {
        let (claimed, config) = (entry.claim.expected_r, &self.config);
        let weigh = |by_status: f64| match config.weigh_by {
            WeighBy::Status => by_status,
            WeighBy::Evidence => f64::from(entry.outcomes_behind()).min(config.evidence_cap),
        };
        let (source, weight, expected_r) = match entry.status() {
            Status::InForce(_) => (VoiceSource::Rule(entry.id), weigh(config.rule_weight), claimed),
            Status::UnderTest(_) | Status::AwaitsAdmission(_) => {
                (VoiceSource::Hypothesis(entry.id), weigh(config.hypothesis_weight), claimed)
            }
            Status::Insight { active: true, .. } => {
                (VoiceSource::Insight(entry.id), weigh(config.insight_weight), claimed)
            }
            Status::ProvedWrong { found_r } => {
                (VoiceSource::AntiKnowledge(entry.id), config.anti_weight, found_r)
            }
            Status::Insight { active: false, .. } | Status::Quarantined { .. } | Status::Archived { .. } => {
                return None;
            }
        };
        let trust = config.ageing.effective(&entry.standing, &entry.nature(), entry.confidence, now);
        Some(Voice { source, provenance: entry.provenance, weight: weight * trust, expected_r })
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
