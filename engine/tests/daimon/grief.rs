use morta_engine::daimon::Mood;
use morta_engine::daimon::grief::{GRIEF, GriefConfig, PULL};

#[test]
fn grief_passes() {
    let config = GriefConfig::default();
    for (now, expected) in [(7, 1.0), (32, 0.75), (57, 0.5), (106, 0.01), (107, 0.0), (9_999, 0.0)] {
        assert!((config.left(7, now) - expected).abs() < 1e-12, "{now}");
    }
    assert_eq!(GriefConfig { ticks: 0 }.left(7, 7), 0.0);
    let mut mood = Mood::default();
    for tick in 0..100 {
        mood.draw_towards(GRIEF, PULL * config.left(0, tick));
    }
    // 1 − Π(1 − .05·(1 − t/100)) = .9233 of the way.
    assert!((mood.pad().pleasure + 0.4 * 0.9233).abs() < 1e-4, "{mood:?}");
}
