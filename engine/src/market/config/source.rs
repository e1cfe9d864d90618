//! Where an asset's reference price comes from: recorded bars, or a regime-switching process.

use crate::market::Regime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One asset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssetConfig {
    /// Its name in tables; unique.
    pub symbol: String,
    /// Where its reference price comes from.
    pub source: AssetSource,
}

/// Where an asset's reference price comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "a scenario has at most 16 of them")]
pub enum AssetSource {
    /// Recorded bars, one a tick.
    Replay(RecordingConfig),
    /// A process with hidden regimes.
    Synthetic(SyntheticConfig),
}

/// Recorded bars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordingConfig {
    /// The file of bars, relative to the scenario's folder.
    pub file: String,
    /// First day to use, `YYYY-MM-DD` in UTC. Default: from the first bar.
    #[serde(default)]
    pub start: Option<String>,
    /// First day not to use any more, `YYYY-MM-DD` in UTC. Default: to the last bar.
    #[serde(default)]
    pub end: Option<String>,
}

/// A synthetic reference price. Its log return at each tick is drift (by regime) + autocorrelated noise + a pull
/// towards an anchor + a jump, less half the variance, so that without regime effects the price is a martingale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SyntheticConfig {
    /// Price when the warm-up begins, dollars a unit. Above 0, default 2000.
    pub start_price: f64,
    /// Standard deviation of a tick's log return before a regime multiplies it. 0.000001 to 0.2, default 0.002.
    pub volatility: f64,
    /// True: every regime effect is off and the price is a driftless martingale; regimes still come and go, as
    /// labels without meaning. Default false.
    pub martingale: bool,
    /// What each regime does to the price; keys left out keep their defaults.
    pub regimes: RegimeOverrides,
    /// Mean duration of a regime in ticks; the next one is any of the others with equal chance. At least 1,
    /// default 240. Unused when `transitions` is given.
    pub mean_regime_ticks: f64,
    /// Chances a tick of going from one regime (row) to another (column), in the order trending_up,
    /// trending_down, range_bound, volatile; each row sums to 1. Default: from `mean_regime_ticks`.
    pub transitions: Option<[[f64; Regime::COUNT]; Regime::COUNT]>,
    /// Chance of a jump at a tick. 0 to 1, default 0.001.
    pub jump_rate: f64,
    /// Standard deviation of a jump's log size. 0 to 0.5, default 0.01.
    pub jump_volatility: f64,
    /// Standard deviation of a tick's change of the log of volatility. 0 to 1, default 0.04.
    pub volatility_of_volatility: f64,
    /// Share by which log volatility returns to its mean each tick. 0 to 1, default 0.02.
    pub volatility_reversion: f64,
    /// Correlation of the noise with the first asset's. −1 to 1, default 0.5; unused by the first asset.
    pub correlation: f64,
    /// Half the bid-ask spread in bps of the price, in calm times. 0 to 1000, default 1.
    pub half_spread_bps: f64,
}

impl Default for SyntheticConfig {
    fn default() -> Self {
        Self {
            start_price: 2_000.0,
            volatility: 0.002,
            martingale: false,
            regimes: RegimeOverrides::default(),
            mean_regime_ticks: 240.0,
            transitions: None,
            jump_rate: 0.001,
            jump_volatility: 0.01,
            volatility_of_volatility: 0.04,
            volatility_reversion: 0.02,
            correlation: 0.5,
            half_spread_bps: 1.0,
        }
    }
}

/// What a regime does to a synthetic price.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegimeEffect {
    /// Mean log return a tick, in units of the asset's baseline volatility.
    pub drift: f64,
    /// The volatility as a multiple of the baseline.
    pub volatility_multiple: f64,
    /// Coefficient φ of the noise's AR(1).
    pub autocorrelation: f64,
    /// Share of the log distance to the anchor that is closed each tick.
    pub mean_reversion: f64,
}

impl RegimeEffect {
    /// No effect at all.
    pub const NONE: Self =
        Self { drift: 0.0, volatility_multiple: 1.0, autocorrelation: 0.0, mean_reversion: 0.0 };

    /// What a regime does unless the scenario says otherwise: trends drift by a fifth of a standard deviation or so
    /// a tick, ranges hold the price, wild markets more than double the noise and go nowhere.
    pub const fn default_of(regime: Regime) -> Self {
        match regime {
            Regime::TrendingUp => Self { drift: 0.18, autocorrelation: 0.05, ..Self::NONE },
            Regime::TrendingDown => Self { drift: -0.18, autocorrelation: 0.05, ..Self::NONE },
            Regime::RangeBound => Self { autocorrelation: -0.15, mean_reversion: 0.1, ..Self::NONE },
            Regime::Volatile => Self { volatility_multiple: 2.5, ..Self::NONE },
        }
    }
}

/// Changes to the effects of a regime; a key left out keeps that regime's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegimeOverride {
    /// Mean log return a tick in units of `volatility`. −5 to 5; defaults 0.18, −0.18, 0, 0.
    pub drift: Option<f64>,
    /// The volatility as a multiple of `volatility`. 0.01 to 20; defaults 1, 1, 1, 2.5.
    pub volatility_multiple: Option<f64>,
    /// First-order autocorrelation of the noise. −0.95 to 0.95; defaults 0.05, 0.05, −0.15, 0.
    pub autocorrelation: Option<f64>,
    /// Share of the distance to the anchor closed each tick. 0 to 1; defaults 0, 0, 0.1, 0. The anchor starts at
    /// the price at which the regime began and follows the price slowly (1/256 of the distance a tick).
    pub mean_reversion: Option<f64>,
}

impl RegimeOverride {
    /// The regime's effect with these changes.
    pub fn apply(&self, regime: Regime) -> RegimeEffect {
        let default = RegimeEffect::default_of(regime);
        RegimeEffect {
            drift: self.drift.unwrap_or(default.drift),
            volatility_multiple: self.volatility_multiple.unwrap_or(default.volatility_multiple),
            autocorrelation: self.autocorrelation.unwrap_or(default.autocorrelation),
            mean_reversion: self.mean_reversion.unwrap_or(default.mean_reversion),
        }
    }
}

/// Changes to the effects of the four regimes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RegimeOverrides {
    /// A rising market.
    pub trending_up: RegimeOverride,
    /// A falling market.
    pub trending_down: RegimeOverride,
    /// A market held between walls.
    pub range_bound: RegimeOverride,
    /// A wild market without direction.
    pub volatile: RegimeOverride,
}

impl RegimeOverrides {
    /// The changes to one regime.
    pub fn of(&self, regime: Regime) -> &RegimeOverride {
        match regime {
            Regime::TrendingUp => &self.trending_up,
            Regime::TrendingDown => &self.trending_down,
            Regime::RangeBound => &self.range_bound,
            Regime::Volatile => &self.volatile,
        }
    }
}
