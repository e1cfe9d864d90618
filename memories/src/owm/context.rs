//! The circumstances of a memory or of the present: the eight fields that likeness is measured on (digest section 3).

use super::trigger::FieldValue;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// What the market does.
    pub enum Regime {
        /// Prices rise.
        TrendingUp = "trending_up",
        /// Prices fall.
        TrendingDown = "trending_down",
        /// Prices swing about a level.
        Ranging = "ranging",
        /// Prices swing wildly.
        Volatile = "volatile",
    }

    /// How much prices move, compared to usual.
    pub enum VolatilityRegime {
        /// Less than usual.
        Low = "low",
        /// About as much as usual.
        Normal = "normal",
        /// More than usual.
        High = "high",
        /// Far more than usual.
        Extreme = "extreme",
    }

    /// Which part of the trading day it is.
    pub enum Session {
        /// Asian hours.
        Asia = "asia",
        /// London hours.
        London = "london",
        /// New York hours.
        Newyork = "newyork",
        /// London and New York together.
        Overlap = "overlap",
    }
}

/// The fields that likeness is measured on; `None` is unknown, and never counts as alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextVector {
    /// What the market does.
    pub regime: Option<Regime>,
    /// How much it moves.
    pub volatility_regime: Option<VolatilityRegime>,
    /// The part of the day.
    pub session: Option<Session>,
    /// Average true range of a day, in units of price.
    pub atr_d1: Option<f64>,
    /// Average true range of an hour, in units of price.
    pub atr_h1: Option<f64>,
    /// The spread as a share of the average true range of five minutes.
    pub spread_as_atr_pct: Option<f64>,
    /// Loss from the last peak of equity, as a share of it, 0 to 1.
    pub drawdown_pct: Option<f64>,
    /// The price that the decision was made at.
    pub price: Option<f64>,
}

impl ContextVector {
    /// The measured fields, in the order of their weights.
    pub const fn measures(&self) -> [Option<f64>; 5] {
        [self.atr_d1, self.atr_h1, self.spread_as_atr_pct, self.drawdown_pct, self.price]
    }

    /// A field by its name, where it is known.
    pub fn field(&self, name: &str) -> Option<FieldValue<'static>> {
        match name {
            "regime" => self.regime.map(|regime| FieldValue::Text(regime.name())),
            "volatility_regime" => self.volatility_regime.map(|regime| FieldValue::Text(regime.name())),
            "session" => self.session.map(|session| FieldValue::Text(session.name())),
            _ => {
                let place = Self::MEASURES.iter().position(|measure| *measure == name)?;
                self.measures()[place].map(FieldValue::Number)
            }
        }
    }

    /// Names of the measured fields, in the same order.
    pub const MEASURES: [&'static str; 5] =
        ["atr_d1", "atr_h1", "spread_as_atr_pct", "drawdown_pct", "price"];
}
