use morta_base::Usdc;
use morta_engine::mortality::economic::{EconomicConfig, EconomicDeath, Livelihood, Means};

/// max(max(.30, .02·initial), .02·positions + .22): $50 is ruled by its 2 %, $10 by dying itself, $1 with no way to
/// dying by the floor.
#[test]
fn the_reserve_covers_dying() {
    let check = |endowment: f64, positions, expected| {
        let least = Usdc::from_dollars(0.30_f64.max(0.02 * endowment));
        let found = EconomicConfig::default().reserve(least, positions);
        assert_eq!(found, Usdc::from_dollars(expected), "{endowment} {positions}");
    };
    check(50.0, 0, 1.00);
    check(10.0, 0, 0.30);
    check(10.0, 5, 0.32);
    check(1.0, 1, 0.30);
}

#[test]
fn three_rules_of_ruin() {
    let check = |death, balance: f64, legacy: f64, expected| {
        let config = EconomicConfig { death, ..EconomicConfig::default() };
        let means = Means {
            balance: Usdc::from_dollars(balance),
            reserve: Usdc::from_dollars(1.0),
            legacy: Usdc::from_dollars(legacy),
            endowment: Usdc::from_dollars(50.0),
        };
        assert_eq!(config.kills(&means), expected, "{death:?} {balance}");
    };
    check(EconomicDeath::Reserve, 1.0, 0.0, true);
    check(EconomicDeath::Reserve, 1.000_001, 0.0, false);
    check(EconomicDeath::Spendable, 1.499_999, 0.0, true);
    check(EconomicDeath::Spendable, 1.5, 0.0, false);
    check(EconomicDeath::Spendable, 1.6, 0.2, true);
    check(EconomicDeath::Share, 2.5, 0.0, true);
    check(EconomicDeath::Share, 2.51, 0.0, false);
}

/// 48 hours are one half, none are 1/(1 + e^2.4) = .0832; income adds at most .2 and takes at most .3.
#[test]
fn survival_pressure_by_hand() {
    let check = |hours, net, expected: f64| {
        let found = EconomicConfig::default().pressure(hours, net);
        assert!((found - expected).abs() < 5e-5, "{hours} {net}: {found}");
    };
    check(48.0, 0.0, 0.5);
    check(0.0, 0.0, 0.0832);
    check(48.0, 1.0, 0.6);
    check(48.0, 9.0, 0.7);
    check(48.0, -1.0, 0.35);
    check(48.0, -9.0, 0.2);
    check(0.0, -1.0, 0.0);
    check(1_000.0, 1.0, 1.0);
}

#[test]
fn a_day_that_earns_half_of_what_it_burns() {
    let mut living = Livelihood::default();
    assert_eq!(living.sustainability(), None);
    (0..100).for_each(|_| living.note(0.5, 1.0, 1.0 / 24.0));
    assert!((living.sustainability().unwrap() - 0.5).abs() < 1e-12);
    assert!((living.net_over_burn() + 0.5).abs() < 1e-12);
}
