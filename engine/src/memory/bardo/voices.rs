//! What a memory says of a candidate: claims by their effective confidence, episodes by their likeness.

use super::{Bardo, guard};
use crate::dream::{Entry, Status};
use crate::episode::Matter;
use crate::memory::{Advice, Candidate, DecisionContext, Voice, VoiceSource, WeighBy};
use morta_base::Tick;

impl Bardo {
    /// The prior, the rules, insights and hypotheses that apply to a candidate, what is known to be wrong, and recalled voices, each
    /// weighted by how many episodes it counts as; and the scar that warns.
    pub(in crate::memory) fn advise_hearing(
        &self,
        moment: &DecisionContext<'_>,
        candidate: &Candidate,
        recalled: impl IntoIterator<Item = Voice>,
    ) -> Advice {
        let mut voices = self.claims_about(candidate, moment);
        voices.extend(recalled);
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
        let trust = config.ageing.effective(&entry.standing, &entry.nature(), entry.confidence, now);
        if !entry.claim.kind().is_about_worth() {
            return entry.in_force_since().map(|_| about_size(entry, trust, config.guard.size_factor));
        }
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
        Some(Voice { source, provenance: entry.provenance, weight: weight * trust, expected_r })
    }

    fn weigh(&self, candidate: &Candidate, voices: Vec<Voice>) -> Advice {
        let why = Advice::loudest(voices.iter().copied());
        Advice { why, ..self.balance(candidate, voices.iter()) }.having_heard(voices)
    }

    /// What voices come to.
    pub(super) fn balance<'a>(
        &self,
        candidate: &Candidate,
        voices: impl Iterator<Item = &'a Voice> + Clone,
    ) -> Advice {
        let veto = voices.clone().any(|voice| {
            matches!(voice.source, VoiceSource::Rule(_)) && voice.expected_r <= self.config.veto_below_r
        });
        Advice { veto, ..Advice::balanced(candidate, self.config.prior_weight, voices) }
    }
}

/// The voice of a rule about the size of a position. It acts once it is in force, as far as it is trusted; its test needs no say, since how a
/// trade goes in R is the same at every size.
fn about_size(entry: &Entry, trust: f64, guard_factor: f64) -> Voice {
    let (source, weight) = match entry.claim.matter {
        Matter::Stake(stake) => (VoiceSource::Stake(entry.id), 1.0 + trust * (stake.multiple() - 1.0)),
        Matter::Guard => (VoiceSource::Warning(entry.id), trust * (1.0 - guard_factor)),
        Matter::Worth => unreachable!("what a trade is worth is no matter of its size"),
    };
    Voice { source, provenance: entry.provenance, weight, expected_r: 0.0 }
}
