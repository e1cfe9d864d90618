//! Beliefs: propositions about a domain, as Beta distributions that every fitting outcome moves (digest section 6).

use super::context::{ContextVector, Regime, Session, VolatilityRegime};
use super::episodic::{Domain, EpisodicMemory};
use super::trigger::{FieldValue, Trigger};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Most that one outcome counts, in R: a lucky trade is no more than two of 1 R (digest section 6).
const LARGEST_WEIGHT: f64 = 2.0;
/// What an outcome of 0, or an unknown one, counts. The document tests "if r" in Python, where 0 is as false as nothing is.
const EMPTY_WEIGHT: f64 = 0.5;

/// A Beta distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Beta {
    /// 1 and what confirmed, above 0.
    pub alpha: f64,
    /// 1 and what contradicted, above 0.
    pub beta: f64,
}

impl Beta {
    /// Nothing is known: every share of gains is as likely.
    pub const PRIOR: Self = Self { alpha: 1.0, beta: 1.0 };
    /// A user's belief.
    pub const SEEDED: Self = Self { alpha: 2.0, beta: 1.0 };

    /// From wins and losses, counted alike.
    pub fn induced(wins: u32, losses: u32) -> Self {
        Self { alpha: 1.0 + f64::from(wins), beta: 1.0 + f64::from(losses) }
    }

    /// A pattern that was held with a confidence over a number of cases.
    pub fn migrated(confidence: f64, cases: f64) -> Self {
        Self { alpha: 1.0 + confidence * cases, beta: 1.0 + (1.0 - confidence) * cases }
    }

    /// a/(a + b).
    pub fn mean(&self) -> f64 {
        self.alpha / (self.alpha + self.beta)
    }

    /// ab/((a + b)²·(a + b + 1)).
    pub fn variance(&self) -> f64 {
        let sum = self.alpha + self.beta;
        self.alpha * self.beta / (sum * sum * (sum + 1.0))
    }

    /// Counts an outcome: min(2, |r|), and ½ if it is 0 or unknown.
    pub fn update(&mut self, confirms: bool, pnl_r: Option<f64>) {
        let weight = evidence_weight(pnl_r);
        *(if confirms { &mut self.alpha } else { &mut self.beta }) += weight;
    }
}

/// How much an outcome counts.
pub fn evidence_weight(pnl_r: Option<f64>) -> f64 {
    pnl_r.filter(|r| *r != 0.0).map_or(EMPTY_WEIGHT, |r| r.abs().min(LARGEST_WEIGHT))
}

/// What a belief says of a trade.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicate {
    /// It gains: r > 0.
    Profitable,
    /// It doesn't gain: r ≤ 0.
    Unprofitable,
    /// It makes at least so many R.
    RAtLeast(f64),
}

impl Predicate {
    /// Whether a closed trade bears it out; none where that can't be told. Without R the sign of its profit tells.
    pub fn judge(self, episode: &EpisodicMemory) -> Option<bool> {
        match (self, episode.pnl_r) {
            (_, Some(_)) => Some(self.confirmed_by(episode.pnl_r)),
            (Self::RAtLeast(_), None) => None,
            (Self::Profitable | Self::Unprofitable, None) => {
                episode.result().map(|result| self.confirmed_by(Some(result)))
            }
        }
    }

    /// Whether an outcome bears it out; an unknown outcome is one that didn't gain.
    pub fn confirmed_by(self, pnl_r: Option<f64>) -> bool {
        let r = pnl_r.unwrap_or(0.0);
        match self {
            Self::Profitable => r > 0.0,
            Self::Unprofitable => r <= 0.0,
            Self::RAtLeast(least) => r >= least,
        }
    }
}

/// What a belief is about; `None` is everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Scope {
    /// Trades of this strategy.
    pub strategy: Option<u16>,
    /// Trades in this symbol.
    pub symbol: Option<u16>,
    /// What the market does.
    pub regime: Option<Regime>,
    /// How much it moves.
    pub volatility_regime: Option<VolatilityRegime>,
    /// The part of the day.
    pub session: Option<Session>,
}

impl Scope {
    /// Whether a trade of a strategy and symbol in these circumstances is in it.
    pub fn fits(&self, domain: Domain, context: &ContextVector) -> bool {
        self.strategy.is_none_or(|strategy| strategy == domain.strategy)
            && self.symbol.is_none_or(|symbol| symbol == domain.symbol)
            && (self.regime.is_none() || self.regime == context.regime)
            && (self.volatility_regime.is_none() || self.volatility_regime == context.volatility_regime)
            && (self.session.is_none() || self.session == context.session)
    }
}

morta_base::words! {
    /// Where a belief comes from.
    pub enum BeliefSource {
        /// Drawn from episodes.
        Induced = "induced",
        /// Given from outside.
        Seeded = "seeded",
    }
}

/// Why something can't be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BeliefError {
    /// Nothing says when it holds.
    #[error("a belief needs at least one validity condition")]
    NoValidityConditions,
    /// Its distribution isn't one.
    #[error("alpha and beta of a belief must be above 0")]
    NotADistribution,
}

/// A belief: a proposition, how far it is believed, and what it was held against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SemanticMemory {
    /// Its number, in the order of forming.
    pub id: u32,
    /// What it says, for people.
    pub proposition: String,
    /// What it says of a trade.
    pub predicate: Predicate,
    /// How far it is believed.
    pub belief: Beta,
    /// Outcomes it was held against.
    pub sample_size: u32,
    /// Of these, outcomes that bore it out.
    pub confirmed: u32,
    /// Their sum in R, where known.
    pub total_r: f64,
    /// How many of them are known.
    pub outcomes: u32,
    /// What it is about.
    pub scope: Scope,
    /// Typical circumstances, for recall.
    pub context: ContextVector,
    /// When it holds; never empty. It is neither held against an episode nor recalled where these don't hold.
    pub validity_conditions: Trigger,
    /// The last episode that bore it out.
    pub last_confirmed: Option<u64>,
    /// The last episode that spoke against it.
    pub last_contradicted: Option<u64>,
    /// Where it comes from.
    pub source: BeliefSource,
    /// Strength to begin with.
    pub retrieval_strength: f64,
    /// When it was formed, in seconds.
    pub created_s: f64,
    /// When it last changed, in seconds.
    pub updated_s: f64,
}

impl SemanticMemory {
    /// A belief that nothing was held against yet.
    ///
    /// # Errors
    /// Without validity conditions, or with a distribution that isn't one.
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

    /// Holds it against a closed trade of which `field` is known; whether the trade is what it is about. What isn't closed, and circumstances in
    /// which its conditions don't hold, say nothing of it.
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
        // An outcome that arrives late is news of an earlier moment.
        self.updated_s = self.updated_s.max(now_s);
        true
    }

    /// Adds an outcome to the mean.
    pub(super) fn count(&mut self, pnl_r: Option<f64>) {
        if let Some(r) = pnl_r {
            self.total_r += r;
            self.outcomes = self.outcomes.saturating_add(1);
        }
    }

    /// How much is known, 0 to 1: what is gone of the variance of knowing nothing (1/12).
    pub fn certainty(&self) -> f64 {
        (1.0 - 12.0 * self.belief.variance()).clamp(0.0, 1.0)
    }

    /// Mean outcome in R of the episodes it was held against, if there are any.
    pub fn mean_r(&self) -> Option<f64> {
        (self.outcomes > 0).then(|| self.total_r / f64::from(self.outcomes))
    }
}
