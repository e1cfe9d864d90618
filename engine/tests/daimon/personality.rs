use morta_engine::daimon::Pad;
use morta_engine::daimon::personality::PersonalityConfig;

#[test]
fn experience_bends_slowly_and_not_without_end() {
    let config = PersonalityConfig::default();
    let (inborn, miserable) = (Pad::new(0.2, 0.0, 0.0), Pad::new(-0.8, 0.0, 0.0));
    let once = config.bent(Pad::default(), inborn, miserable);
    assert!((once.pleasure + 0.001).abs() < 1e-12, "a thousandth of −1: {once:?}");
    let mut bend = once;
    for _ in 0..10_000 {
        bend = config.bent(bend, inborn, miserable);
    }
    assert_eq!(bend, Pad::new(-0.3, 0.0, 0.0));
    assert!((config.nature(inborn, bend).pleasure + 0.1).abs() < 1e-12);
}
