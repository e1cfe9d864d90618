use morta_engine::replay::{MoodConfig, Moods, PadBias, ReplayConfig, creative_share};

#[test]
fn moods_by_octant() {
    let six = MoodConfig::default();
    let four = MoodConfig { moods: Moods::Four, ..six.clone() };
    for ([p, a, d], of_six, of_four) in [
        ([-0.5, 0.5, 0.0], Some(PadBias::Anxious), Some(PadBias::Anxious)),
        ([-0.5, 0.5, -0.5], Some(PadBias::Anxious), Some(PadBias::Anxious)),
        ([-0.5, 0.5, 0.5], Some(PadBias::Hostile), Some(PadBias::Anxious)),
        ([-0.5, -0.5, 0.5], Some(PadBias::Disdainful), None),
        ([0.5, 0.0, 0.5], Some(PadBias::Confident), Some(PadBias::Confident)),
        ([0.5, -0.5, -0.5], Some(PadBias::Depleted), Some(PadBias::Depleted)),
        ([-0.5, -0.5, -0.5], Some(PadBias::Despairing), Some(PadBias::Despairing)),
        ([-0.3, 0.3, 0.0], None, None),
        ([0.0, 0.0, 0.0], None, None),
    ] {
        assert_eq!(PadBias::from_pad(p, a, d, &six), of_six, "{p} {a} {d}");
        assert_eq!(PadBias::from_pad(p, a, d, &four), of_four, "{p} {a} {d}");
    }
}

#[test]
fn creative_work_keeps_its_floor() {
    let config = ReplayConfig::default();
    assert_eq!((creative_share(0.05, &config), creative_share(0.35, &config)), (0.2, 0.35));
}
