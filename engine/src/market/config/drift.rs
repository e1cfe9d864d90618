//! A law that drifts: what pays, by named laws that come, go and come again. It is concept drift (non-stationarity, structural breaks,
//! change points) with recurring regimes: what a memory learned under a law is of use while that law holds, and when it comes again.
//!
//! A law is a set of parameter overrides (a market regime with a name). Its keys have the units of the asset's own, times are in ticks.
//! Without laws nothing drifts. Eras are planned (`changes`) or drawn (`mean_era_ticks`), never both. Laws of synthetic assets alone can
//! change; a law about a recorded asset is refused. No golem sees a law or its change but by prices and fees; oracle memories, the event
//! log and the tables do. A course is by regime: its mean log return and its mean reversion. A law change is a regime change.

use super::{AssetConfig, AssetSource, MarketConfig, RegimeOverride, RegimeOverrides, SyntheticConfig};
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
        regimes: LawRegimes;
        /// Standard deviation of a tick's log return before a regime multiplies it.
        #[serde(default)]
        volatility: Option<f64>, in 1e-6..=0.2, "standard deviation";
    }
}

keys! {
    /// What the regimes do to the price under a law.
    #[derive(Copy)]
    pub struct LawRegimes {
        /// A rising market.
        trending_up: LawTrend = LawTrend::default();
        /// A falling market.
        trending_down: LawTrend = LawTrend::default();
        /// A market held between walls.
        range_bound: LawCourse = LawCourse::default();
        /// A wild market without direction.
        volatile: LawCourse = LawCourse::default();
    }
}

keys! {
    /// What a trend does to the price under a law; a key left out is the asset's own.
    #[derive(Copy)]
    pub struct LawTrend {
        /// Mean log return a tick in units of `volatility`.
        drift: Option<f64> = None, in -5.0..=5.0, "volatilities";
        /// First-order autocorrelation of the noise.
        autocorrelation: Option<f64> = None, in -0.95..=0.95, "correlation";
        /// Share of the distance to the anchor closed each tick.
        mean_reversion: Option<f64> = None, in 0.0..=1.0, "share";
    }
}

keys! {
    /// What another regime does to the price under a law; a key left out is the asset's own.
    #[derive(Copy)]
    pub struct LawCourse {
        /// Mean log return a tick in units of `volatility`.
        drift: Option<f64> = None, in -5.0..=5.0, "volatilities";
        /// Share of the distance to the anchor closed each tick.
        mean_reversion: Option<f64> = None, in 0.0..=1.0, "share";
    }
}

keys! {
    /// A law comes into force.
    pub struct LawChangeConfig {
        /// The first tick of its era: it is in force at once, one of tick 0 has been so during the warm-up.
        tick: Tick, in 0.., "ticks";
        /// The law, by its name.
        law: String;
    }
}

impl LawConfig {
    /// Whether the law applies to an asset, by its ticker symbol. A law that names no assets is about all.
    pub fn concerns(&self, symbol: &str) -> bool {
        self.assets.is_empty() || self.assets.iter().any(|own| own == symbol)
    }

    /// Overrides an asset's keys by this law's. What isn't a law's is the asset's: the start price, the martingale, how long regimes last,
    /// their multiples of volatility, the correlation and the spread.
    pub fn over(&self, base: &SyntheticConfig) -> SyntheticConfig {
        let (own, law) = (&base.regimes, &self.regimes);
        SyntheticConfig {
            regimes: RegimeOverrides {
                trending_up: law.trending_up.over(&own.trending_up),
                trending_down: law.trending_down.over(&own.trending_down),
                range_bound: law.range_bound.over(&own.range_bound),
                volatile: law.volatile.over(&own.volatile),
            },
            volatility: self.volatility.unwrap_or(base.volatility),
            ..base.clone()
        }
    }
}

impl LawTrend {
    /// These changes, and where a key is left out those of the asset's own table.
    fn over(&self, own: &RegimeOverride) -> RegimeOverride {
        RegimeOverride {
            autocorrelation: self.autocorrelation.or(own.autocorrelation),
            ..LawCourse { drift: self.drift, mean_reversion: self.mean_reversion }.over(own)
        }
    }
}

impl LawCourse {
    /// These changes, and where a key is left out those of the asset's own table.
    fn over(&self, own: &RegimeOverride) -> RegimeOverride {
        RegimeOverride {
            drift: self.drift.or(own.drift),
            mean_reversion: self.mean_reversion.or(own.mean_reversion),
            ..*own
        }
    }
}

impl DriftConfig {
    /// Lists the names of laws, by which laws are numbered: `base` is 0, the others follow in the order in which they are first named.
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
    pub(crate) fn is_on(&self) -> bool {
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
            table.demand(
                change.tick > before.tick,
                "tick",
                change.tick,
                "must come after the change before it",
            );
        }
        let (repeat, first, last) = (self.repeat_ticks, self.changes.first(), self.changes.last());
        if let (1.., Some(first), Some(last)) = (repeat, first, last) {
            let remedy = "must be long enough for all market.drift.changes";
            table.demand(first.tick.saturating_add(repeat) > last.tick, "repeat_ticks", repeat, remedy);
        }
        let needless = repeat > 0 && self.changes.is_empty();
        table.demand(!needless, "repeat_ticks", repeat, "must be 0 without market.drift.changes");
    }
}

impl MarketConfig {
    /// A stationary variant of the market (without concept drift), with one law for ever, by its number in [`DriftConfig::names`]. Ground
    /// truth is estimated under it, law by law, because an era is too short to estimate anything from.
    ///
    /// # Panics
    /// When there is no law of that number.
    #[must_use]
    pub fn under_law(&self, law: usize) -> Self {
        let name = self.drift.names()[law].to_owned();
        let changes = vec![LawChangeConfig { tick: 0, law: name }];
        let drift = match law {
            0 => DriftConfig::default(),
            _ => DriftConfig { laws: self.drift.laws.clone(), changes, ..DriftConfig::default() },
        };
        Self { drift, ..self.clone() }
    }
}
