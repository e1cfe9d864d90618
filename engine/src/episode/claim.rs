//! A claim: what a strategy is worth in some circumstances. Lessons, hypotheses and rules are all claims; they
//! differ in how far they are trusted.

use crate::base::keys::{Free, KeyValue};
use crate::episode::{Context, ContextPattern};
use crate::market::Strategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Opening a position.
    Entry,
    /// Staying in one that is held, or leaving it.
    Exit,
    /// Opening a position after another one, by what came of that.
    Sequence,
}

impl ClaimKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Entry, Self::Exit, Self::Sequence];
}

impl KeyValue for ClaimKind {
    type Rule = Free;
}

/// "In these circumstances this strategy makes about this much."
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The strategy that is worth so much, or so little.
    pub strategy: Strategy,
    /// When it is.
    pub pattern: ContextPattern,
    /// Expected R-multiple a trade, net of costs; of a position that is held: what staying in adds to it, less what its ticks are worth.
    pub expected_r: f64,
}

impl Claim {
    /// What it is about.
    pub const fn kind(&self) -> ClaimKind {
        match (&self.pattern.held, &self.pattern.after) {
            (Some(_), _) => ClaimKind::Exit,
            (None, Some(_)) => ClaimKind::Sequence,
            (None, None) => ClaimKind::Entry,
        }
    }

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
    ///
    /// Claims of different kinds have nothing in common.
    pub fn similarity(&self, other: &Self) -> f64 {
        if !self.agrees_with(other) || self.kind() != other.kind() {
            return 0.0;
        }
        let (a, b) = (&self.pattern, &other.pattern);
        let features = u32::from(self.strategy == other.strategy) + a.shared(b);
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
        let verb = match (self.kind(), self.expected_r > 0.0) {
            (ClaimKind::Entry | ClaimKind::Sequence, true) => "favour",
            (ClaimKind::Entry | ClaimKind::Sequence, false) => "avoid",
            (ClaimKind::Exit, true) => "stay in",
            (ClaimKind::Exit, false) => "leave",
        };
        let where_or_when = if self.kind() == ClaimKind::Exit { "when" } else { "in" };
        write!(
            f,
            "{verb} {} {where_or_when} {}: {:+.2} R",
            self.strategy.name().replace('_', " "),
            self.pattern,
            self.expected_r
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::VolatilityBand;
    use crate::market::{GasClass, LiquidityClass, Regime, Session};

    const CONTEXT: Context = Context {
        regime: Regime::Volatile,
        volatility_quintile: 4,
        liquidity: LiquidityClass::Thin,
        gas: GasClass::Normal,
        session: Session::Asia,
        asset: 0,
        shock: false,
        after: None,
        held: None,
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
