use morta_engine::dream::journal::quality;

/// Four findings, three new, two supported, 9 of 12 read: .3 + .15 + .15 + .1.
#[test]
fn self_assessment_by_hand() {
    assert!((quality(4, 3, 2, (9, 12), false) - 0.7).abs() < 1e-12);
    assert_eq!(quality(0, 0, 0, (0, 0), true), 0.0);
    assert!((quality(1, 1, 1, (5, 5), false) - 1.0).abs() < 1e-12);
}
