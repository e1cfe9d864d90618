use morta_engine::daimon::Pad;

#[test]
fn points_are_clamped_and_measured() {
    assert_eq!(Pad::new(2.0, -3.0, 0.5), Pad { pleasure: 1.0, arousal: -1.0, dominance: 0.5 });
    assert!((Pad::new(1.0, -1.0, 1.0).intensity() - 1.0).abs() < 1e-12);
    assert_eq!(Pad::new(0.0, 0.6, 0.8).length(), 1.0);
    assert_eq!(Pad::new(0.3, 0.0, 0.0).distance(Pad::new(0.0, 0.4, 0.0)), 0.5);
    assert_eq!(Pad::new(0.0, 1.0, -1.0).towards(Pad::default(), 0.25), Pad::new(0.0, 0.75, -0.75));
}
