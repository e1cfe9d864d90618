use morta_base::{Tick, math};
use morta_engine::mortality::hazard;

/// Ticks in a day of 40-second ticks.
const DAY: u64 = 2_160;

/// Digest section 11, the formula columns: hazard at fitness 1 and survival in per cent at fitness 1, .5 and 0.
#[test]
fn hazard_and_survival_match_the_digest() {
    for (days, expected_hazard, survival) in [
        (7, 1.02e-6, [98.48, 96.98, 95.50]),
        (30, 1.26e-6, [93.27, 86.99, 81.13]),
        (60, 7.5e-6, [77.12, 59.48, 45.87]),
        (90, 1.67e-4, [2.95, 0.09, 0.00]),
    ] {
        let found = hazard(days * DAY, 1.0);
        assert!((found / expected_hazard - 1.0).abs() < 0.01, "day {days}: {found}");
        for (fitness, expected) in [1.0, 0.5, 0.0].into_iter().zip(survival) {
            let found = 100.0 * morta_engine::mortality::hazard::survival(days * DAY, fitness);
            assert!((found - expected).abs() < 0.006, "day {days}, fitness {fitness}: {found}");
        }
    }
}

/// Over many golems: log-normal frailty of spread .5 has mean e^(1/8), within five standard errors.
#[test]
fn frailty_keeps_its_mean() {
    use morta_base::{GolemId, Purpose, WorldSeed};
    use morta_engine::mortality::hazard::frailty;
    let z = |n| WorldSeed(11).golem(GolemId::founder(n), Purpose::Frailty, 0).normal();
    let mean = (0..40_000).map(|n| frailty(0.5, z(n))).sum::<f64>() / 40_000.0;
    assert!((mean - math::exp(0.125)).abs() < 0.017, "{mean}");
    assert_eq!(frailty(0.0, 2.0), 1.0);
}

/// Four hundred lives at fitness .5, tick by tick with the uniforms golems die by: the share alive at days 7, 30 and 60
/// within the 99 % band of the formula. Ten thousand lives at three fitnesses: `engine/examples/hazard.rs`.
#[test]
fn lives_end_as_the_formula_says() {
    use morta_base::{GolemId, Purpose, WorldSeed};
    let hazards: Vec<f64> = (0..60 * DAY).map(|tick| hazard(tick, 0.5)).collect();
    let span = |number: u32| {
        let golem = GolemId::founder(number);
        let mut ticks = (0..).zip(&hazards);
        let struck = |(tick, hazard): &(Tick, &f64)| {
            WorldSeed(1).golem(golem, Purpose::Hazard, *tick).chance(**hazard)
        };
        ticks.find(struck).map_or(Tick::MAX, |(tick, _)| tick)
    };
    let spans: Vec<Tick> = (0..400).map(span).collect();
    for days in [7, 30, 60] {
        let alive = spans.iter().filter(|span| **span >= days * DAY).count() as f64 / 400.0;
        let expected = morta_engine::mortality::hazard::survival(days * DAY, 0.5);
        let half = 2.576 * (expected * (1.0 - expected) / 400.0).sqrt() + 0.5 / 400.0;
        assert!((alive - expected).abs() <= half, "day {days}: {alive}, expected {expected} ± {half}");
    }
}
