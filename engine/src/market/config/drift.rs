//! A law that drifts: what pays, by named laws that come, go and come again. It is concept drift (non-stationarity, structural breaks,
//! change points) with recurring regimes: what a memory learned under a law is of use while that law holds, and when it comes again.
//!
//! A law is a set of parameter overrides (a market regime with a name). Its keys have the units of the asset's own, times are in ticks.
//! Without laws nothing drifts. Eras are planned (`changes`) or drawn (`mean_era_ticks`), never both. Laws of synthetic assets alone can
//! change; a law about a recorded asset is refused. No golem sees a law or its change but by prices and fees; oracle memories, the event
//! log and the tables do.

use super::{
    AssetConfig, AssetSource, MarketConfig, RegimeOverride, RegimeOverrides, SyntheticConfig,
    source::check_rows,
};
use crate::market::Regime;
use morta_base::keys;
use morta_base::{TableChecker, Tick};

/// Name of the law that the assets' own keys make: it is in force until another is.
pub const BASE_LAW: &str = "base";
/// Most entries of laws, because each law costs a walk of 20,000 ticks and a truth table before a run with oracles.
const LAWS_MAX: usize = 32;

keys! {
    /// What pays changes: laws by name, and when which is in force. Without laws the assets' own keys hold for ever. Only synthetic
    /// assets have a law that can change.
    pub struct DriftConfig {
        /// The laws besides `base`, which is that of the assets' own keys. Entries of one name are one law, if they are about
        /// different assets.
        laws: Vec<LawConfig> = Vec::new(), len 0..=LAWS_MAX;
        /// When which law comes into force, in the order of time.
        changes: Vec<LawChangeConfig> = Vec::new(), len 0..=10_000;
        /// The changes come again every so many ticks; 0: they come once.
        repeat_ticks: Tick = 0, in 0..=1_000_000_000_000, "ticks";
        /// Mean duration of an era where the world's seed draws the changes instead: an era lasts at least as long as its law takes to
        /// come into force, and from there on ends at every tick with the same chance; the next law is any of the others (`base` is
        /// one of them), with equal chance. The first era is that of `base`. 0: nothing is drawn.
        mean_era_ticks: f64 = 0.0, in 0.0..=1e9, "ticks";
        /// How long a law that was drawn takes to come into force; 0: it is in force at once.
        era_over_ticks: Tick = 0, in 0..=1_000_000_000, "ticks";
    }
}

keys! {
    /// One law: the keys in which it differs from `base`. A key left out is as it is in the asset's own table. An asset that is a
    /// martingale stays one: effects of regimes are off under every law.
    pub struct LawConfig {
        /// Its name; `base` is taken.
        name: String;
        /// Symbols of the assets it is about; all others keep their own keys. Default: all assets.
        #[serde(default)]
        assets: Vec<String>, len 0..=16;
        /// What each regime does to the price; a key left out is the asset's own.
        #[serde(default)]
        regimes: RegimeOverrides;
        /// Mean duration of a regime, instead of the asset's `mean_regime_ticks` or `transitions`.
        #[serde(default)]
        mean_regime_ticks: Option<f64>, in 1.0..=1e9, "ticks";
        /// Chances a tick of going from one regime to another, as in the asset's own table.
        #[serde(default)]
        transitions: Option<[[f64; Regime::COUNT]; Regime::COUNT]>, in 0.0..=1.0, "probability";
        /// Standard deviation of a tick's log return before a regime multiplies it.
        #[serde(default)]
        volatility: Option<f64>, in 1e-6..=0.2, "standard deviation";
        /// Chance of a jump at a tick.
        #[serde(default)]
        jump_rate: Option<f64>, in 0.0..=1.0, "probability";
        /// Standard deviation of a jump's log size.
        #[serde(default)]
        jump_volatility: Option<f64>, in 0.0..=0.5, "standard deviation";
        /// Standard deviation of a tick's change of the log of volatility.
        #[serde(default)]
        volatility_of_volatility: Option<f64>, in 0.0..=1.0, "standard deviation";
        /// Share by which log volatility returns to its mean each tick.
        #[serde(default)]
        volatility_reversion: Option<f64>, in 0.0..=1.0, "share";
        /// Correlation of the noise with the first asset's.
        #[serde(default)]
        correlation: Option<f64>, in -1.0..=1.0, "correlation";
        /// Half the bid-ask spread in bps of the price, in calm times.
        #[serde(default)]
        half_spread_bps: Option<f64>, in 0.0..=1_000.0, "bps";
        /// Fee of a swap in the asset's pool, in bps.
        #[serde(default)]
        fee_bps: Option<f64>, in 0.0..=1_000.0, "bps";
    }
}

keys! {
    /// A law comes into force.
    pub struct LawChangeConfig {
        /// The first tick of its era. A law that is in force at once at tick 0 has been so during the warm-up.
        tick: Tick, in 0.., "ticks";
        /// The law, by its name.
        law: String;
        /// How long it takes to come into force, in a straight line from the law before it: every key that is a number is the mean of
        /// the two, weighted. 0: it is in force at once.
        #[serde(default)]
        over_ticks: Tick, in 0..=1_000_000_000, "ticks";
    }
}

impl LawConfig {
    /// A filter by ticker symbol: whether the law applies to an asset. A law that names no assets is about all. A membership predicate.
    pub fn concerns(&self, symbol: &str) -> bool {
        self.assets.is_empty() || self.assets.iter().any(|own| own == symbol)
    }

    /// An asset's keys under this law: parameter overriding (a merge of configurations; an override overlay). Chances of transitions, where
    /// given, win over a mean duration, as in an asset's own table; the start price and the martingale are never a law's, since they would
    /// make another asset of it. The pool's fee is no key of the asset and is taken from the law elsewhere (`Drift`).
    pub fn over(&self, base: &SyntheticConfig) -> SyntheticConfig {
        let (mean_regime_ticks, transitions) = match (self.transitions, self.mean_regime_ticks) {
            (Some(rows), _) => (base.mean_regime_ticks, Some(rows)),
            (None, Some(mean)) => (mean, None),
            (None, None) => (base.mean_regime_ticks, base.transitions),
        };
        let regime = |of: fn(&RegimeOverrides) -> &RegimeOverride| of(&self.regimes).or(of(&base.regimes));
        SyntheticConfig {
            start_price: base.start_price,
            martingale: base.martingale,
            regimes: RegimeOverrides {
                trending_up: regime(|of| &of.trending_up),
                trending_down: regime(|of| &of.trending_down),
                range_bound: regime(|of| &of.range_bound),
                volatile: regime(|of| &of.volatile),
            },
            mean_regime_ticks,
            transitions,
            volatility: self.volatility.unwrap_or(base.volatility),
            jump_rate: self.jump_rate.unwrap_or(base.jump_rate),
            jump_volatility: self.jump_volatility.unwrap_or(base.jump_volatility),
            volatility_of_volatility: self.volatility_of_volatility.unwrap_or(base.volatility_of_volatility),
            volatility_reversion: self.volatility_reversion.unwrap_or(base.volatility_reversion),
            correlation: self.correlation.unwrap_or(base.correlation),
            half_spread_bps: self.half_spread_bps.unwrap_or(base.half_spread_bps),
        }
    }
}

impl RegimeOverride {
    /// These changes, and where a key is left out those of another.
    fn or(&self, other: &Self) -> Self {
        Self {
            drift: self.drift.or(other.drift),
            volatility_multiple: self.volatility_multiple.or(other.volatility_multiple),
            autocorrelation: self.autocorrelation.or(other.autocorrelation),
            mean_reversion: self.mean_reversion.or(other.mean_reversion),
        }
    }
}

impl DriftConfig {
    /// The index of unique law names, by which laws are numbered: `base` is 0, the others follow in the order in which they are first
    /// named. It deduplicates in order of appearance.
    pub fn names(&self) -> Vec<&str> {
        let mut names = vec![BASE_LAW];
        for law in &self.laws {
            if !names.contains(&law.name.as_str()) {
                names.push(&law.name);
            }
        }
        names
    }

    /// A feature flag: whether laws are planned or drawn at all (concept drift). It is enabled by changes or by random eras, also by a
    /// single change at tick 0, after which one law holds for ever.
    pub fn is_on(&self) -> bool {
        !self.changes.is_empty() || self.mean_era_ticks > 0.0
    }

    /// The cross-field checks of laws and changes.
    pub(super) fn check(&self, assets: &[AssetConfig], table: &mut TableChecker<'_>) {
        for (place, law) in self.laws.iter().enumerate() {
            self.check_law(place, law, assets, &mut table.table(&format!("laws.{place}")));
        }
        self.check_changes(table);
        let (mean, laws) = (self.mean_era_ticks, self.laws.len());
        let drawn = mean > 0.0;
        table.demand(!drawn || mean >= 1.0, "mean_era_ticks", mean, "must be 0 or at least 1");
        table.demand(!drawn || laws > 0, "mean_era_ticks", mean, "must be 0 without market.drift.laws");
        let remedy = "must be 0 where market.drift.changes are planned: an era is drawn or planned, not both";
        table.demand(!drawn || self.changes.is_empty(), "mean_era_ticks", mean, remedy);
        let remedy = "must be 0 where no era is drawn (market.drift.mean_era_ticks is 0)";
        table.demand(drawn || self.era_over_ticks == 0, "era_over_ticks", self.era_over_ticks, remedy);
    }

    fn check_law(&self, place: usize, law: &LawConfig, assets: &[AssetConfig], table: &mut TableChecker<'_>) {
        let name = law.name.trim();
        let remedy = "must be a name other than \"base\", which is the law of the assets' own keys";
        table.demand(!name.is_empty() && name != BASE_LAW, "name", &law.name, remedy);
        let about = |law: &LawConfig, asset: &&AssetConfig| law.concerns(&asset.symbol);
        let overlaps = self.laws[..place].iter().any(|other| {
            other.name == law.name && assets.iter().any(|asset| about(law, &asset) && about(other, &asset))
        });
        let remedy = "another entry of this name is about one of its assets";
        table.demand(!overlaps, "name", &law.name, remedy);
        for symbol in &law.assets {
            let known = assets.iter().any(|asset| asset.symbol == *symbol);
            table.demand(known, "assets", symbol, "must be symbols of market.assets");
        }
        for asset in assets.iter().filter(|asset| about(law, asset)) {
            let synthetic = matches!(asset.source, AssetSource::Synthetic(_));
            let remedy = "is replayed from a recording, whose law can't change: name synthetic assets only";
            table.demand(synthetic, "assets", &asset.symbol, remedy);
        }
        check_rows(law.transitions.as_ref(), table);
    }

    fn check_changes(&self, table: &mut TableChecker<'_>) {
        let names = self.names();
        for (place, change) in self.changes.iter().enumerate() {
            let mut table = table.table(&format!("changes.{place}"));
            let known = names.contains(&change.law.as_str());
            table.demand(
                known,
                "law",
                &change.law,
                "must be \"base\" or the name of one of market.drift.laws",
            );
            let Some(before) = place.checked_sub(1).map(|before| &self.changes[before]) else { continue };
            let begun = before.tick.saturating_add(before.over_ticks.max(1));
            let remedy = "must come after the change before it, and not before that law is wholly in force";
            table.demand(change.tick >= begun, "tick", change.tick, remedy);
        }
        let (repeat, first, last) = (self.repeat_ticks, self.changes.first(), self.changes.last());
        if let (1.., Some(first), Some(last)) = (repeat, first, last) {
            let whole = last.tick.saturating_add(last.over_ticks.max(1));
            let remedy = "must be long enough for all market.drift.changes, the last one wholly in force";
            table.demand(first.tick.saturating_add(repeat) >= whole, "repeat_ticks", repeat, remedy);
        }
        let needless = repeat > 0 && self.changes.is_empty();
        table.demand(!needless, "repeat_ticks", repeat, "must be 0 without market.drift.changes");
    }
}

impl MarketConfig {
    /// A stationary variant of the market, with one law for ever, by its number in [`DriftConfig::names`]. Ground truth is estimated under
    /// it, law by law, because an era is too short to estimate anything from. It is a copy of the configuration without concept drift.
    ///
    /// # Panics
    /// When there is no law of that number.
    #[must_use]
    pub fn under_law(&self, law: usize) -> Self {
        let name = self.drift.names()[law].to_owned();
        let changes = vec![LawChangeConfig { tick: 0, law: name, over_ticks: 0 }];
        let drift = match law {
            0 => DriftConfig::default(),
            _ => DriftConfig { laws: self.drift.laws.clone(), changes, ..DriftConfig::default() },
        };
        Self { drift, ..self.clone() }
    }
}
