use morta_engine::daimon::Pad;
use morta_engine::daimon::contagion::{ContagionConfig, catch, fade};

#[test]
fn a_third_of_the_others_moods_is_caught() {
    let config = ContagionConfig::default();
    let siblings = [Pad::new(1.0, 0.5, 1.0), Pad::new(0.0, -0.1, -0.5)];
    let caught = catch(&siblings, Pad::default(), &config);
    assert!(caught.distance(Pad::new(0.15, 0.06, 0.0)) < 1e-12, "{caught:?}");
    assert!(catch(&siblings, caught, &config).distance(caught) < 1e-12, "syncs don't pile up");
    assert_eq!(catch(&[], caught, &config), caught);
}

#[test]
fn arousal_rises_by_no_more_than_its_limit() {
    let config = ContagionConfig { share: 0.9, ..Default::default() };
    let panic = [Pad::new(-1.0, 1.0, 0.0)];
    let first = catch(&panic, Pad::default(), &config);
    assert_eq!((first.pleasure, first.arousal), (-0.9, 0.3));
    assert!((catch(&panic, first, &config).arousal - 0.6).abs() < 1e-12);
}

#[test]
fn half_is_left_after_six_hours() {
    let left = fade(Pad::new(0.2, -0.1, 0.0), 6.0 * 3_600.0, &ContagionConfig::default());
    assert_eq!(left, Pad::new(0.1, -0.05, 0.0));
}
