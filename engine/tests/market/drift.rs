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

/// A law that takes eight ticks to come into force is there in eighths, and its first tick has the prices of the law before.
#[test]
fn a_drawn_law_comes_into_force_in_a_straight_line() {
    let drift = |over: u64| {
        let drift = format!(
            r#"{{"laws": [{{"name": "wild", "volatility": 0.02}}], "mean_era_ticks": 40, "era_over_ticks": {over}}}"#
        );
        market("", &drift)
    };
    let mut slow = state(&drift(8));
    let first = loop {
        if let Some(change) = slow.step(NO_ORDERS).laws_changed.pop() {
            break change;
        }
    };
    assert_eq!((first.over_ticks, first.regimes), (8, Regime::ALL.to_vec()));
    for passed in 0..8 {
        let weight = passed as f64 / 8.0;
        assert_eq!(slow.law_in_force(), LawInForce { from: 0, to: 1, weight });
        slow.step(NO_ORDERS);
    }
    assert_eq!(slow.law_in_force(), LawInForce { from: 1, to: 1, weight: 1.0 });
    let (slowly, at_once) = (prices(&drift(8), first.tick + 1), prices(&drift(0), first.tick + 1));
    let differs: Vec<usize> = (0..slowly.len()).filter(|tick| slowly[*tick] != at_once[*tick]).collect();
    assert_eq!(differs.first().map(|tick| *tick as u64 + 1), Some(first.tick));
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
    let drift = r#"{"laws": [{"name": "calm", "volatility": 0.001}], "mean_era_ticks": 40}"#;
    let drifting = market("", drift);
    let by_law = drifting.under_law(1);
    let own = market(r#", "volatility": 0.001"#, "{}");
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
        TruthTable::estimate(&config, WorldSeed(9), vec![Vec::new()], Usdc::from_dollars(100.0), 10_000, None)
            .unwrap()
    };
    let [base, turned] = [truth(0), truth(1)];
    let r = |table: &TruthTable, strategy| table.entry(Regime::TrendingUp, strategy).mean_r;
    assert!(r(&base, Strategy::TrendFollowing) > r(&base, Strategy::MeanReversion) + 0.3, "{base:?}");
    assert!(r(&turned, Strategy::MeanReversion) > r(&turned, Strategy::TrendFollowing) + 0.3, "{turned:?}");
}

#[test]
fn a_martingale_stays_one_whatever_its_law() {
    let drift = r#"{"laws": [{"name": "wild", "volatility": 0.006,
        "regimes": {"trending_up": {"drift": 3.0}, "trending_down": {"autocorrelation": 0.5}}}],
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

/// What doesn't change in a regime is still true of it.
#[test]
fn a_change_names_the_regimes_in_which_something_else_pays() {
    let regimes = |law: &str| {
        let drift =
            format!(r#"{{"laws": [{{"name": "new", {law}}}], "changes": [{{"tick": 0, "law": "new"}}]}}"#);
        let change = state(&market("", &drift)).step(NO_ORDERS).laws_changed.remove(0);
        change.regimes
    };
    assert_eq!(regimes(r#""regimes": {"range_bound": {"mean_reversion": 0.4}}"#), [Regime::RangeBound]);
    assert_eq!(regimes(r#""assets": []"#), []);
    assert_eq!(regimes(r#""volatility": 0.01"#), Regime::ALL);
}
