use morta_base::Usdc;
use morta_engine::mortality::ladder::{LadderConfig, PoorSnapshots};
use morta_engine::mortality::thanatopsis::{DeathBudget, ThanatopsisConfig};
use morta_engine::mortality::{Rung, TestamentTier};

fn dollars(amount: f64) -> Usdc {
    Usdc::from_dollars(amount)
}

/// $2 with one position: settle .10, legacy .50, review 1.40; $.50 with two: .06, .175, .265; $.08: half and half. The
/// percentages cap what winding up takes.
#[test]
fn tiers_and_their_budgets() {
    let check = |funds, positions, tier, settle, review, legacy| {
        let found = ThanatopsisConfig::default().budget(dollars(funds), positions);
        let expected =
            DeathBudget { tier, settle: dollars(settle), review: dollars(review), legacy: dollars(legacy) };
        assert_eq!(found, expected, "{funds}");
        assert_eq!(found.total(), dollars(funds));
    };
    check(2.0, 1, TestamentTier::Rich, 0.10, 1.40, 0.50);
    check(1.0, 4, TestamentTier::Rich, 0.15, 0.60, 0.25);
    check(0.5, 2, TestamentTier::Standard, 0.06, 0.265, 0.175);
    check(0.1, 3, TestamentTier::Standard, 0.02, 0.045, 0.035);
    check(0.08, 1, TestamentTier::Necrotic, 0.04, 0.0, 0.04);
    check(0.0, 0, TestamentTier::Necrotic, 0.0, 0.0, 0.0);
}

/// Reserve 1 of 20: from pressure .3 on the reserve alone, at .2 a quarter of the balance more, at .1 half, below all.
#[test]
fn the_harder_survival_the_more_goes_into_dying() {
    let check = |pressure, balance, expected| {
        let found = ThanatopsisConfig::default().funds(dollars(balance), dollars(1.0), pressure);
        assert_eq!(found, dollars(expected), "{pressure}");
    };
    check(0.9, 20.0, 1.0);
    check(0.3, 20.0, 1.0);
    check(0.2, 20.0, 6.0);
    check(0.1, 20.0, 11.0);
    check(0.099, 20.0, 20.0);
    check(0.9, 0.7, 0.7);
    check(0.9, -0.2, 0.0);
}

/// Every six hours; the poor every 50 ticks, or never.
#[test]
fn snapshots_by_the_clock_and_by_need() {
    let (config, ladder) = (ThanatopsisConfig::default(), LadderConfig::default());
    assert_eq!(config.snapshot_interval(Rung::Frugal, &ladder), Some(540));
    assert_eq!(config.snapshot_interval(Rung::Snapshots, &ladder), Some(50));
    let thrifty = LadderConfig { snapshots: PoorSnapshots::Skipped, ..ladder };
    assert_eq!(config.snapshot_interval(Rung::Frugal, &thrifty), Some(540));
    assert_eq!(config.snapshot_interval(Rung::Exhausted, &thrifty), None);
    let none = ThanatopsisConfig { snapshots: false, ..config };
    assert_eq!(none.snapshot_interval(Rung::Sound, &thrifty), None);
}
