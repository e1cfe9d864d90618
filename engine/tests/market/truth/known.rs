use morta_base::{Usdc, WorldSeed};
use morta_engine::market::{
    AssetConfig, AssetSource, MarketConfig, Regime, ScheduledShock, ShockKind, Strategy, SyntheticConfig,
    Truth,
};

fn world(scheduled: Vec<ScheduledShock>) -> MarketConfig {
    let source = AssetSource::Synthetic(SyntheticConfig::default());
    let mut config = MarketConfig {
        assets: vec![AssetConfig { symbol: "A".to_owned(), source }],
        ..MarketConfig::default()
    };
    config.shocks.scheduled = scheduled;
    config
}

fn estimate(config: &MarketConfig) -> Truth {
    Truth::estimate(config, WorldSeed(2026), &[Vec::new()], Usdc::from_dollars(500.0), 6_000).unwrap()
}

/// While the price runs one way, half a standard deviation a tick, who follows it gains; the truth knows when.
#[test]
fn planned_shocks_have_tables_of_their_own() {
    let shock = |tick| ScheduledShock {
        tick,
        kinds: vec![ShockKind::MomentumBreakout],
        duration_ticks: 200,
        magnitude: 2.0,
        asset: None,
    };
    let (planned, without) =
        (estimate(&world(vec![shock(1_000), shock(3_000)])), estimate(&world(Vec::new())));
    let momentum =
        |truth: &Truth, tick| truth.at(tick, 0).entry(Regime::RangeBound, Strategy::TrendFollowing).mean_r;
    assert_eq!(momentum(&planned, 0), momentum(&without, 0), "no shock, no difference");
    assert_eq!(momentum(&planned, 1_020), momentum(&planned, 3_020), "shocks alike are the same situation");
    assert!(
        momentum(&planned, 1_040) > momentum(&planned, 0) + 0.2,
        "{} {}",
        momentum(&planned, 1_040),
        momentum(&planned, 0)
    );
    assert_eq!(momentum(&planned, 1_200), momentum(&planned, 0), "it is over");
}

/// Each asset has a truth of its own.
#[test]
fn assets_of_different_laws_have_different_tables() {
    let mut config = world(Vec::new());
    let calm = SyntheticConfig { martingale: true, ..SyntheticConfig::default() };
    config.assets.push(AssetConfig { symbol: "B".to_owned(), source: AssetSource::Synthetic(calm) });
    let truth = Truth::estimate(
        &config,
        WorldSeed(2026),
        &[Vec::new(), Vec::new()],
        Usdc::from_dollars(500.0),
        6_000,
    )
    .unwrap();
    let trend = |asset| truth.at(0, asset).entry(Regime::TrendingUp, Strategy::TrendFollowing).mean_r;
    assert!(trend(0) > trend(1) + 0.3, "{} {}", trend(0), trend(1));
}

#[test]
fn trades_are_held_no_longer_than_their_horizon() {
    let truth = estimate(&world(Vec::new()));
    for regime in Regime::ALL {
        let entry = truth.at(0, 0).entry(regime, Strategy::OracleArbitrage);
        assert!(entry.trades == 0 || (entry.mean_ticks > 1.0 && entry.mean_ticks <= 4.0), "{entry:?}");
        let entry = truth.at(0, 0).entry(regime, Strategy::TrendFollowing);
        assert!(entry.mean_ticks > 10.0 && entry.mean_ticks < 48.0, "{entry:?}");
    }
}
