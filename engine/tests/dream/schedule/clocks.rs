use morta_engine::dream::schedule::clocks::ClockScale;
use morta_engine::dream::schedule::{ClockUrgency, ClocksConfig, EconomicStage, ThreeClockReading};
use morta_engine::replay::LegacyConfig;

fn reading(hours: f64, accuracy: f64, hayflick: f64) -> ThreeClockReading {
    ThreeClockReading { runway_hours: Some(hours), accuracy, hayflick }
}

/// (72 − 39)/66 = .5, (.5 − .44)/.15 = .4, (.775 − .7)/.15 = .5; intensity 1 + .25 + .12 + .1 = 1.47.
#[test]
fn clock_urgencies_match_the_digest() {
    let (clocks, legacy) = (ClocksConfig::default(), LegacyConfig::default());
    let urgency = ClockUrgency::from_reading(&reading(39.0, 0.44, 0.775), &clocks, &legacy);
    assert!((urgency.economic - 0.5).abs() < 1e-12);
    assert!((urgency.epistemic - 0.4).abs() < 1e-12);
    assert!((urgency.stochastic - 0.5).abs() < 1e-12);
    assert!((urgency.dream_intensity(&clocks) - 1.47).abs() < 1e-12);
    let calm = ClockUrgency::from_reading(&reading(72.0, 0.5, 0.7), &clocks, &legacy);
    assert_eq!((calm, calm.dream_intensity(&clocks)), (ClockUrgency::default(), 1.0));
    let dire = ClockUrgency::from_reading(&reading(6.0, 0.35, 0.85), &clocks, &legacy);
    assert!((dire.dream_intensity(&clocks) - 2.0).abs() < 1e-12);
    assert_eq!((calm.pace(&clocks), dire.pace(&clocks)), (1.0, dire.dream_intensity(&clocks)));
    let deaf = ClocksConfig { intensity_acts: false, ..clocks };
    assert_eq!(dire.pace(&deaf), 1.0);
}

/// Half the weight either way: .5 · (2 · .8 − 1) = +.3.
#[test]
fn good_dreams_come_oftener() {
    let clocks = ClocksConfig::default();
    assert!((clocks.by_quality(Some(0.8)) - 1.3).abs() < 1e-12);
    assert_eq!((clocks.by_quality(Some(0.5)), clocks.by_quality(None)), (1.0, 1.0));
    assert_eq!(clocks.by_quality(Some(0.0)), 0.5);
    assert_eq!(ClocksConfig { quality_weight: 1.0, ..clocks.clone() }.by_quality(Some(0.0)), 0.1);
    assert_eq!(ClocksConfig { quality_weight: 0.0, ..clocks }.by_quality(Some(0.9)), 1.0);
}

#[test]
fn dwindling_money_changes_dreams_in_steps() {
    let clocks = ClocksConfig::default();
    let stage = |hours| reading(hours, 1.0, 0.0).stage(&clocks);
    assert_eq!(stage(72.0), EconomicStage::Ample);
    assert_eq!(stage(71.9), EconomicStage::Pressed);
    assert_eq!(stage(24.0), EconomicStage::Pressed);
    assert_eq!(stage(23.9), EconomicStage::Consolidating);
    assert_eq!(stage(6.0), EconomicStage::Consolidating);
    assert_eq!(stage(5.9), EconomicStage::OutOfTime);
    assert_eq!(EconomicStage::Pressed.frequency(&clocks), 2.0);
    let nothing_spent = ThreeClockReading { runway_hours: None, accuracy: 1.0, hayflick: 0.0 };
    assert_eq!(nothing_spent.stage(&clocks), EconomicStage::Ample);
}

/// $18 above the reserve at a cent a tick of 40 s: 1,800 ticks, 20 hours.
#[test]
fn runway_is_in_simulated_hours() {
    let clocks = ClocksConfig::default();
    let scale = ClockScale { tick_seconds: 40, clocks: &clocks };
    let hours = ThreeClockReading::from_balance(18.0, 0.01, 0.5, 0, scale).runway_hours.unwrap();
    assert!((hours - 20.0).abs() < 1e-9);
    assert_eq!(ThreeClockReading::from_balance(18.0, 0.0, 0.5, 0, scale).runway_hours, None);
    assert_eq!(ThreeClockReading::from_balance(-1.0, 0.01, 0.5, 50_000, scale).runway_hours, Some(0.0));
    assert_eq!(ThreeClockReading::from_balance(-1.0, 0.01, 0.5, 50_000, scale).hayflick, 0.5);
}
