use morta_engine::replay::{DecayForm, replay_decay};

#[test]
fn both_forms_at_known_points() {
    for (form, elapsed, h, expected) in [
        (DecayForm::HalfLife, 500.0, 500.0, 0.5),
        (DecayForm::HalfLife, 4_320.0, 2_160.0, 0.25),
        (DecayForm::EFold, 500.0, 500.0, 0.367_879_441_171_442_33),
        (DecayForm::EFold, 0.0, 0.0, 1.0),
        (DecayForm::EFold, 1.0, 0.0, 0.0),
        (DecayForm::HalfLife, -7.0, 500.0, 1.0),
    ] {
        let found = form.with(h).left(elapsed);
        assert!((found - expected).abs() < 1e-12, "{form:?} {elapsed} {h}: {found}");
    }
}

/// 0.85⁵ and 0.85¹⁰, as the digest has them.
#[test]
fn five_replays_leave_0_44_and_ten_0_20() {
    assert!((replay_decay(0.85, 5) - 0.443_705_312_5).abs() < 1e-12);
    assert!((replay_decay(0.85, 10) - 0.196_874_404_3).abs() < 1e-9);
    assert_eq!((replay_decay(0.85, 0), replay_decay(0.0, 0), replay_decay(0.0, 1)), (1.0, 1.0, 0.0));
}
