//! Voices about a candidate: claims, weighted by the outcomes behind them (40 at most by default) and by what age leaves of their
//! confidence, and episodes, weighted by their likeness (weighted voting, mixture of experts).
//!
//! Expectations are in R, weights in numbers of outcomes. Stakes and warnings scale the size alone. Only a rule in force can veto, by an
//! expectation of −.3 R or less. A voice is named by its source, so that every decision can be attributed to what caused it.

use super::pooling::{Pooled, pool};
use super::{Bardo, guard};
use crate::dream::{BeliefEntry, Status};
use crate::episode::{Context, Matter};
use crate::market::Strategy;
use crate::memory::{Advice, Candidate, DecisionContext, Pooling, Voice, VoiceSource};
use morta_base::Tick;

/// Imagined episodes the prior of a decision counts as. Our choice: a strategy's first three outcomes count as much as not knowing. All memories with a
/// prior have the same 3, so that they differ in what they remember alone. No consequence was found of half and twice as many, nor of a veto at −.15 to
/// −.6 R (`scenarios/sensitivity/knobs.toml`).
pub(super) const PRIOR_EPISODES: f64 = 3.0;
/// Expected R at or below which a trusted rule forbids a trade. Our choice: about a third of a stop; a rule says so only after the shrinkage to the
/// prior, so a single bad outcome doesn't veto.
const VETO_BELOW_R: f64 = -0.3;
/// Episodes that what proved wrong counts as at full confidence. Our choice: above the 3 of the prior, so that what proved
/// wrong for sure says more than not knowing does.
const ANTI_WEIGHT: f64 = 4.0;

impl Bardo {
    /// Advice from the prior, the rules, insights and hypotheses that apply to a candidate, disproved claims, recalled voices,
    /// each weighted by the number of episodes that it counts as, and the warning of a scar.
    pub(in crate::memory) fn advise_with(
        &self,
        moment: &DecisionContext<'_>,
        candidate: &Candidate,
        recalled: impl IntoIterator<Item = Voice>,
    ) -> Advice {
        let claims = self.claims_about(candidate.strategy, &moment.context, moment.tick);
        self.advise_by(claims, moment, candidate, recalled)
    }

    /// The same, with the claims about the strategy already gathered.
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
        Advice { why, ..advice }.with_voices(voices)
    }

    /// Voices of every entry that applies to a strategy in some circumstances, in the order of the store: rules, claims under
    /// test and those that have passed, active insights, disproved claims.
    pub(super) fn claims_about(&self, strategy: Strategy, context: &Context, now: Tick) -> Vec<Voice> {
        let entries = self.beliefs.active().iter();
        let about = entries.filter(|entry| entry.claim.applies(strategy, context));
        about.filter_map(|entry| self.voice(entry, now)).collect()
    }

    /// The voice of an entry. Its weight is the number of outcomes behind it, capped, times its effective confidence. A disproved
    /// claim speaks with the result that was found and not with the one that it claimed. Candidates and inactive entries have no
    /// voice.
    pub(super) fn voice(&self, entry: &BeliefEntry, now: Tick) -> Option<Voice> {
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
            Status::ProvedWrong { found_r } => (VoiceSource::AntiKnowledge(entry.id), ANTI_WEIGHT, found_r),
            Status::Insight { active: false, .. } | Status::Quarantined { .. } | Status::Archived { .. } => {
                return None;
            }
        };
        let specificity = Some(entry.claim.pattern.specificity() as u8);
        Some(Voice { specificity, ..Voice::new(source, entry.provenance, weight * trust, expected_r) })
    }

    /// Pools the prior and the voices by the configured rule, and notes in each voice how far it moved the expectation. A rule
    /// whose expectation, shrunk to the prior like a level of its own, falls to the veto level forbids the trade: without the
    /// shrinkage a rule of one bad outcome would.
    pub(super) fn balance(&self, candidate: &Candidate, voices: &mut [Voice]) -> Advice {
        let config = &self.config;
        let prior = (candidate.prior_r, PRIOR_EPISODES);
        let kappa = self.kappa();
        let worth = |rule: &Voice| match config.pooling {
            Pooling::Once => pool(prior, kappa, [&mut { *rule }]).expected_r,
            Pooling::Sum => rule.expected_r,
        };
        let is_rule = |voice: &&Voice| matches!(voice.source, VoiceSource::Rule(_));
        let veto = voices.iter().filter(is_rule).any(|rule| worth(rule) <= VETO_BELOW_R);
        let advice = match config.pooling {
            Pooling::Once => {
                let Pooled { expected_r, prior_share } = pool(prior, kappa, voices.iter_mut());
                Advice::expecting(candidate, expected_r, 1.0 - prior_share, voices.iter())
            }
            Pooling::Sum => {
                let advice = Advice::balanced(candidate, PRIOR_EPISODES, voices.iter());
                let is_about_worth = |voice: &Voice| !voice.source.is_about_size();
                let about_worth = voices.iter().filter(|voice| is_about_worth(voice));
                // By weights, each voice moves the mean by its share of all weight, that of the prior included.
                let total = PRIOR_EPISODES + about_worth.map(|voice| voice.weight).sum::<f64>();
                for voice in voices.iter_mut().filter(|voice| is_about_worth(voice) && total > 0.0) {
                    voice.note_moved(voice.weight / total * (voice.expected_r - candidate.prior_r));
                }
                advice
            }
        };
        Advice { veto, ..advice }
    }

    /// κ of the pooling, the prior strength (pseudo-count), in outcomes.
    pub(super) fn kappa(&self) -> f64 {
        match self.config.shrinkage_outcomes {
            0.0 => self.kappa,
            fixed => fixed,
        }
    }
}

/// The voice of a rule about the size of a position. It acts only when it is in force, by its confidence. It needs no voice while
/// it is tested, because a trade's R is the same at every size, so life can test it without obeying it.
fn about_size(entry: &BeliefEntry, trust: f64, guard_factor: f64) -> Voice {
    let (source, weight) = match entry.claim.matter {
        Matter::Stake(stake) => (VoiceSource::Stake(entry.id), 1.0 + trust * (stake.multiple() - 1.0)),
        Matter::Guard => (VoiceSource::Warning(entry.id), trust * (1.0 - guard_factor)),
        Matter::Worth => unreachable!("what a trade is worth is no matter of its size"),
    };
    Voice::new(source, entry.provenance, weight, 0.0)
}
