//! A claim: what a strategy is worth in some circumstances. Lessons, hypotheses and rules are all claims; they
//! differ in how far they are trusted.

use crate::episode::Context;
use crate::market::{LiquidityClass, Regime, Session, Strategy};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Volatility quintiles in three bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolatilityBand {
    /// Quintiles 1 and 2.
    Calm,
    /// Quintile 3.
    Middling,
    /// Quintiles 4 and 5.
    Wild,
}

impl VolatilityBand {
    /// All of them, calm first.
    pub const ALL: [Self; 3] = [Self::Calm, Self::Middling, Self::Wild];

    /// The band of a quintile.
    pub const fn of(quintile: u8) -> Self {
        match quintile {
            0..=2 => Self::Calm,
            3 => Self::Middling,
            _ => Self::Wild,
        }
    }
}

/// The circumstances a claim speaks of; what is `None` doesn't matter to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContextPattern {
    /// Regime, as the golem reads it: it may be mistaken.
    pub regime: Option<Regime>,
    /// Band of the volatility's quintile.
    pub volatility: Option<VolatilityBand>,
    /// Pool depth.
    pub liquidity: Option<LiquidityClass>,
    /// Trading session.
    pub session: Option<Session>,
}

impl ContextPattern {
    /// The pattern that names just a regime.
    pub fn of_regime(regime: Regime) -> Self {
        Self { regime: Some(regime), ..Self::default() }
    }

    /// Whether the circumstances fit everything the pattern names.
    pub fn matches(&self, context: &Context) -> bool {
        fn fits<T: PartialEq>(named: Option<T>, found: T) -> bool {
            named.is_none_or(|named| named == found)
        }
        fits(self.regime, context.regime)
            && fits(self.volatility, VolatilityBand::of(context.volatility_quintile))
            && fits(self.liquidity, context.liquidity)
            && fits(self.session, context.session)
    }

    /// Whether it names nothing at all.
    pub const fn specificity_is_zero(&self) -> bool {
        self.regime.is_none()
            && self.volatility.is_none()
            && self.liquidity.is_none()
            && self.session.is_none()
    }

    /// How many features it names, 0 to 4.
    pub fn specificity(&self) -> u32 {
        u32::from(self.regime.is_some())
            + u32::from(self.volatility.is_some())
            + u32::from(self.liquidity.is_some())
            + u32::from(self.session.is_some())
    }
}

impl fmt::Display for ContextPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(regime) = self.regime {
            parts.push(regime.name().replace('_', " "));
        }
        if let Some(band) = self.volatility {
            parts.push(format!("{band:?} volatility").to_lowercase());
        }
        if let Some(liquidity) = self.liquidity {
            parts.push(format!("{liquidity:?} liquidity").to_lowercase());
        }
        if let Some(session) = self.session {
            parts.push(format!("{session:?} hours"));
        }
        if parts.is_empty() { f.write_str("any market") } else { f.write_str(&parts.join(", ")) }
    }
}

/// "In these circumstances this strategy makes about this much."
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The strategy that is worth so much, or so little.
    pub strategy: Strategy,
    /// When it is.
    pub pattern: ContextPattern,
    /// Expected R-multiple a trade, net of costs.
    pub expected_r: f64,
}

impl Claim {
    /// Whether two claims speak of the same strategy in the same circumstances.
    pub fn same_subject(&self, other: &Self) -> bool {
        self.strategy == other.strategy && self.pattern == other.pattern
    }

    /// Whether two claims say the same but for the size: one subject, one direction.
    pub fn restates(&self, other: &Self) -> bool {
        self.same_subject(other) && self.agrees_with(other)
    }

    /// Whether two claims point the same way, be it gain or loss.
    pub fn agrees_with(&self, other: &Self) -> bool {
        (self.expected_r > 0.0) == (other.expected_r > 0.0)
    }

    /// How alike two claims are, 0 to 1: 0 when they point in opposite directions, else the cosine of their features, that is
    /// shared / √(a·b) where a claim's features are its strategy and the circumstances it names.
    ///
    /// A regime and one further circumstance against the regime alone is 2/√6 = .82, two further ones against one 3/√12 =
    /// .87: with the usual limit of .85 the second pair counts as said twice.
    pub fn similarity(&self, other: &Self) -> f64 {
        fn shared<T: PartialEq>(a: Option<T>, b: Option<T>) -> u32 {
            u32::from(a.is_some() && a == b)
        }
        if !self.agrees_with(other) {
            return 0.0;
        }
        let (a, b) = (&self.pattern, &other.pattern);
        let features = u32::from(self.strategy == other.strategy)
            + shared(a.regime, b.regime)
            + shared(a.volatility, b.volatility)
            + shared(a.liquidity, b.liquidity)
            + shared(a.session, b.session);
        let (of_a, of_b) = (1 + a.specificity(), 1 + b.specificity());
        f64::from(features) / f64::from(of_a * of_b).sqrt()
    }

    /// Whether the claim speaks of such a decision.
    pub fn applies(&self, strategy: Strategy, context: &Context) -> bool {
        self.strategy == strategy && self.pattern.matches(context)
    }

    /// Whether an outcome bears the claim out: for a claim of gain the trade made at least `margin_r`, for a claim
    /// of loss it made less than that.
    pub fn is_confirmed_by(&self, realised_r: f64, margin_r: f64) -> bool {
        (realised_r >= margin_r) == (self.expected_r > 0.0)
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.expected_r > 0.0 { "favour" } else { "avoid" };
        write!(
            f,
            "{verb} {} in {}: {:+.2} R",
            self.strategy.name().replace('_', " "),
            self.pattern,
            self.expected_r
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::GasClass;

    const CONTEXT: Context = Context {
        regime: Regime::Volatile,
        volatility_quintile: 4,
        liquidity: LiquidityClass::Thin,
        gas: GasClass::Normal,
        session: Session::Asia,
    };

    #[test]
    fn an_empty_pattern_fits_everything() {
        assert!(ContextPattern::default().matches(&CONTEXT));
        assert_eq!(ContextPattern::default().to_string(), "any market");
    }

    #[test]
    fn every_named_feature_must_fit() {
        let mut pattern = ContextPattern::of_regime(Regime::Volatile);
        pattern.volatility = Some(VolatilityBand::Wild);
        assert!(pattern.matches(&CONTEXT));
        pattern.session = Some(Session::Europe);
        assert!(!pattern.matches(&CONTEXT));
        assert_eq!(pattern.specificity(), 3);
    }

    #[test]
    fn likeness_is_the_cosine_of_the_features() {
        let regime = Claim {
            strategy: Strategy::Breakout,
            pattern: ContextPattern::of_regime(Regime::Volatile),
            expected_r: 0.4,
        };
        let mut wild = regime;
        wild.pattern.volatility = Some(VolatilityBand::Wild);
        let mut thin = wild;
        thin.pattern.liquidity = Some(LiquidityClass::Thin);
        assert_eq!(regime.similarity(&regime), 1.0);
        assert!((regime.similarity(&wild) - 0.816_496_6).abs() < 1e-6);
        assert!((wild.similarity(&thin) - 0.866_025_4).abs() < 1e-6);
        assert_eq!(regime.similarity(&Claim { expected_r: -0.4, ..regime }), 0.0);
    }

    #[test]
    fn confirmation_looks_at_the_claimed_direction() {
        let mut claim =
            Claim { strategy: Strategy::Breakout, pattern: ContextPattern::default(), expected_r: 0.4 };
        assert!(claim.is_confirmed_by(0.3, 0.25) && !claim.is_confirmed_by(0.1, 0.25));
        claim.expected_r = -0.4;
        assert!(!claim.is_confirmed_by(0.3, 0.25) && claim.is_confirmed_by(0.1, 0.25));
    }
}
