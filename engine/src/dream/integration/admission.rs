//! The admission gate: what has passed its test awake is weighed once more before it may become a rule (A-MAC, digest
//! section 2).

use crate::dream::integration::beliefs::{Belief, Beliefs, Trial};
use crate::dream::integration::config::AdmissionConfig;
use crate::episode::{Claim, EntryKind, Evidence, FindingKind};
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};

/// The five factors, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdmissionScore {
    /// |expected R| over what counts as fully useful.
    pub utility: f64,
    /// (confirmed + 1)/(tests + 2), halved when the mean outcome of the tests points the other way.
    pub factual: f64,
    /// 1 − the greatest likeness to a rule on another subject.
    pub novelty: f64,
    /// 2^(−ticks since the last test / half-life).
    pub recency: f64,
    /// How far conclusions of this kind are trusted beforehand.
    pub type_prior: f64,
}

/// What there is to say for an entry at the gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdmissionCase {
    /// What it says.
    pub claim: Claim,
    /// Outcomes for it and against it.
    pub outcomes: Evidence,
    /// Mean outcome, in R, if there is one.
    pub mean_r: Option<f64>,
    /// When an outcome last spoke to it.
    pub last_tested: Tick,
    /// How far its kind is trusted beforehand.
    pub type_prior: f64,
}

/// What the gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// With the trust it has earned.
    Normal,
    /// With little trust.
    Cautious,
    /// Not at all.
    Rejected,
}

impl AdmissionScore {
    /// Weighs a claim that has passed its test against the rules in force.
    pub fn of(
        belief: &Belief,
        trial: &Trial,
        beliefs: &Beliefs,
        now: Tick,
        config: &AdmissionConfig,
    ) -> Self {
        let case = AdmissionCase {
            claim: belief.claim,
            outcomes: belief.evidence,
            mean_r: trial.mean_r(belief.evidence),
            last_tested: trial.last_tested,
            type_prior: type_prior(belief.finding),
        };
        Self::weigh(&case, beliefs.rules().iter().map(|rule| rule.claim), now, config)
    }

    /// Weighs any entry against others of its kind.
    pub fn weigh(
        case: &AdmissionCase,
        others: impl Iterator<Item = Claim>,
        now: Tick,
        config: &AdmissionConfig,
    ) -> Self {
        let claim = &case.claim;
        let support = case.outcomes.support();
        let denied = case.mean_r.is_some_and(|mean| (mean > 0.0) != (claim.expected_r > 0.0));
        let others = others.filter(|other| !other.same_subject(claim));
        let likeness = others.map(|other| other.similarity(claim)).fold(0.0, f64::max);
        let age = now.saturating_sub(case.last_tested) as f64;
        Self {
            utility: (claim.expected_r.abs() / config.useful_r).min(1.0),
            factual: if denied { 0.5 * support } else { support },
            novelty: 1.0 - likeness,
            recency: math::half_life_decay(age, config.freshness_half_life_ticks),
            type_prior: case.type_prior,
        }
    }

    /// The digest's weights: .25 utility + .25 factual + .20 novelty + .15 recency + .15 prior.
    pub fn total(&self) -> f64 {
        0.25 * self.utility
            + 0.25 * self.factual
            + 0.20 * self.novelty
            + 0.15 * self.recency
            + 0.15 * self.type_prior
    }

    /// Three of the factors must each exceed their least, and the total decides the rest.
    pub fn verdict(&self, config: &AdmissionConfig) -> Admission {
        let each = self.utility > config.min_utility
            && self.factual > config.min_factual
            && self.recency > config.min_recency;
        match self.total() {
            _ if !each => Admission::Rejected,
            total if total < config.reject_below => Admission::Rejected,
            total if total <= config.cautious_below => Admission::Cautious,
            _ => Admission::Normal,
        }
    }
}

/// The prior of an entry's kind: warning .9, causal link .7, heuristic .6, insight .5, fragment .4 (digest section 2); what is
/// known to be wrong is a warning, a question an insight.
pub const fn kind_prior(kind: EntryKind) -> f64 {
    match kind {
        EntryKind::Warning | EntryKind::AntiKnowledge => 0.9,
        EntryKind::Heuristic => 0.6,
        EntryKind::Insight | EntryKind::Question => 0.5,
        EntryKind::StrategyFragment => 0.4,
    }
}

/// The same for what is under test.
const fn type_prior(kind: FindingKind) -> f64 {
    match kind {
        FindingKind::Guard => 0.9,
        FindingKind::Lesson => 0.6,
        FindingKind::Insight | FindingKind::Hypothesis => 0.5,
        FindingKind::Transformation | FindingKind::Fragment => 0.4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::ContextPattern;
    use crate::market::{Regime, Strategy};
    use morta_base::{GolemId, RuleId};

    /// A claim on breakouts with its tests, the last of them at tick 0, held against an empty playbook.
    fn score(expected_r: f64, outcomes: Evidence, total_r: f64, now: Tick) -> AdmissionScore {
        let pattern = ContextPattern::of_regime(Regime::Volatile);
        let claim = Claim::of_worth(Strategy::Breakout, pattern, expected_r);
        let id = RuleId { golem: GolemId::founder(0), number: 0 };
        let belief = Belief { evidence: outcomes, ..Belief::new(id, claim, 0.7, 0) };
        let trial = Trial { total_r, ..Trial::new(false, 0) };
        AdmissionScore::of(&belief, &trial, &Beliefs::default(), now, &AdmissionConfig::default())
    }

    fn outcomes(confirmed: u32, contradicted: u32) -> Evidence {
        Evidence { confirmed, contradicted }
    }

    /// .25·1 + .25·(6/8) + .20·1 + .15·½ + .15·.5 = .7875 a day after the last of five confirmations and one contradiction.
    #[test]
    fn a_worked_example() {
        let found = score(0.4, outcomes(5, 1), 2.0, 2_160);
        assert!((found.total() - 0.7875).abs() < 1e-12, "{found:?}");
        assert_eq!(found.verdict(&AdmissionConfig::default()), Admission::Normal);
    }

    /// .45 and .55 are the borders; a total between them, .55 included, is admitted with little trust.
    #[test]
    fn the_borders_of_the_gate() {
        let config = AdmissionConfig::default();
        let at = |type_prior| {
            let score =
                AdmissionScore { utility: 0.5, factual: 0.5, novelty: 0.25, recency: 0.5, type_prior };
            score.verdict(&config)
        };
        // .25 + .05 + .075 = .375, and .15 of the prior.
        assert_eq!(at(0.49), Admission::Rejected);
        assert_eq!(at(0.51), Admission::Cautious);
        assert_eq!(at(1.0), Admission::Cautious);
        assert_eq!(at(1.2), Admission::Normal);
        assert_eq!(config.cautious_confidence, 0.3);
    }

    #[test]
    fn what_is_small_stale_or_denied_is_turned_away() {
        let config = AdmissionConfig::default();
        assert_eq!(score(0.1, outcomes(5, 0), 2.0, 0).verdict(&config), Admission::Rejected);
        assert_eq!(score(0.4, outcomes(5, 0), 2.0, 6_000).verdict(&config), Admission::Rejected);
        // Confirmed a little more often than not, but what was made of it points the other way: 9/16 halved.
        assert_eq!(score(0.4, outcomes(8, 6), -1.0, 0).verdict(&config), Admission::Rejected);
    }
}
