use morta_engine::daimon::{Emotion, Happening, Pad, RuleTable, appraise};

/// Digest section 10, A01, and section 7, "dream-outcome appraisal", the pick of A01 and A06.
#[test]
fn the_rule_table() {
    let check = |happening, (p, a, d): (f64, f64, f64), intensity: f64| {
        let found = appraise(happening, &RuleTable::default());
        assert!(found.pad.distance(Pad::new(p, a, d)) < 1e-12, "{happening:?}: {found:?}");
        assert!((found.intensity - intensity).abs() < 1e-12, "{happening:?}: {found:?}");
    };
    check(Happening::TradeClosed { percent: 5.0 }, (0.6, 0.3, 0.5), 0.5);
    check(Happening::TradeClosed { percent: 50.0 }, (0.6, 0.3, 0.5), 0.9);
    check(Happening::TradeClosed { percent: 0.0 }, (0.6, 0.3, 0.5), 0.1);
    check(Happening::TradeClosed { percent: -4.0 }, (-0.5, 0.2, -0.3), 0.2);
    check(Happening::TradeClosed { percent: -6.0 }, (-0.5, 0.7, -0.3), 0.3);
    check(Happening::TradeClosed { percent: -90.0 }, (-0.5, 0.7, -0.3), 0.9);
    check(Happening::PredictionMissed { error: 0.4 }, (-0.1, 0.6, -0.2), 0.4);
    check(Happening::PredictionMissed { error: 1.0 }, (-0.3, 0.6, -0.2), 0.8);
    check(Happening::RegimeShifted, (-0.2, 0.7, -0.3), 0.6);
    check(Happening::SiblingDied, (-0.4, 0.3, -0.2), 0.6);
    check(Happening::RuleValidated, (0.3, -0.1, 0.3), 0.4);
    check(Happening::RuleContradicted, (-0.3, 0.2, 0.1), 0.4);
    check(Happening::DreamThreat { severity: 0.8 }, (-0.32, 0.4, -0.3), 0.8);
    check(Happening::DreamThreat { severity: 0.3 }, (-0.12, 0.15, -0.3), 0.3);
    check(Happening::DreamConfirmed, (0.3, 0.1, 0.4), 0.4);
    check(Happening::DreamRefuted, (-0.2, 0.4, -0.1), 0.4);
    check(Happening::InsightGained, (0.2, 0.3, 0.2), 0.4);
    check(Happening::ThreatRealised, (-0.4, 0.5, -0.3), 0.6);
    check(Happening::CuratorCycle { recent_r: -0.5 }, (-0.15, -0.1, -0.15), 0.3);
}

#[test]
fn only_large_misses_surprise() {
    let name = |happening| appraise(happening, &RuleTable::default()).emotion;
    assert_eq!(name(Happening::PredictionMissed { error: 0.5 }), Emotion::Fear);
    assert_eq!(name(Happening::PredictionMissed { error: 0.6 }), Emotion::Surprise);
    assert_eq!(name(Happening::TradeClosed { percent: 1.0 }), Emotion::Joy);
    assert_eq!(name(Happening::RegimeShifted), Emotion::Fear);
    assert_eq!(name(Happening::RuleValidated), Emotion::Anticipation);
}
