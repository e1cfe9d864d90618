//! The market in conditions: the nodes of the causal graph, fifteen classes of four features (one-hot variables). Nothing here has a unit.
//! Conditions are classes and no quantities, because edges between them are counted. The causal graph counts episodes by them, forward
//! replay changes the present by them one at a time, and causal links that are handed to heirs name them.

use crate::episode::{Context, VolatilityBand};
use crate::market::{GasClass, LiquidityClass, Regime};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One feature of the market having one value: a discrete variable with its value, a node of the causal graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum MarketCondition {
    Regime(Regime),
    Volatility(VolatilityBand),
    Liquidity(LiquidityClass),
    Gas(GasClass),
}

impl MarketCondition {
    /// How many there are.
    pub const COUNT: usize = 15;
    /// All of them, feature by feature.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Regime(Regime::TrendingUp),
        Self::Regime(Regime::TrendingDown),
        Self::Regime(Regime::RangeBound),
        Self::Regime(Regime::Volatile),
        Self::Volatility(VolatilityBand::Calm),
        Self::Volatility(VolatilityBand::Middling),
        Self::Volatility(VolatilityBand::Wild),
        Self::Liquidity(LiquidityClass::Crisis),
        Self::Liquidity(LiquidityClass::Thin),
        Self::Liquidity(LiquidityClass::Normal),
        Self::Liquidity(LiquidityClass::Deep),
        Self::Gas(GasClass::Low),
        Self::Gas(GasClass::Normal),
        Self::Gas(GasClass::Elevated),
        Self::Gas(GasClass::Spike),
    ];

    /// Its place (index) in `ALL`, for arrays of counts.
    pub const fn index(self) -> usize {
        match self {
            Self::Regime(value) => value as usize,
            Self::Volatility(value) => 4 + value as usize,
            Self::Liquidity(value) => 7 + value as usize,
            Self::Gas(value) => 11 + value as usize,
        }
    }

    /// Whether it is a regime, and no other feature. Projections that fix the regime by hypothesis skip edges with such an effect.
    pub(crate) const fn is_regime(self) -> bool {
        matches!(self, Self::Regime(_))
    }
}

impl fmt::Display for MarketCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regime(value) => f.write_str(&value.name().replace('_', " ")),
            Self::Volatility(value) => write!(f, "{value} volatility"),
            Self::Liquidity(value) => write!(f, "{value} liquidity"),
            Self::Gas(value) => write!(f, "{value} gas"),
        }
    }
}

/// The market as the graph sees it, a discretised state: one condition of each feature. Our choice of features: the dream architecture
/// ("anticipatory trajectories") leaves the nodes of its causal graph open, and these four are what episodes and claims name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct MarketConditions {
    pub regime: Regime,
    pub volatility: VolatilityBand,
    pub liquidity: LiquidityClass,
    pub gas: GasClass,
}

impl MarketConditions {
    /// Discretises the context of an episode or of the present, with the volatility quintile in three bands.
    pub fn from_context(context: &Context) -> Self {
        Self {
            regime: context.regime,
            volatility: VolatilityBand::from_quintile(context.volatility_quintile),
            liquidity: context.liquidity,
            gas: context.gas,
        }
    }

    /// Its four conditions, one of each feature: the active nodes of the causal graph.
    pub fn conditions(&self) -> [MarketCondition; 4] {
        [
            MarketCondition::Regime(self.regime),
            MarketCondition::Volatility(self.volatility),
            MarketCondition::Liquidity(self.liquidity),
            MarketCondition::Gas(self.gas),
        ]
    }

    /// Whether a condition holds: a membership test among the four.
    pub fn holds(&self, condition: MarketCondition) -> bool {
        self.conditions().contains(&condition)
    }

    /// The same with one condition in place of that feature's: how an edge's effect, once supposed, changes the state (an intervention on
    /// one variable).
    pub fn with(mut self, condition: MarketCondition) -> Self {
        match condition {
            MarketCondition::Regime(value) => self.regime = value,
            MarketCondition::Volatility(value) => self.volatility = value,
            MarketCondition::Liquidity(value) => self.liquidity = value,
            MarketCondition::Gas(value) => self.gas = value,
        }
        self
    }
}
