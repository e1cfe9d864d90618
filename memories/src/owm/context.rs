//! The context of a memory or of the present: the eight fields of the similarity (digest section 3). The document has seven in one place
//! and eight where it defines the similarity; it is eight here (ruling C-2). It is a feature vector of market state: three labels (market
//! regime, volatility regime, trading session) and five numbers (two ranges and the price in units of price, spread and drawdown as shares
//! despite `_pct` in their names, which are the document's). The caller fills it: a golem's memory from the market, the `owm` tools from a
//! user's JSON (`--prices` completes trades from bars), the validation from price bars and its accounts. Nothing here computes a regime.
//! Only the `owm` tools check that a drawdown is a share from 0 to 1. Golems give their slow and their fast range for those of a day and an
//! hour, because distances are relative and need no common span.

use super::trigger::FieldValue;
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// Market regime: trending up, trending down, ranging or volatile. The caller classifies it.
    pub enum Regime {
        /// Prices rise.
        TrendingUp = "trending_up",
        /// Prices fall.
        TrendingDown = "trending_down",
        /// Prices move about a level.
        Ranging = "ranging",
        /// Prices move far up and down without a trend.
        Volatile = "volatile",
    }

    /// Volatility regime: volatility of prices relative to the usual one, low to extreme.
    pub enum VolatilityRegime {
        /// Below the usual volatility.
        Low = "low",
        /// About the usual volatility.
        Normal = "normal",
        /// Above the usual volatility.
        High = "high",
        /// Far above the usual volatility.
        Extreme = "extreme",
    }

    /// Trading session of the day: Asia, London, New York, or the overlap of the last two (market hours).
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

/// The market context as a feature vector: the fields of the similarity. `None` is unknown and never counts as equal, not even to another
/// unknown (ruling C-3): two memories of which nothing is known would be perfectly similar otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextVector {
    /// Regime of the market.
    pub regime: Option<Regime>,
    /// Volatility of prices.
    pub volatility_regime: Option<VolatilityRegime>,
    /// Session of the trading day.
    pub session: Option<Session>,
    /// Average true range of a day, in units of price.
    pub atr_d1: Option<f64>,
    /// Average true range of an hour, in units of price.
    pub atr_h1: Option<f64>,
    /// The spread as a share of the average true range of five minutes.
    pub spread_as_atr_pct: Option<f64>,
    /// Drawdown from the last peak of equity, as a share of it, 0 to 1.
    pub drawdown_pct: Option<f64>,
    /// The price at the decision.
    pub price: Option<f64>,
}

impl ContextVector {
    /// The measured (numeric) fields, in the order of their weights, because `SimilarityConfig` has weights and bandwidths as lists.
    pub const fn measures(&self) -> [Option<f64>; 5] {
        [self.atr_d1, self.atr_h1, self.spread_as_atr_pct, self.drawdown_pct, self.price]
    }

    /// Looks up the value of a field (feature) by its name; `None` for an unknown value or name.
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

    /// Names of the numeric fields, in the order of [`ContextVector::measures`].
    pub const MEASURES: [&'static str; 5] =
        ["atr_d1", "atr_h1", "spread_as_atr_pct", "drawdown_pct", "price"];
}
