//! Semantic memory: beliefs about a domain, as Beta distributions that outcomes update (digest section 6). It is Bayesian updating of a
//! Beta-Bernoulli model with weighted evidence. An outcome counts by its size in R, up to 2, so that a lucky trade can't decide a belief;
//! an outcome of 0 or unknown in R counts ½. Where its validity conditions don't hold, a belief is neither tested nor recalled. `Mind`
//! tests every belief against every closed trade in its scope, in the order of arrival. The golem memory `owm` decides by the mean outcome
//! of a belief in R, weighted by its certainty, its strength and the key `belief_weight`; the win probability itself makes plans. In
//! `bardo+owm` beliefs have no voice; in the recall of the `owm` tools the win probability is a belief's quality and confidence. `Mind`
//! also averages the win probabilities of the beliefs that a strategy gains, weighted by sample size, into an expected win rate and Kelly
//! fraction, against which habits are held (`procedural`); the tools report it, and no stake depends on it.
//!
//! Moments are seconds on the caller's clock. Strength (`strength::semantic`) and the recency of recall count from `updated_s`, so that a
//! belief that is tested again is fresh again; nothing here ages or removes one. Inherited beliefs are `Seeded`: the engine counts the
//! claim as one outcome in R, and a second claim on the same subject adds its confidence to alpha.

use super::context::{ContextVector, Regime, Session, VolatilityRegime};
use super::episodic::{Domain, EpisodicMemory};
use super::trigger::{FieldValue, Trigger};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The largest weight of one outcome, in R (digest section 6), so that a single lucky trade can't decide a belief.
const LARGEST_WEIGHT: f64 = 2.0;
/// The weight of an outcome of 0 and of an unknown one. They are the same, because the document tests "if r" in Python, where 0 is false as None is.
const EMPTY_WEIGHT: f64 = 0.5;

/// A Beta distribution of a win probability, by its parameters alpha and beta (conjugate prior).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beta {
    /// Its start and the weight of confirming outcomes; above 0. It starts at 1, for a belief that a user states at 2 or as the user says,
    /// for an inherited one at 1 plus its confidence.
    pub alpha: f64,
    /// Its start, which is 1 unless a user states another, and the weight of contradicting outcomes; above 0.
    pub beta: f64,
}

impl Beta {
    /// The uniform prior: every win rate is equally likely.
    pub const PRIOR: Self = Self { alpha: 1.0, beta: 1.0 };
    /// The prior of a belief that a user states (the document's).
    pub const SEEDED: Self = Self { alpha: 2.0, beta: 1.0 };

    /// The Beta posterior after wins and losses of weight 1 each.
    pub fn induced(wins: u32, losses: u32) -> Self {
        Self { alpha: 1.0 + f64::from(wins), beta: 1.0 + f64::from(losses) }
    }

    /// Imports a pattern of the older format, with a confidence over a number of cases, as a distribution.
    pub fn migrated(confidence: f64, cases: f64) -> Self {
        Self { alpha: 1.0 + confidence * cases, beta: 1.0 + (1.0 - confidence) * cases }
    }

    /// The mean a/(a + b): the expected win probability (posterior mean).
    pub fn mean(&self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// The variance ab/((a + b)²·(a + b + 1)) (posterior variance).
    pub fn variance(&self) -> f64 {
        let sum = self.alpha + self.beta;
        self.alpha * self.beta / (sum * sum * (sum + 1.0))
    }

    /// Adds an outcome with its [`evidence_weight`] (Bayesian update).
    pub fn update(&mut self, confirms: bool, pnl_r: Option<f64>) {
        let weight = evidence_weight(pnl_r);
        *(if confirms { &mut self.alpha } else { &mut self.beta }) += weight;
    }
}

/// The weight of an outcome: min(2, |r|), and ½ if it is 0 or unknown (a pseudo-count).
pub fn evidence_weight(pnl_r: Option<f64>) -> f64 {
    pnl_r.filter(|r| *r != 0.0).map_or(EMPTY_WEIGHT, |r| r.abs().min(LARGEST_WEIGHT))
}

/// The prediction of a belief about a trade (a testable hypothesis). It is ours, because the document has only a text, which a program
/// can't test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// The trade gains: r > 0.
    Profitable,
    /// The trade doesn't gain: r ≤ 0.
    Unprofitable,
    /// The trade makes at least this many R.
    RAtLeast(f64),
}

impl Predicate {
    /// Whether a closed trade confirms it; `None` where that is unknown. Without an outcome in R the sign of the profit decides.
    pub fn judge(self, episode: &EpisodicMemory) -> Option<bool> {
        match (self, episode.pnl_r) {
            (_, Some(_)) => Some(self.confirmed_by(episode.pnl_r)),
            (Self::RAtLeast(_), None) => None,
            (Self::Profitable | Self::Unprofitable, None) => {
                episode.result().map(|result| self.confirmed_by(Some(result)))
            }
        }
    }

    /// Whether an outcome confirms it; an unknown outcome counts as 0.
    pub fn confirmed_by(self, pnl_r: Option<f64>) -> bool {
        let r = pnl_r.unwrap_or(0.0);
        match self {
            Self::Profitable => r > 0.0,
            Self::Unprofitable => r <= 0.0,
            Self::RAtLeast(least) => r >= least,
        }
    }
}

/// The scope of a belief: the trades that it is about; `None` stands for all values (wildcard).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Scope {
    /// The strategy.
    pub strategy: Option<u16>,
    /// The symbol.
    pub symbol: Option<u16>,
    /// Regime of the market.
    pub regime: Option<Regime>,
    /// Volatility of prices.
    pub volatility_regime: Option<VolatilityRegime>,
    /// Session of the trading day.
    pub session: Option<Session>,
}

impl Scope {
    /// Whether a trade of a domain in a context is in the scope (scope match). An unknown label of the context isn't in a scope that names
    /// the label.
    pub fn fits(&self, domain: Domain, context: &ContextVector) -> bool {
        self.strategy.is_none_or(|strategy| strategy == domain.strategy)
            && self.symbol.is_none_or(|symbol| symbol == domain.symbol)
            && (self.regime.is_none() || self.regime == context.regime)
            && (self.volatility_regime.is_none() || self.volatility_regime == context.volatility_regime)
            && (self.session.is_none() || self.session == context.session)
    }
}

morta_base::words! {
    /// The source of a belief: induced from episodes, or seeded by the user or an inheritance (provenance).
    pub enum BeliefSource {
        /// Induced from episodes.
        Induced = "induced",
        /// Stated by the user, or inherited.
        Seeded = "seeded",
    }
}

/// The reason why a belief is invalid (validation error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BeliefError {
    /// It has no validity conditions.
    #[error("a belief needs at least one validity condition")]
    NoValidityConditions,
    /// Its alpha or beta isn't above 0.
    #[error("alpha and beta of a belief must be above 0")]
    NotADistribution,
}

/// A belief: a proposition, its distribution (a Beta posterior), and the outcomes that it was tested against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SemanticMemory {
    /// Its number, in the order of forming.
    pub id: u32,
    /// The proposition, as text.
    pub proposition: String,
    /// Its prediction about a trade.
    pub predicate: Predicate,
    /// Its distribution.
    pub belief: Beta,
    /// Number of outcomes that it was induced from or tested against.
    pub sample_size: u32,
    /// Number of those that confirmed it.
    pub confirmed: u32,
    /// Sum of the known outcomes, in R.
    pub total_r: f64,
    /// Number of outcomes known in R.
    pub outcomes: u32,
    /// Its scope.
    pub scope: Scope,
    /// Its typical context, for recall.
    pub context: ContextVector,
    /// Conditions under which it holds; never empty (C-14). Where they don't hold, it is neither tested against an episode nor recalled.
    pub validity_conditions: Trigger,
    /// Id of the last episode that confirmed it.
    pub last_confirmed: Option<u64>,
    /// Id of the last episode that contradicted it.
    pub last_contradicted: Option<u64>,
    /// Its source.
    pub source: BeliefSource,
    /// Initial strength of retention, S₀ of `strength::semantic`; 1 for a new belief, and nothing changes it.
    pub retrieval_strength: f64,
    /// The moment at which it was formed, in seconds. Only exported: nothing is reckoned from it.
    pub created_s: f64,
    /// The moment of the last update, in seconds: its age, with which its strength falls, counts from here (decay clock).
    pub updated_s: f64,
}

impl SemanticMemory {
    /// Makes a belief that hasn't been tested yet.
    ///
    /// # Errors
    /// Without validity conditions, or with an alpha or beta that isn't above 0.
    pub fn new(
        proposition: impl Into<String>,
        predicate: Predicate,
        belief: Beta,
        scope: Scope,
        validity_conditions: Trigger,
        source: BeliefSource,
        now_s: f64,
    ) -> Result<Self, BeliefError> {
        if validity_conditions.conditions.is_empty() {
            return Err(BeliefError::NoValidityConditions);
        }
        if !(belief.alpha > 0.0 && belief.beta > 0.0) {
            return Err(BeliefError::NotADistribution);
        }
        let context = ContextVector {
            regime: scope.regime,
            volatility_regime: scope.volatility_regime,
            session: scope.session,
            ..ContextVector::default()
        };
        Ok(Self {
            id: 0,
            proposition: proposition.into(),
            predicate,
            belief,
            sample_size: 0,
            confirmed: 0,
            total_r: 0.0,
            outcomes: 0,
            scope,
            context,
            validity_conditions,
            last_confirmed: None,
            last_contradicted: None,
            source,
            retrieval_strength: 1.0,
            created_s: now_s,
            updated_s: now_s,
        })
    }

    /// Tests the belief against a closed trade and updates it (Bayesian update). `field` gives the known fields of the trade. Returns whether the
    /// trade counted: one out of scope, one that isn't closed, and one for which the validity conditions don't hold don't count.
    pub fn hold_against<'a>(
        &mut self,
        episode: &EpisodicMemory,
        field: impl Fn(&str) -> Option<FieldValue<'a>>,
        now_s: f64,
    ) -> bool {
        if !self.scope.fits(episode.domain, &episode.context) || !self.validity_conditions.holds(field) {
            return false;
        }
        let Some(confirms) = self.predicate.judge(episode) else { return false };
        self.belief.update(confirms, episode.pnl_r);
        *(if confirms { &mut self.last_confirmed } else { &mut self.last_contradicted }) = Some(episode.id);
        self.sample_size = self.sample_size.saturating_add(1);
        self.confirmed = self.confirmed.saturating_add(u32::from(confirms));
        self.count(episode.pnl_r);
        // The maximum, because an outcome may arrive after later ones.
        self.updated_s = self.updated_s.max(now_s);
        true
    }

    /// Adds an outcome to the mean in R; an unknown one is skipped.
    pub(super) fn count(&mut self, pnl_r: Option<f64>) {
        if let Some(r) = pnl_r {
            self.total_r += r;
            self.outcomes = self.outcomes.saturating_add(1);
        }
    }

    /// Certainty of the posterior, 0 to 1: the share by which the variance is below that of the uniform prior, which is 1/12.
    pub fn certainty(&self) -> f64 {
        (1.0 - 12.0 * self.belief.variance()).clamp(0.0, 1.0)
    }

    /// Mean outcome in R of the episodes that it was induced from or tested against, and of inherited claims, unweighted; `None` without
    /// known outcomes (sample mean).
    pub fn mean_r(&self) -> Option<f64> {
        (self.outcomes > 0).then(|| self.total_r / f64::from(self.outcomes))
    }
}
