use morta_base::Checker;
use morta_base::keys::Keys;
use morta_engine::dream::schedule::config::seconds;
use morta_engine::dream::schedule::{ScheduleConfig, WakeInterruptsConfig, WindowsConfig};
use morta_engine::mortality::Phase;

#[test]
fn thresholds_by_phase() {
    let config = ScheduleConfig::default();
    let check = |phase, uncertain, expected: f64| {
        assert!((config.threshold(phase, uncertain, 3) - expected).abs() < 1e-12, "{phase:?}");
    };
    check(Phase::Thriving, false, 0.8);
    check(Phase::Stable, false, 0.7);
    check(Phase::Conservation, false, 0.6);
    check(Phase::Declining, false, 0.6);
    check(Phase::Thriving, true, 0.6);
    // A wild market adds the whole weight, a calm one takes it away.
    let alert = ScheduleConfig { activity_weight: 0.1, ..config };
    assert!((alert.threshold(Phase::Thriving, false, 5) - 0.9).abs() < 1e-12);
    assert!((alert.threshold(Phase::Thriving, false, 1) - 0.7).abs() < 1e-12);
}

#[test]
fn times_are_read() {
    for (text, expected) in [("5m", Some(300)), ("30s", Some(30)), ("4h", Some(14_400)), ("1d", Some(86_400))]
    {
        assert_eq!(seconds(text), expected, "{text}");
    }
    for bad in ["", "m", "5", "-5m", "5 m", "0s", "31d", "5µ", "99999999999999999999d"] {
        assert_eq!(seconds(bad), None, "{bad}");
    }
}

#[test]
fn problems_name_their_key() {
    let mut config = WakeInterruptsConfig::default();
    config.market_thresholds[0].window = "soon".to_owned();
    let mut check = Checker::default();
    config.check_keys(&mut check.table("dream.wake_interrupts"));
    config.check_symbols(&mut check.table("dream.wake_interrupts"), &["XAU"]);
    for enabled in [true, false] {
        let default = WakeInterruptsConfig { enabled, ..WakeInterruptsConfig::default() };
        default.check_symbols(&mut check.table("fine"), &["XAU"]);
    }
    let mut windows = WindowsConfig::default();
    windows.windows[0].timezone = "Europe/Zurich".to_owned();
    windows.check_keys(&mut check.table("dream.windows"));
    let problems = check.into_problems();
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "dream.wake_interrupts.market_thresholds.0.window",
            "dream.wake_interrupts.market_thresholds.0.asset",
            "dream.windows.windows.0.timezone",
        ]
    );
    assert!(problems[2].remedy.contains("fixed offsets"), "{}", problems[2]);
}
