//! Every way a `[market]` table can be wrong, each with its key and its remedy.

use super::{AssetConfig, AssetSource, MarketConfig, ScheduledShock, SyntheticConfig};
use crate::base::Problem;
use crate::market::{Regime, ShockKind};

/// Most assets of a scenario; the views and tables of more would not fit a golem's budget of work.
pub const ASSETS_MAX: u32 = 16;
/// Largest depth in units of an asset, so that reserves in billionths stay within 64 bits with room for the
/// price to fall a hundredfold and the depth to grow fivefold.
pub(crate) const DEPTH_UNITS_MAX: f64 = 9e6;
/// Least depth in units of an asset: with less, a billionth of a unit would be a visible step of the price.
pub(crate) const DEPTH_UNITS_MIN: f64 = 1e-2;
/// Most planned shocks, so that finding those of a tick stays cheap.
const SCHEDULED_MAX: u32 = 10_000;
const ROW_SUM_TOLERANCE: f64 = 1e-9;

/// Collects problems under a dotted path.
struct Checker {
    problems: Vec<Problem>,
}

impl Checker {
    fn reject(&mut self, key: &str, value: impl std::fmt::Display, remedy: &str) {
        self.problems.push(Problem::new(key, value, remedy));
    }

    fn within(&mut self, key: &str, value: f64, low: f64, high: f64, unit: &str) {
        // A NaN is in no range.
        if !(low..=high).contains(&value) {
            let remedy = format!("must be in {low}..={high}{}{unit}", if unit.is_empty() { "" } else { " " });
            self.reject(key, value, &remedy);
        }
    }

    fn probability(&mut self, key: &str, value: f64) {
        self.within(key, value, 0.0, 1.0, "");
    }
}

impl MarketConfig {
    /// Everything wrong with the table; empty when a world can be made of it.
    pub fn check(&self) -> Vec<Problem> {
        let mut checker = Checker { problems: Vec::new() };
        self.check_frame(&mut checker);
        self.check_assets(&mut checker);
        self.check_venues(&mut checker);
        self.check_shocks(&mut checker);
        checker.problems
    }

    fn check_frame(&self, checker: &mut Checker) {
        if ![16, 32, 64].contains(&self.embedding_dimensions) {
            checker.reject("market.embedding_dimensions", self.embedding_dimensions, "must be 16, 32 or 64");
        }
        let (first, last) = (-62_135_596_800.0, 253_402_300_799.0);
        checker.within("market.start_time_s", self.start_time_s as f64, first, last, "seconds");
        checker.within("market.tick_seconds", f64::from(self.tick_seconds), 1.0, 86_400.0, "seconds");
        checker.within("market.start_within_bars", self.start_within_bars as f64, 0.0, 1e7, "bars");
        checker.within("market.warmup_ticks", f64::from(self.warmup_ticks), 0.0, 100_000.0, "ticks");
    }

    fn check_assets(&self, checker: &mut Checker) {
        let count = self.assets.len();
        if count == 0 || count > ASSETS_MAX as usize {
            checker.reject("market.assets", format!("{count} assets"), "give 1 to 16 assets");
        }
        for (index, asset) in self.assets.iter().enumerate() {
            let key = format!("market.assets[{index}]");
            if asset.symbol.trim().is_empty() {
                checker.reject(&format!("{key}.symbol"), "\"\"", "give the asset a name");
            }
            if self.assets[..index].iter().any(|other| other.symbol == asset.symbol) {
                checker.reject(
                    &format!("{key}.symbol"),
                    &asset.symbol,
                    "must differ from every other symbol",
                );
            }
            self.check_source(checker, &format!("{key}.source"), asset);
        }
    }

    fn check_source(&self, checker: &mut Checker, key: &str, asset: &AssetConfig) {
        match &asset.source {
            AssetSource::Replay(replay) => {
                if replay.file.trim().is_empty() {
                    checker.reject(&format!("{key}.file"), "\"\"", "name a file of bars");
                }
            }
            AssetSource::Synthetic(synthetic) => {
                check_synthetic(checker, key, synthetic);
                let depth = self.pool.depth_usdc;
                let (least, most) = (depth / DEPTH_UNITS_MAX, depth / DEPTH_UNITS_MIN);
                if synthetic.start_price < least || synthetic.start_price > most {
                    let remedy = format!("must be in {least}..={most} with this market.pool.depth_usdc");
                    checker.reject(&format!("{key}.start_price"), synthetic.start_price, &remedy);
                }
            }
        }
    }

    fn check_venues(&self, checker: &mut Checker) {
        let (pool, gas, oracle) = (&self.pool, &self.gas, &self.oracle);
        checker.within("market.pool.fee_bps", pool.fee_bps, 0.0, 1_000.0, "bps");
        checker.within("market.pool.depth_usdc", pool.depth_usdc, 100.0, 1e9, "dollars");
        checker.within("market.pool.depth_volatility", pool.depth_volatility, 0.0, 1.0, "");
        checker.probability("market.pool.depth_reversion", pool.depth_reversion);
        checker.probability("market.pool.arbitrage_rate", pool.arbitrage_rate);
        checker.within("market.pool.noise_volume_share", pool.noise_volume_share, 0.0, 10.0, "");
        checker.within("market.gas.base_usdc", gas.base_usdc, 0.0, 1_000.0, "dollars");
        checker.probability("market.gas.reversion", gas.reversion);
        checker.within("market.gas.volatility", gas.volatility, 0.0, 2.0, "");
        checker.probability("market.gas.spike_rate", gas.spike_rate);
        checker.within("market.gas.spike_multiple", gas.spike_multiple, 1.0, 1_000.0, "");
        checker.probability("market.gas.spike_decay", gas.spike_decay);
        checker.within("market.oracle.lag_ticks", f64::from(oracle.lag_ticks), 0.0, 10_000.0, "ticks");
        checker.within("market.oracle.deviation_bps", oracle.deviation_bps, 0.0, 1_000.0, "bps");
    }

    fn check_shocks(&self, checker: &mut Checker) {
        let shocks = &self.shocks;
        for kind in ShockKind::ALL {
            checker.probability(&format!("market.shocks.rates.{}", kind.name()), shocks.rates.of(kind));
        }
        check_force(checker, "market.shocks", shocks.duration_ticks, shocks.magnitude);
        if shocks.scheduled.len() > SCHEDULED_MAX as usize {
            let count = shocks.scheduled.len();
            checker.reject("market.shocks.scheduled", count, "plan at most 10000 shocks");
        }
        for (index, planned) in shocks.scheduled.iter().enumerate() {
            self.check_scheduled(checker, &format!("market.shocks.scheduled[{index}]"), planned);
        }
    }

    fn check_scheduled(&self, checker: &mut Checker, key: &str, planned: &ScheduledShock) {
        check_force(checker, key, planned.duration_ticks, planned.magnitude);
        let repeated = planned.kinds.iter().enumerate().any(|(i, kind)| planned.kinds[..i].contains(kind));
        if planned.kinds.is_empty() || repeated {
            checker.reject(&format!("{key}.kinds"), format!("{:?}", planned.kinds), "give 1 to 8, each once");
        }
        if planned.tick == 0 && self.warmup_ticks == 0 {
            checker.reject(&format!("{key}.tick"), 0, "must be at least 1 when market.warmup_ticks is 0");
        }
        if let Some(symbol) = &planned.asset
            && !self.assets.iter().any(|asset| asset.symbol == *symbol)
        {
            checker.reject(&format!("{key}.asset"), symbol, "must be the symbol of one of market.assets");
        }
    }
}

fn check_force(checker: &mut Checker, key: &str, duration_ticks: u32, magnitude: f64) {
    checker.within(&format!("{key}.duration_ticks"), f64::from(duration_ticks), 1.0, 100_000.0, "ticks");
    checker.within(&format!("{key}.magnitude"), magnitude, 0.0, 10.0, "");
}

fn check_synthetic(checker: &mut Checker, key: &str, synthetic: &SyntheticConfig) {
    let s = synthetic;
    for (name, value, low, high) in [
        ("start_price", s.start_price, 1e-6, 1e7),
        ("volatility", s.volatility, 1e-6, 0.2),
        ("mean_regime_ticks", s.mean_regime_ticks, 1.0, 1e9),
        ("jump_rate", s.jump_rate, 0.0, 1.0),
        ("jump_volatility", s.jump_volatility, 0.0, 0.5),
        ("volatility_of_volatility", s.volatility_of_volatility, 0.0, 1.0),
        ("volatility_reversion", s.volatility_reversion, 0.0, 1.0),
        ("correlation", s.correlation, -1.0, 1.0),
        ("half_spread_bps", s.half_spread_bps, 0.0, 1_000.0),
    ] {
        checker.within(&format!("{key}.{name}"), value, low, high, "");
    }
    for regime in Regime::ALL {
        let effect = s.regimes.of(regime).apply(regime);
        let key = format!("{key}.regimes.{}", regime.name());
        checker.within(&format!("{key}.drift"), effect.drift, -5.0, 5.0, "");
        checker.within(&format!("{key}.volatility_multiple"), effect.volatility_multiple, 0.01, 20.0, "");
        checker.within(&format!("{key}.autocorrelation"), effect.autocorrelation, -0.95, 0.95, "");
        checker.probability(&format!("{key}.mean_reversion"), effect.mean_reversion);
    }
    for (row, chances) in s.transitions.iter().flatten().enumerate() {
        let valid = chances.iter().all(|chance| (0.0..=1.0).contains(chance));
        if !valid || (chances.iter().sum::<f64>() - 1.0).abs() > ROW_SUM_TOLERANCE {
            let key = format!("{key}.transitions[{row}]");
            checker.reject(&key, format!("{chances:?}"), "must be chances in 0..=1 that sum to 1");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid() -> MarketConfig {
        let source = AssetSource::Synthetic(SyntheticConfig::default());
        MarketConfig {
            assets: vec![AssetConfig { symbol: "ETH".to_owned(), source }],
            ..MarketConfig::default()
        }
    }

    #[test]
    fn defaults_are_valid_once_there_is_an_asset() {
        assert_eq!(valid().check(), []);
        assert_eq!(MarketConfig::default().check()[0].key, "market.assets");
    }

    #[test]
    fn every_fault_names_its_key() {
        type Fault = (fn(&mut MarketConfig), &'static str);
        let faults: [Fault; 11] = [
            (|c| c.embedding_dimensions = 33, "market.embedding_dimensions"),
            (|c| c.pool.fee_bps = -1.0, "market.pool.fee_bps"),
            (|c| c.pool.depth_usdc = f64::NAN, "market.pool.depth_usdc"),
            (|c| c.pool.arbitrage_rate = 1.1, "market.pool.arbitrage_rate"),
            (|c| c.gas.volatility = f64::INFINITY, "market.gas.volatility"),
            (|c| c.oracle.lag_ticks = 10_001, "market.oracle.lag_ticks"),
            (|c| c.shocks.rates.gas_spike = 2.0, "market.shocks.rates.gas_spike"),
            (|c| c.shocks.duration_ticks = 0, "market.shocks.duration_ticks"),
            (|c| c.assets.push(c.assets[0].clone()), "market.assets[1].symbol"),
            (|c| synthetic(c).start_price = 0.0, "market.assets[0].source.start_price"),
            (
                |c| synthetic(c).transitions = Some([[0.3; Regime::COUNT]; Regime::COUNT]),
                "market.assets[0].source.transitions[0]",
            ),
        ];
        for (spoil, key) in faults {
            let mut config = valid();
            spoil(&mut config);
            let problems = config.check();
            assert_eq!(problems.first().map(|problem| problem.key.as_str()), Some(key), "{problems:?}");
        }
    }

    fn synthetic(config: &mut MarketConfig) -> &mut SyntheticConfig {
        match &mut config.assets[0].source {
            AssetSource::Synthetic(synthetic) => synthetic,
            AssetSource::Replay(_) => unreachable!("the test's asset is synthetic"),
        }
    }

    #[test]
    fn unknown_keys_are_refused_and_the_rest_has_defaults() {
        let asset =
            r#"{"symbol": "ETH", "source": {"kind": "synthetic", "regimes": {"volatile": {"drift": 1.0}}}}"#;
        let config: MarketConfig = serde_json::from_str(&format!("{{\"assets\": [{asset}]}}")).unwrap();
        assert_eq!(config.check(), []);
        let AssetSource::Synthetic(found) = &config.assets[0].source else { panic!("{config:?}") };
        let effect = found.regimes.volatile.apply(Regime::Volatile);
        assert_eq!((effect.drift, effect.volatility_multiple), (1.0, 2.5));
        for unknown in
            [r#"{"fees": 1}"#, r#"{"assets": [{"symbol": "A", "source": {"kind": "synthetic", "x": 1}}]}"#]
        {
            let error = serde_json::from_str::<MarketConfig>(unknown).unwrap_err().to_string();
            assert!(error.contains("unknown field"), "{error}");
        }
    }

    /// The schema is the user's reference page, so no key may go unexplained.
    #[test]
    fn every_key_is_described() {
        fn undescribed(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
            let Some(object) = value.as_object() else { return };
            for (key, inner) in object {
                undescribed(inner, &format!("{path}.{key}"), found);
            }
            for (key, property) in object.get("properties").and_then(|p| p.as_object()).into_iter().flatten()
            {
                // The tag of a source is described by its variants.
                if key != "kind" && property.get("description").is_none() {
                    found.push(format!("{path}.{key}"));
                }
            }
        }
        let schema = schemars::schema_for!(MarketConfig);
        let mut found = Vec::new();
        undescribed(schema.as_value(), "market", &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}
