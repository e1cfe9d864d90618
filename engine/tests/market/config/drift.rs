use morta_engine::market::{AssetSource, MarketConfig, RecordingConfig, Regime};

fn market(drift: &str) -> MarketConfig {
    let text = format!(
        r#"{{"assets": [{{"symbol": "A", "source": {{"kind": "synthetic", "volatility": 0.01,
            "regimes": {{"volatile": {{"drift": 0.5}}}}}}}},
            {{"symbol": "B", "source": {{"kind": "synthetic"}}}}], "drift": {drift}}}"#
    );
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_law_changes_what_it_names_and_nothing_else() {
    let config = market(
        r#"{"laws": [{"name": "wild", "volatility": 0.02,
        "regimes": {"volatile": {"mean_reversion": 0.3}}}]}"#,
    );
    let AssetSource::Synthetic(base) = &config.assets[0].source else { panic!("{config:?}") };
    let under = config.drift.laws[0].over(base);
    assert_eq!((under.volatility, under.mean_regime_ticks), (0.02, base.mean_regime_ticks));
    let effect = under.regimes.volatile.apply(Regime::Volatile);
    assert_eq!((effect.drift, effect.mean_reversion, effect.volatility_multiple), (0.5, 0.3, 2.5));
    assert_eq!(under.regimes.trending_up, base.regimes.trending_up);
    assert_eq!(config.drift.names(), ["base", "wild"]);
}

#[test]
fn every_fault_names_its_key() {
    let laws = |rest: &str| format!(r#"{{"laws": [{{"name": "x"}}], {rest}}}"#);
    for (drift, key) in [
        (r#"{"laws": [{"name": "base"}]}"#.to_owned(), "laws.0.name"),
        (r#"{"laws": [{"name": " "}]}"#.to_owned(), "laws.0.name"),
        (r#"{"laws": [{"name": "x"}, {"name": "x", "assets": ["A"]}]}"#.to_owned(), "laws.1.name"),
        (r#"{"laws": [{"name": "x", "assets": ["C"]}]}"#.to_owned(), "laws.0.assets"),
        (r#"{"laws": [{"name": "x", "volatility": 2.0}]}"#.to_owned(), "laws.0.volatility"),
        (laws(r#""changes": [{"tick": 5, "law": "y"}]"#), "changes.0.law"),
        (laws(r#""changes": [{"tick": 5, "law": "x"}, {"tick": 5, "law": "base"}]"#), "changes.1.tick"),
        (
            laws(r#""changes": [{"tick": 5, "law": "x"}, {"tick": 13, "law": "base"}], "repeat_ticks": 8"#),
            "repeat_ticks",
        ),
        (laws(r#""repeat_ticks": 8"#), "repeat_ticks"),
        (laws(r#""mean_era_ticks": 0.5"#), "mean_era_ticks"),
        (r#"{"mean_era_ticks": 50}"#.to_owned(), "mean_era_ticks"),
        (laws(r#""changes": [{"tick": 5, "law": "x"}], "mean_era_ticks": 50"#), "mean_era_ticks"),
        (laws(r#""era_over_ticks": 5"#), "era_over_ticks"),
    ] {
        let problems = market(&drift).check();
        let expected = format!("market.drift.{key}");
        assert_eq!(
            problems.first().map(|problem| problem.key.clone()),
            Some(expected),
            "{drift} {problems:?}"
        );
    }
    let good = r#"{"laws": [{"name": "x", "assets": ["A"], "volatility": 0.1}, {"name": "x", "assets": ["B"]}],
        "changes": [{"tick": 0, "law": "x"}, {"tick": 8, "law": "base"}], "repeat_ticks": 9}"#;
    assert_eq!(market(good).check(), []);
}

#[test]
fn a_recording_has_no_law_that_could_change() {
    let mut config = market(r#"{"laws": [{"name": "x"}]}"#);
    let recording = RecordingConfig { file: "b.csv".to_owned(), start: None, end: None };
    config.assets[1].source = AssetSource::Replay(recording);
    let problems = config.check();
    assert_eq!(problems[0].key, "market.drift.laws.0.assets");
    assert!(problems[0].to_string().contains("replayed"), "{}", problems[0]);
    config.drift.laws[0].assets = vec!["A".to_owned()];
    assert_eq!(config.check(), []);
}
