use morta_engine::daimon::behaviour::{action_score, exploration_temperature, inverse_temperature};
use morta_engine::daimon::{BehaviourConfig, Emotion, Pad, share_threshold};

#[test]
fn temperature_and_its_inverse() {
    assert!((exploration_temperature(1.0, Pad::new(0.5, 0.5, 0.0)) - 0.95).abs() < 1e-12);
    assert_eq!(exploration_temperature(0.1, Pad::new(1.0, -1.0, 0.0)), 0.1);
    assert_eq!(exploration_temperature(2.0, Pad::new(-1.0, 1.0, 0.0)), 2.0);
    assert!((inverse_temperature(1.0, Pad::new(0.5, 0.5, -0.5)) - 1.0).abs() < 1e-12);
    assert!((inverse_temperature(1.0, Pad::new(-1.0, 1.0, 1.0)) - 0.6).abs() < 1e-12);
    let config = BehaviourConfig { base_temperature: 0.5, ..Default::default() };
    assert!((config.exploration_factor(Pad::new(-0.5, 0.5, 0.0)) - 1.5).abs() < 1e-12);
}

/// Digest section 10: fear and sadness −40/20/10 %, anger +15/10/5 % (cap 20 %), joy and trust 0, surprise −10 %.
#[test]
fn feelings_change_stakes() {
    let config = BehaviourConfig::default();
    let check = |emotion, intensity, expected: f64| {
        assert!((config.risk_factor(emotion, intensity) - expected).abs() < 1e-12, "{emotion:?}");
    };
    check(Emotion::Fear, 0.6, 0.6);
    check(Emotion::Sadness, 0.3, 0.8);
    check(Emotion::Fear, 0.1, 0.9);
    check(Emotion::Anger, 0.6, 1.15);
    check(Emotion::Anger, 0.3, 1.10);
    check(Emotion::Anger, 0.1, 1.05);
    check(Emotion::Joy, 0.9, 1.0);
    check(Emotion::Trust, 0.9, 1.0);
    check(Emotion::Surprise, 0.1, 0.9);
}

#[test]
fn the_anxious_probe_and_the_content_do_not() {
    let config = BehaviourConfig::default();
    assert!((config.gate_shift_r(Pad::new(-0.4, 0.4, 0.0)) + 0.02).abs() < 1e-12);
    assert!((config.gate_shift_r(Pad::new(0.4, -0.3, 0.0)) - 0.01).abs() < 1e-12);
    assert_eq!(config.gate_shift_r(Pad::new(-0.3, 0.3, 0.0)), 0.0);
}

#[test]
fn sharing_by_hazard_and_mood() {
    let check = |hazard, mood: (f64, f64, f64), terminal, expected: f64| {
        let found = share_threshold(hazard, Pad::new(mood.0, mood.1, mood.2), terminal);
        assert!((found - expected).abs() < 1e-12, "{found}");
    };
    check(0.0, (0.0, 0.0, 0.0), false, 0.6);
    check(5e-4, (0.0, 0.0, 0.0), false, 0.45);
    check(1.0, (0.4, 0.0, 0.0), false, 0.35);
    check(0.0, (-0.6, 0.0, -0.4), false, 0.65);
    check(1.0, (0.0, 0.0, 0.0), true, 0.2);
}

/// Digest section 1.
#[test]
fn the_dying_reach_for_gain() {
    assert!((action_score(0.25, 0.4, 0.8, -0.5) - 0.45).abs() < 1e-12);
}

#[test]
fn without_couplings_all_factors_are_one() {
    let all = BehaviourConfig::default();
    let none = BehaviourConfig { exploration: false, risk: false, probing: false, ..all.clone() };
    let wild = Pad::new(-0.9, 0.9, -0.9);
    assert_eq!((none.exploration_factor(wild), none.gate_shift_r(wild)), (1.0, 0.0));
    assert_eq!(none.risk_factor(Emotion::Fear, 0.9), 1.0);
    let neutral = Pad::default();
    assert_eq!((all.exploration_factor(neutral), all.gate_shift_r(neutral)), (1.0, 0.0));
    assert_eq!(all.risk_factor(Emotion::Neutral, 0.0), 1.0);
}
