//! The market in conditions: the nodes of the causal graph.

use crate::episode::{Context, VolatilityBand};
use crate::market::{GasClass, LiquidityClass, Regime};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One feature of the market having one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Condition {
    Regime(Regime),
    Volatility(VolatilityBand),
    Liquidity(LiquidityClass),
    Gas(GasClass),
}

impl Condition {
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

    /// Its place in [`Condition::ALL`].
    pub const fn index(self) -> usize {
        match self {
            Self::Regime(value) => value as usize,
            Self::Volatility(value) => 4 + value as usize,
            Self::Liquidity(value) => 7 + value as usize,
            Self::Gas(value) => 11 + value as usize,
        }
    }

    /// Whether it is a regime.
    pub const fn is_regime(self) -> bool {
        matches!(self, Self::Regime(_))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regime(value) => f.write_str(&value.name().replace('_', " ")),
            Self::Volatility(value) => write!(f, "{value} volatility"),
            Self::Liquidity(value) => write!(f, "{value} liquidity"),
            Self::Gas(value) => write!(f, "{value} gas"),
        }
    }
}

/// The market as far as the graph sees it: one condition of each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct MarketState {
    pub regime: Regime,
    pub volatility: VolatilityBand,
    pub liquidity: LiquidityClass,
    pub gas: GasClass,
}

impl MarketState {
    /// As an episode's or the present context has it.
    pub fn of(context: &Context) -> Self {
        Self {
            regime: context.regime,
            volatility: VolatilityBand::from_quintile(context.volatility_quintile),
            liquidity: context.liquidity,
            gas: context.gas,
        }
    }

    /// Its four conditions.
    pub fn conditions(&self) -> [Condition; 4] {
        [
            Condition::Regime(self.regime),
            Condition::Volatility(self.volatility),
            Condition::Liquidity(self.liquidity),
            Condition::Gas(self.gas),
        ]
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: Condition) -> bool {
        self.conditions().contains(&condition)
    }

    /// The same with one condition in place of that feature's.
    pub fn with(mut self, condition: Condition) -> Self {
        match condition {
            Condition::Regime(value) => self.regime = value,
            Condition::Volatility(value) => self.volatility = value,
            Condition::Liquidity(value) => self.liquidity = value,
            Condition::Gas(value) => self.gas = value,
        }
        self
    }
}
