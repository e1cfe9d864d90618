//! Where an asset's reference price comes from: recorded bars (price history from a CSV file, with a date range), or a regime-switching
//! process. An asset is a ticker symbol with such a data source.
//!
//! The synthetic process is a hidden Markov model of four regimes with drift, autocorrelation, mean reversion, stochastic volatility and
//! jumps; `market::synthetic` has the formulas. Quantities are a tick's: log returns, standard deviations, probabilities; spreads are in
//! basis points. Without regime effects it is a martingale, the null on which no forecast of the price can pay; liquidity still earns fees.
//! Overrides are partial configurations that are merged with defaults. An asset configuration names the price source: a synthetic asset or
//! instrument, or a price file. A recording is historical market data, as for a backtest.

use crate::market::Regime;
use morta_base::TableChecker;
use morta_base::keys;
use morta_base::keys::{Free, KeyValue, Keys};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

keys! {
    /// One asset.
    pub struct AssetConfig {
        /// Its name in tables; unique.
        symbol: String;
        /// Where its reference price comes from.
        source: AssetSource;
    }
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

impl KeyValue for AssetSource {
    type Rule = Free;

    fn check_key(&self, _: &Free, name: &str, table: &mut TableChecker<'_>) {
        let mut table = table.table(name);
        match self {
            Self::Replay(recording) => recording.check_keys(&mut table),
            Self::Synthetic(synthetic) => synthetic.check_keys(&mut table),
        }
    }
}

keys! {
    /// Recorded bars.
    pub struct RecordingConfig {
        /// The file of bars, relative to the scenario's folder.
        file: String;
        /// First day to use, `YYYY-MM-DD` in UTC. Default: from the first bar.
        #[serde(default)]
        start: Option<String>;
        /// First day not to use any more, `YYYY-MM-DD` in UTC. Default: to the last bar.
        #[serde(default)]
        end: Option<String>;
    }
    also file_is_named;
}

impl RecordingConfig {
    fn file_is_named(&self, table: &mut TableChecker<'_>) {
        table.demand(!self.file.trim().is_empty(), "file", "\"\"", "name a file of bars");
    }
}

keys! {
    /// A synthetic reference price. Its log return at each tick is drift (by regime) + autocorrelated noise + a pull
    /// towards an anchor + a jump, less half the variance, so that without regime effects the price is a martingale.
    pub struct SyntheticConfig {
        /// Price of a unit when the warm-up begins.
        start_price: f64 = 2_000.0, in 1e-6..=1e7, "dollars";
        /// Standard deviation of a tick's log return before a regime multiplies it.
        volatility: f64 = 0.002, in 1e-6..=0.2, "standard deviation";
        /// True: every regime effect is off and the price is a driftless martingale; regimes still come and go, as
        /// labels without meaning. Default false.
        martingale: bool = false;
        /// What each regime does to the price; keys left out keep their defaults.
        regimes: RegimeOverrides = RegimeOverrides::default();
        /// Mean duration of a regime; the next one is any of the others with equal chance. Unused when `transitions` is
        /// given.
        mean_regime_ticks: f64 = 240.0, in 1.0..=1e9, "ticks";
        /// Chances a tick of going from one regime (row) to another (column), in the order trending_up, trending_down,
        /// range_bound, volatile; each row sums to 1. Default: from `mean_regime_ticks`.
        transitions: Option<[[f64; Regime::COUNT]; Regime::COUNT]> = None, in 0.0..=1.0, "probability";
        /// Correlation of the noise with the first asset's; unused by the first asset.
        correlation: f64 = 0.5, in -1.0..=1.0, "correlation";
        /// Half the bid-ask spread in bps of the price, in calm times.
        half_spread_bps: f64 = 1.0, in 0.0..=1_000.0, "bps";
    }
    also rows_add_up;
}

/// How far from 1 the sum of a row may be: decimals like 0.1 leave as much when they are added.
const ROW_SUM_TOLERANCE: f64 = 1e-9;

impl SyntheticConfig {
    fn rows_add_up(&self, table: &mut TableChecker<'_>) {
        for (row, chances) in self.transitions.iter().flatten().enumerate() {
            let sum: f64 = chances.iter().sum();
            let good = (sum - 1.0).abs() <= ROW_SUM_TOLERANCE;
            let remedy = "the chances of a row must sum to 1";
            table.demand(good, &format!("transitions.{row}"), format!("{chances:?}"), remedy);
        }
    }
}

/// The parameters of one state of the Markov-switching model: the effects of a regime on a synthetic price. Among them are drift,
/// volatility multiple and autocorrelation.
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

    /// The default parameters of the hidden Markov regimes: the effects of a regime where the scenario has no override. Trends drift by a
    /// fifth of a standard deviation or so a tick, ranges hold the price, wild markets more than double the noise and go nowhere.
    ///
    /// Our choice, so that each strategy pays somewhere: a drift of .18 is a t-statistic of 1.25 in the slow window of 48 ticks, which
    /// trend following acts on and chance often enough exceeds; 2.5 times the noise is beyond the 1.6 from which golems read a volatile
    /// market.
    pub(crate) const fn default_of(regime: Regime) -> Self {
        match regime {
            Regime::TrendingUp => Self { drift: 0.18, autocorrelation: 0.05, ..Self::NONE },
            Regime::TrendingDown => Self { drift: -0.18, autocorrelation: 0.05, ..Self::NONE },
            Regime::RangeBound => Self { autocorrelation: -0.15, mean_reversion: 0.1, ..Self::NONE },
            Regime::Volatile => Self { volatility_multiple: 2.5, ..Self::NONE },
        }
    }
}

keys! {
    /// Changes to the effects of a regime; a key left out keeps that regime's default.
    #[derive(Copy)]
    pub struct RegimeOverride {
        /// Mean log return a tick in units of `volatility`. By regime: 0.18, −0.18, 0, 0.
        drift: Option<f64> = None, in -5.0..=5.0, "volatilities";
        /// The volatility as a multiple of `volatility`. By regime: 1, 1, 1, 2.5.
        volatility_multiple: Option<f64> = None, in 0.01..=20.0, "factor";
        /// First-order autocorrelation of the noise. By regime: 0.05, 0.05, −0.15, 0.
        autocorrelation: Option<f64> = None, in -0.95..=0.95, "correlation";
        /// Share of the distance to the anchor closed each tick. By regime: 0, 0, 0.1, 0. The anchor starts at the
        /// price at which the regime began and follows the price slowly (1/256 of the distance a tick).
        mean_reversion: Option<f64> = None, in 0.0..=1.0, "share";
    }
}

impl RegimeOverride {
    /// Overrides the regime's default effect by these changes. A martingale never applies them.
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

keys! {
    /// Changes to the effects of the four regimes.
    #[derive(Copy)]
    pub struct RegimeOverrides {
        /// A rising market.
        trending_up: RegimeOverride = RegimeOverride::default();
        /// A falling market.
        trending_down: RegimeOverride = RegimeOverride::default();
        /// A market held between walls.
        range_bound: RegimeOverride = RegimeOverride::default();
        /// A wild market without direction.
        volatile: RegimeOverride = RegimeOverride::default();
    }
}

impl RegimeOverrides {
    /// Looks up the overrides of one regime.
    pub(crate) fn for_regime(&self, regime: Regime) -> &RegimeOverride {
        match regime {
            Regime::TrendingUp => &self.trending_up,
            Regime::TrendingDown => &self.trending_down,
            Regime::RangeBound => &self.range_bound,
            Regime::Volatile => &self.volatile,
        }
    }
}
