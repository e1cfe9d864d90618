//! What a memory says of a candidate: claims by their effective confidence, episodes by their likeness.

use super::pooling::{Pooled, pool};
use super::{Bardo, guard};
use crate::dream::{Entry, Status};
use crate::episode::{Context, Matter};
use crate::market::Strategy;
use crate::memory::{Advice, Candidate, DecisionContext, Pooling, Voice, VoiceSource};
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
        let claims = self.claims_about(candidate.strategy, &moment.context, moment.tick);
        self.advise_by(claims, moment, candidate, recalled)
    }

    /// The same, where the claims about the strategy are at hand.
    pub(super) fn advise_by(
        &self,
        claims: Vec<Voice>,
        moment: &DecisionContext<'_>,
        candidate: &Candidate,
        recalled: impl IntoIterator<Item = Voice>,
    ) -> Advice {
        let mut voices = claims;
        voices.extend(recalled);
        voices.extend(guard::warning(&self.grimoire, candidate, moment, &self.config.guard));
        let advice = self.balance(candidate, &mut voices);
        let why = Advice::loudest(voices.iter().copied());
        Advice { why, ..advice }.having_heard(voices)
    }

    /// Everything concluded that speaks of a strategy in some circumstances, in the order of the store: rules, claims under test and those
    /// that have passed, active insights, what proved wrong.
    pub(super) fn claims_about(&self, strategy: Strategy, context: &Context, now: Tick) -> Vec<Voice> {
        let entries = self.beliefs.active().iter();
        let about = entries.filter(|entry| entry.claim.applies(strategy, context));
        about.filter_map(|entry| self.voice(entry, now)).collect()
    }

    /// An entry's voice, as loud as the outcomes behind it make it, times its effective confidence. What proved wrong speaks of what it came to instead of
    /// what it claimed; candidates and what isn't active are silent.
    pub(super) fn voice(&self, entry: &Entry, now: Tick) -> Option<Voice> {
        let (claimed, config) = (entry.claim.expected_r, &self.config);
        let behind = f64::from(entry.outcomes_behind()).min(config.evidence_cap);
        let trust = config.ageing.effective(&entry.standing, &entry.nature(), entry.confidence, now);
        if !entry.claim.kind().is_about_worth() {
            return entry.in_force_since().map(|_| about_size(entry, trust, config.guard.size_factor));
        }
        let (source, weight, expected_r) = match entry.status() {
            Status::InForce(_) => (VoiceSource::Rule(entry.id), behind, claimed),
            Status::UnderTest(_) | Status::AwaitsAdmission(_) => {
                (VoiceSource::Hypothesis(entry.id), behind, claimed)
            }
            Status::Insight { active: true, .. } => (VoiceSource::Insight(entry.id), behind, claimed),
            Status::ProvedWrong { found_r } => {
                (VoiceSource::AntiKnowledge(entry.id), config.anti_weight, found_r)
            }
            Status::Insight { active: false, .. } | Status::Quarantined { .. } | Status::Archived { .. } => {
                return None;
            }
        };
        let specificity = Some(entry.claim.pattern.specificity() as u8);
        Some(Voice { specificity, ..Voice::new(source, entry.provenance, weight * trust, expected_r) })
    }

    /// What the prior and voices come to, pooled as the keys say; each voice notes how far it moved the expectation. A rule that expects too little,
    /// shrunk to the prior like a level of its own, forbids the trade.
    pub(super) fn balance(&self, candidate: &Candidate, voices: &mut [Voice]) -> Advice {
        let config = &self.config;
        let prior = (candidate.prior_r, config.prior_weight);
        let kappa = self.kappa();
        let worth = |rule: &Voice| match config.pooling {
            Pooling::Once => pool(prior, kappa, [&mut { *rule }]).expected_r,
            Pooling::Sum => rule.expected_r,
        };
        let is_rule = |voice: &&Voice| matches!(voice.source, VoiceSource::Rule(_));
        let veto = voices.iter().filter(is_rule).any(|rule| worth(rule) <= config.veto_below_r);
        let advice = match config.pooling {
            Pooling::Once => {
                let Pooled { expected_r, prior_share } = pool(prior, kappa, voices.iter_mut());
                Advice::expecting(candidate, expected_r, 1.0 - prior_share, voices.iter())
            }
            Pooling::Sum => {
                let advice = Advice::balanced(candidate, config.prior_weight, voices.iter());
                let is_about_worth = |voice: &Voice| !voice.source.is_about_size();
                let heard = voices.iter().filter(|voice| is_about_worth(voice));
                // Each moves the mean by its share of all weight, that of the prior included.
                let total = config.prior_weight + heard.map(|voice| voice.weight).sum::<f64>();
                for voice in voices.iter_mut().filter(|voice| is_about_worth(voice) && total > 0.0) {
                    voice.note_moved(voice.weight / total * (voice.expected_r - candidate.prior_r));
                }
                advice
            }
        };
        Advice { veto, ..advice }
    }

    /// κ of the pooling, outcomes.
    pub(super) fn kappa(&self) -> f64 {
        match self.config.shrinkage_outcomes {
            0.0 => self.kappa,
            fixed => fixed,
        }
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
    Voice::new(source, entry.provenance, weight, 0.0)
}
