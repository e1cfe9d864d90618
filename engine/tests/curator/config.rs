use morta_engine::curator::age_discount;
use morta_engine::curator::config::ConfidenceUpdate;

#[test]
fn old_models_promote_less() {
    assert_eq!(age_discount(0.71, 0.35), 1.0);
    assert!((age_discount(0.35, 0.35) - 0.6).abs() < 1e-12);
    assert!((age_discount(0.0, 0.35) - 0.2).abs() < 1e-12);
}

#[test]
fn votes_move_confidence() {
    assert_eq!(ConfidenceUpdate::Absolute.change(0.5, true), 0.1);
    assert_eq!(ConfidenceUpdate::Absolute.change(0.5, false), -0.15);
    assert_eq!(ConfidenceUpdate::Relative.change(0.5, true), 0.025);
    assert_eq!(ConfidenceUpdate::Relative.change(0.5, false), -0.05);
}
