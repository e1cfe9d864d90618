//! The admission gate: weighs a claim that passed its waking test once more before it becomes a rule (A-MAC, digest section 2).
//!
//! score = .25 utility + .25 factual + .20 novelty + .15 recency + .15 type prior, each in [0, 1]; below .45 turned away, up to .55
//! admitted with little confidence. Utility, factual and recency each have a minimum besides. It is a multi-criteria acceptance test
//! (quality gate, weighted scoring) for rules. Results are in R, half-lives in ticks. A test says whether a claim is true; the gate asks
//! whether it is useful and new as well, so that restatements don't fill the playbook. It is asked at the end of a dream about claims that
//! passed, at birth about defaults of a lineage, and by the memory about new insights awake; what is turned away is dropped, but for a
//! default, which is received like other inherited entries. Thresholds are `dream.consolidation.admission`.

use crate::dream::integration::beliefs::{Belief, Beliefs, Trial};
use crate::dream::integration::config::AdmissionConfig;
use crate::episode::{Claim, EntryKind, Evidence, FindingKind};
use morta_base::{Tick, math};
use serde::{Deserialize, Serialize};

/// The five factors, each from 0 to 1: the scorecard of a weighted quality score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdmissionScore {
    /// |expected R| over what counts as fully useful.
    pub utility: f64,
    /// (confirmed + 1)/(tests + 2), Laplace's rule, halved when the mean outcome of the tests has the other sign.
    pub factual: f64,
    /// 1 − the greatest likeness to a known claim on another subject: a rule for a claim under test, an insight for a new insight.
    pub novelty: f64,
    /// 2^(−ticks since the last test / half-life).
    pub recency: f64,
    /// Prior trust in conclusions of this kind.
    pub type_prior: f64,
}

/// The evidence for an entry at the quality gate: an application for admission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdmissionCase {
    /// Its claim.
    pub claim: Claim,
    /// Outcomes for it and against it.
    pub outcomes: Evidence,
    /// Mean outcome, in R, if there is one.
    pub mean_r: Option<f64>,
    /// Tick of the last outcome that spoke to it.
    pub last_tested: Tick,
    /// Prior trust in its kind.
    pub type_prior: f64,
}

morta_base::words! {
    /// The gate's decision. An accept-or-reject verdict of the quality gate (admission control).
    pub enum Admission {
        /// With the trust it has earned.
        Normal = "normal",
        /// With little trust.
        Cautious = "cautious",
        /// Not at all.
        Rejected = "rejected",
    }
}

/// Ticks since its last test after which a claim is half as fresh. The digest (section 2) scores recency and names no time; our choice, a day of
/// 40-second ticks, the half-life by which replay needs an episode less (ruling 2).
const FRESHNESS_HALF_LIFE_TICKS: f64 = 2_160.0;

impl AdmissionScore {
    /// Weighs a claim that has passed its test against the rules in force: the score of a hypothesis by out-of-sample evidence.
    pub fn from_trial(
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

    /// Weighs any entry against other claims: a multi-criteria score. Entries on its own subject don't count against its novelty.
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
            recency: math::half_life_decay(age, FRESHNESS_HALF_LIFE_TICKS),
            type_prior: case.type_prior,
        }
    }

    /// The weighted sum (linear scoring rule), 0 to 1, by the digest's weights.
    pub fn total(&self) -> f64 {
        0.25 * self.utility
            + 0.25 * self.factual
            + 0.20 * self.novelty
            + 0.15 * self.recency
            + 0.15 * self.type_prior
    }

    /// Decides on admission: three of the factors must each exceed their least, so that a large one can't buy out a missing one
    /// (non-compensatory); the total decides the rest.
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

/// The prior of an entry's kind: warning .9, causal link .7, heuristic .6, insight .5, fragment .4 (digest section 2).
/// Anti-knowledge counts as a warning, a question as an insight; both are our reading. A prior by kind, for insights
/// that ask to enter awake; claims under test have their own, by what they were drawn from.
pub(crate) const fn kind_prior(kind: EntryKind) -> f64 {
    match kind {
        EntryKind::Warning | EntryKind::AntiKnowledge => 0.9,
        EntryKind::Heuristic => 0.6,
        EntryKind::Insight | EntryKind::Question => 0.5,
        EntryKind::StrategyFragment => 0.4,
    }
}

/// The prior of a claim under test.
const fn type_prior(kind: FindingKind) -> f64 {
    match kind {
        FindingKind::Guard => 0.9,
        FindingKind::Lesson => 0.6,
        FindingKind::Insight | FindingKind::Hypothesis => 0.5,
        FindingKind::Transformation | FindingKind::Fragment => 0.4,
    }
}
