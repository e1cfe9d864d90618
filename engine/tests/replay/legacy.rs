use morta_engine::replay::LegacyConfig;

#[test]
fn the_turn_runs_from_0_70_to_0_85() {
    let config = LegacyConfig::default();
    for (ratio, expected) in [(0.0, 0.0), (0.70, 0.0), (0.775, 0.5), (0.85, 1.0), (2.0, 1.0)] {
        assert!((config.turn(ratio) - expected).abs() < 1e-12, "{ratio}");
    }
    let step = LegacyConfig { full_hayflick: 0.70, ..config };
    assert_eq!((step.turn(0.70), step.turn(0.71)), (0.0, 1.0));
}
