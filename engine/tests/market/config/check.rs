use crate::common::undescribed;
use morta_engine::market::{AssetConfig, AssetSource, MarketConfig, Regime, SyntheticConfig};

fn valid() -> MarketConfig {
    let source = AssetSource::Synthetic(SyntheticConfig::default());
    MarketConfig { assets: vec![AssetConfig { symbol: "ETH".to_owned(), source }], ..MarketConfig::default() }
}

#[test]
fn defaults_are_valid_once_there_is_an_asset() {
    assert_eq!(valid().check(), []);
    assert_eq!(MarketConfig::default().check()[0].key, "market.assets");
}

#[test]
fn every_fault_names_its_key() {
    type Fault = (fn(&mut MarketConfig), &'static str);
    let faults: [Fault; 15] = [
        (|c| c.embedding_dimensions = 33, "market.embedding_dimensions"),
        (|c| c.pool.fee_bps = -1.0, "market.pool.fee_bps"),
        (|c| c.pool.depth_usdc = f64::NAN, "market.pool.depth_usdc"),
        (|c| c.pool.arbitrage_rate = 1.1, "market.pool.arbitrage_rate"),
        (|c| c.gas.volatility = f64::INFINITY, "market.gas.volatility"),
        (|c| c.oracle.lag_ticks = 10_001, "market.oracle.lag_ticks"),
        (|c| c.shocks.rates.gas_spike = 2.0, "market.shocks.rates.gas_spike"),
        (|c| c.shocks.duration_ticks = 0, "market.shocks.duration_ticks"),
        (|c| c.shocks.crisis.rate = 1.5, "market.shocks.crisis.rate"),
        (|c| c.shocks.crisis.sign_ticks = 0, "market.shocks.crisis.sign_ticks"),
        (|c| c.shocks.crisis.crash_size = 3.0, "market.shocks.crisis.crash_size"),
        (|c| c.shocks.crisis.sign_strength = -1.0, "market.shocks.crisis.sign_strength"),
        (|c| c.assets.push(c.assets[0].clone()), "market.assets.1.symbol"),
        (|c| synthetic(c).start_price = 0.0, "market.assets.0.source.start_price"),
        (
            |c| synthetic(c).transitions = Some([[0.3; Regime::COUNT]; Regime::COUNT]),
            "market.assets.0.source.transitions.0",
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
    let mut found = undescribed(schemars::schema_for!(MarketConfig).as_value());
    // The tag of a source is described by its variants.
    found.retain(|key| key != "kind");
    assert_eq!(found, Vec::<String>::new());
}
