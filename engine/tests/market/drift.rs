use morta_base::{LetterId, Usdc, WorldSeed};
use morta_engine::market::{
    LawChange, LawInForce, MarketConfig, MarketState, Order, Regime, Strategy, TruthTable,
};

const NO_ORDERS: &[(LetterId, Order)] = &[];

fn market(source: &str, drift: &str) -> MarketConfig {
    let text = format!(
        r#"{{"impact": "price_taker", "assets": [{{"symbol": "A", "source": {{"kind": "synthetic"{source}}}}}], "drift": {drift}}}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn state(config: &MarketConfig) -> MarketState {
    MarketState::new(config, WorldSeed(5), vec![Vec::new()]).unwrap()
}

fn prices(config: &MarketConfig, ticks: u64) -> Vec<f64> {
    let mut market = state(config);
    (0..ticks)
        .map(|_| {
            market.step(NO_ORDERS);
            market.reference_price(0).unwrap()
        })
        .collect()
}

/// Half way from a fee of 5 bps to one of 25 it is 15, and from a spread of 2 bps to 6 it is 4: with calm volatility and nothing else.
#[test]
fn a_gradual_change_is_the_weighted_mean_of_two_laws() {
    let config = market(
        r#", "volatility_of_volatility": 0.0, "half_spread_bps": 2.0, "regimes": {"volatile": {"volatility_multiple": 1.0}}"#,
        r#"{"laws": [{"name": "dear", "fee_bps": 25.0, "half_spread_bps": 6.0}],
            "changes": [{"tick": 10, "law": "dear", "over_ticks": 8}]}"#,
    );
    let mut market = state(&config);
    for (tick, fee, spread) in
        [(10, 5e-4, 2e-4), (12, 10e-4, 3e-4), (14, 15e-4, 4e-4), (18, 25e-4, 6e-4), (19, 25e-4, 6e-4)]
    {
        while market.tick() < tick {
            market.step(NO_ORDERS);
        }
        let seen = market.view().asset(0);
        assert!(
            (seen.pool_fee - fee).abs() < 1e-12 && (seen.half_spread - spread).abs() < 1e-12,
            "{tick} {seen:?}"
        );
        assert_eq!(
            market.law_in_force(),
            if tick >= 18 {
                LawInForce { from: 1, to: 1, weight: 1.0 }
            } else {
                LawInForce { from: 0, to: 1, weight: (tick - 10) as f64 / 8.0 }
            }
        );
    }
}

#[test]
fn a_law_change_is_reported_once_and_leaves_the_past_unchanged() {
    let drift =
        r#"{"laws": [{"name": "wild", "volatility": 0.02}], "changes": [{"tick": 30, "law": "wild"}]}"#;
    let (still, drifting) = (market("", "{}"), market("", drift));
    let (before, after) = (prices(&still, 60), prices(&drifting, 60));
    assert_eq!(before[..29], after[..29]);
    assert_ne!(before[29], after[29], "tick 30 is the first of the era");
    let mut market = state(&drifting);
    let reports: Vec<LawChange> = (0..60).flat_map(|_| market.step(NO_ORDERS).laws_changed).collect();
    let (law, from, regimes) = ("wild".to_owned(), "base".to_owned(), Regime::ALL.to_vec());
    let change = LawChange { tick: 30, law, from, over_ticks: 0, regimes };
    assert_eq!(reports, [change]);
}

/// An era under a law is the world of that law: a change at tick 0 and the config without drift have the same bytes.
#[test]
fn an_era_is_the_world_of_its_law() {
    let drift = r#"{"laws": [{"name": "calm", "volatility": 0.001, "fee_bps": 1.0}], "mean_era_ticks": 40}"#;
    let drifting = market("", drift);
    let by_law = drifting.under_law(1);
    let mut own = market(r#", "volatility": 0.001"#, "{}");
    own.pool.fee_bps = 1.0;
    assert_eq!(prices(&by_law, 200), prices(&own, 200));
    assert_eq!(prices(&drifting.under_law(0), 200), prices(&market("", "{}"), 200));
    let first = state(&by_law).step(NO_ORDERS).laws_changed.remove(0);
    assert_eq!((first.tick, first.law.as_str()), (0, "calm"));
}

/// What pays differs from law to law, and the table of each says so.
#[test]
fn each_law_has_a_truth_table_of_its_own() {
    let drift = r#"{"laws": [{"name": "turned", "regimes": {
        "trending_up": {"drift": 0.0, "autocorrelation": -0.2, "mean_reversion": 0.15},
        "trending_down": {"drift": 0.0, "autocorrelation": -0.2, "mean_reversion": 0.15}}}], "mean_era_ticks": 500}"#;
    let mut config = market(r#", "half_spread_bps": 0.5"#, drift);
    config.pool.fee_bps = 1.0;
    let truth = |law| {
        let config = config.under_law(law);
        TruthTable::estimate(&config, WorldSeed(9), vec![Vec::new()], Usdc::from_dollars(100.0), 10_000)
            .unwrap()
    };
    let [base, turned] = [truth(0), truth(1)];
    let r = |table: &TruthTable, strategy| table.entry(Regime::TrendingUp, strategy).mean_r;
    assert!(r(&base, Strategy::TrendFollowing) > r(&base, Strategy::MeanReversion) + 0.3, "{base:?}");
    assert!(r(&turned, Strategy::MeanReversion) > r(&turned, Strategy::TrendFollowing) + 0.3, "{turned:?}");
}

#[test]
fn a_martingale_stays_one_whatever_its_law() {
    let drift = r#"{"laws": [{"name": "wild", "volatility": 0.006, "jump_rate": 0.01,
        "regimes": {"trending_up": {"drift": 3.0}, "range_bound": {"autocorrelation": 0.5}}}],
        "mean_era_ticks": 60, "era_over_ticks": 30}"#;
    let path = prices(&market(r#", "martingale": true"#, drift), 40_000);
    let returns: Vec<f64> = path.windows(2).map(|pair| pair[1] / pair[0] - 1.0).collect();
    let check = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
        assert!(mean.abs() < 4.0 * (variance / n).sqrt(), "{mean}");
    };
    check(&returns);
    check(&returns.windows(2).map(|pair| pair[0] * pair[1]).collect::<Vec<f64>>());
}

#[test]
fn a_market_under_way_takes_over_another_calendar() {
    let drift = |tick| {
        format!(
            r#"{{"laws": [{{"name": "wild", "volatility": 0.02}}], "changes": [{{"tick": {tick}, "law": "wild"}}]}}"#
        )
    };
    let config = market("", &drift(30));
    let mut lived = state(&config);
    (0..50).for_each(|_| drop(lived.step(NO_ORDERS)));
    let mut same = lived.clone();
    same.rebind_keys(&config);
    assert_eq!(serde_json::to_value(&same).unwrap(), serde_json::to_value(&lived).unwrap());
    lived.rebind_keys(&market("", &drift(60)));
    assert_eq!(lived.law_in_force(), LawInForce::BASE);
    let reports: Vec<u64> =
        (0..30).flat_map(|_| lived.step(NO_ORDERS).laws_changed).map(|change| change.tick).collect();
    assert_eq!(reports, [60]);
    lived.rebind_keys(&market("", "{}"));
    assert_eq!(lived.law_in_force(), LawInForce::BASE);
}

/// What doesn't change in a regime is still true of it; how often a regime comes says nothing of what pays in it.
#[test]
fn a_change_names_the_regimes_in_which_something_else_pays() {
    let regimes = |law: &str| {
        let drift =
            format!(r#"{{"laws": [{{"name": "new", {law}}}], "changes": [{{"tick": 0, "law": "new"}}]}}"#);
        let change = state(&market("", &drift)).step(NO_ORDERS).laws_changed.remove(0);
        change.regimes
    };
    assert_eq!(regimes(r#""regimes": {"range_bound": {"mean_reversion": 0.4}}"#), [Regime::RangeBound]);
    assert_eq!(regimes(r#""mean_regime_ticks": 20.0"#), []);
    assert_eq!(regimes(r#""half_spread_bps": 9.0"#), Regime::ALL);
}
