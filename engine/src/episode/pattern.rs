//! Patterns of circumstances, for claims: any classes of a golem's view of a market, a conjunction of feature tests as in a rule learner.
//!
//! A pattern names up to eight features of a decision and, for a held position, up to three of its state. A feature that isn't named is a
//! wildcard. All features are classes (categorical variables), so that two patterns can be compared exactly and counted; quantities stand
//! in `Conditions`. Volatility bands are bins (discretization) of quintiles. The regime is the golem's own reading, so that two golems may
//! file one moment under different patterns. A claim applies where its pattern matches in full; a partial match counts only for likenesses,
//! of two claims (`shared`) or of an episode to an insight (`named`). The values of features at a decision are a feature vector.

use crate::episode::{After, Context, HeldPattern};
use crate::market::{AssetIndex, GasClass, LiquidityClass, Regime, Session};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

morta_base::words! {
    /// Volatility quintiles in three bands.
    pub enum VolatilityBand: Key {
        /// Quintiles 1 and 2.
        Calm = "calm",
        /// Quintile 3.
        Middling = "middling",
        /// Quintiles 4 and 5.
        Wild = "wild",
    }
}

impl VolatilityBand {
    /// Bins a quintile into one of the three bands.
    pub const fn from_quintile(quintile: u8) -> Self {
        match quintile {
            0..=2 => Self::Calm,
            3 => Self::Middling,
            _ => Self::Wild,
        }
    }
}

morta_base::words! {
    // The order is that of recorded bytes, so that it can't be changed. Which of two features is preferred is decided elsewhere: contrasts have
    // an order of their own, and a dream's subjects go by the order of whole patterns.
    /// What a pattern may name.
    pub enum Feature: Key {
        /// The golem's own reading of the regime.
        Regime = "regime",
        /// The band of the volatility.
        Volatility = "volatility",
        /// Pool depth.
        Liquidity = "liquidity",
        /// Trading session.
        Session = "session",
        /// Which asset.
        Asset = "asset",
        /// How dear gas is.
        Gas = "gas",
        /// Whether there was a big move of late.
        Shock = "shock",
        /// The golem's trade before, and whether it gained: claims that name it are about sequences.
        After = "after",
    }
}

impl Feature {
    /// The features of the market's view.
    pub(crate) const OF_MARKET: [Self; 7] =
        [Self::Regime, Self::Volatility, Self::Liquidity, Self::Session, Self::Asset, Self::Gas, Self::Shock];
}

/// The circumstances that a claim is about: the antecedent (condition) of a rule. A feature that is `None` is a wildcard and may have any
/// value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct ContextPattern {
    /// Regime, as the golem reads it: it may be mistaken.
    pub regime: Option<Regime>,
    /// Band of the volatility's quintile.
    pub volatility: Option<VolatilityBand>,
    /// Pool depth.
    pub liquidity: Option<LiquidityClass>,
    /// Trading session.
    pub session: Option<Session>,
    /// The asset. (Not in logs before claims named it, like the next two.)
    pub asset: Option<AssetIndex>,
    /// How dear gas is.
    pub gas: Option<GasClass>,
    /// Whether there was a big move of late.
    pub shock: Option<bool>,
    /// The trade before.
    pub after: Option<After>,
    /// The state of a position that is held: with it, the claim is about staying in, without it about going in.
    pub held: Option<HeldPattern>,
}

/// Text names only the features that matter: a `null` for each of the others was a twentieth of the text of a run's events. Bytes have a place
/// for every feature.
impl Serialize for ContextPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = !serializer.is_human_readable();
        let mut pattern = serializer.serialize_struct("ContextPattern", 9)?;
        let Self { regime, volatility, liquidity, session, asset, gas, shock, after, held } = self;
        macro_rules! field {
            ($($name:ident)*) => {$(
                if all || $name.is_some() {
                    pattern.serialize_field(stringify!($name), $name)?;
                }
            )*};
        }
        field!(regime volatility liquidity session asset gas shock after held);
        pattern.end()
    }
}

impl ContextPattern {
    /// Makes the pattern that names a single feature (condition), the regime.
    pub fn from_regime(regime: Regime) -> Self {
        Self { regime: Some(regime), ..Self::default() }
    }

    /// Makes the pattern of a context in some features (feature selection).
    pub fn from_context(context: &Context, features: impl IntoIterator<Item = Feature>) -> Self {
        features.into_iter().fold(Self::default(), |pattern, feature| pattern.and(feature, context))
    }

    /// Adds one feature of a context to the pattern: a specialisation by one condition.
    pub fn and(mut self, feature: Feature, context: &Context) -> Self {
        match feature {
            Feature::Regime => self.regime = Some(context.regime),
            Feature::Volatility => {
                self.volatility = Some(VolatilityBand::from_quintile(context.volatility_quintile))
            }
            Feature::Liquidity => self.liquidity = Some(context.liquidity),
            Feature::Session => self.session = Some(context.session),
            Feature::Asset => self.asset = Some(context.asset),
            Feature::Gas => self.gas = Some(context.gas),
            Feature::Shock => self.shock = Some(context.shock),
            Feature::After => self.after = context.after,
        }
        self
    }

    /// For each feature it names, those of a position left out, in the order of [`Feature::ALL`], whether the circumstances have it
    /// (partial matching).
    pub fn named(&self, context: &Context) -> impl Iterator<Item = bool> {
        fn fits<T: PartialEq>(named: Option<T>, found: T) -> Option<bool> {
            named.map(|named| named == found)
        }
        let each = [
            fits(self.regime, context.regime),
            fits(self.volatility, VolatilityBand::from_quintile(context.volatility_quintile)),
            fits(self.liquidity, context.liquidity),
            fits(self.session, context.session),
            fits(self.asset, context.asset),
            fits(self.gas, context.gas),
            fits(self.shock, context.shock),
            self.after.map(|after| Some(after) == context.after),
        ];
        each.into_iter().flatten()
    }

    /// Whether the circumstances have all features that the pattern names (a conjunction). Claims about staying in match held positions
    /// only, and all others only positions that aren't yet open, because the R of the former is that of the rest of a trade and the R of
    /// the latter that of a whole one.
    pub fn matches(&self, context: &Context) -> bool {
        let is_about_it = match (&self.held, &context.held) {
            (Some(pattern), Some(held)) => pattern.matches(held),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        is_about_it && self.named(context).all(|fits| fits)
    }

    /// Whether it names nothing at all, as in a default rule without any condition.
    pub(crate) const fn specificity_is_zero(&self) -> bool {
        self.specificity() == 0
    }

    /// Number of features it names, those of a position included, 0 to 11: a measure of rule complexity.
    pub const fn specificity(&self) -> u32 {
        let of_position = match &self.held {
            Some(held) => held.specificity(),
            None => 0,
        };
        of_position
            + self.regime.is_some() as u32
            + self.volatility.is_some() as u32
            + self.liquidity.is_some() as u32
            + self.session.is_some() as u32
            + self.asset.is_some() as u32
            + self.gas.is_some() as u32
            + self.shock.is_some() as u32
            + self.after.is_some() as u32
    }

    /// Number of features that two patterns name alike: the intersection of two feature sets, for the cosine of claims.
    pub fn shared(&self, other: &Self) -> u32 {
        fn alike<T: PartialEq>(a: Option<T>, b: Option<T>) -> u32 {
            u32::from(a.is_some() && a == b)
        }
        let of_position = match (&self.held, &other.held) {
            (Some(a), Some(b)) => a.shared(b),
            _ => 0,
        };
        of_position
            + alike(self.regime, other.regime)
            + alike(self.volatility, other.volatility)
            + alike(self.liquidity, other.liquidity)
            + alike(self.session, other.session)
            + alike(self.asset, other.asset)
            + alike(self.gas, other.gas)
            + alike(self.shock, other.shock)
            + alike(self.after, other.after)
    }
}

impl fmt::Display for ContextPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(regime) = self.regime {
            parts.push(regime.name().replace('_', " "));
        }
        if let Some(band) = self.volatility {
            parts.push(format!("{band} volatility"));
        }
        if let Some(liquidity) = self.liquidity {
            parts.push(format!("{liquidity} liquidity"));
        }
        if let Some(session) = self.session {
            parts.push(format!("{session:?} hours"));
        }
        if let Some(asset) = self.asset {
            parts.push(format!("asset {asset}"));
        }
        if let Some(gas) = self.gas {
            parts.push(format!("{gas} gas"));
        }
        if let Some(shock) = self.shock {
            parts.push(if shock { "after a shock" } else { "no shock of late" }.to_owned());
        }
        if let Some(after) = self.after {
            parts.push(after.to_string());
        }
        match (parts.is_empty(), &self.held) {
            (true, None) => f.write_str("any market"),
            (false, None) => f.write_str(&parts.join(", ")),
            (true, Some(held)) => write!(f, "{held}"),
            (false, Some(held)) => write!(f, "{}; {held}", parts.join(", ")),
        }
    }
}
