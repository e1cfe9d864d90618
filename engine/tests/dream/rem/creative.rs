use morta_engine::dream::rem::creative::mode_weights;
use morta_engine::mortality::Phase;

/// Digest section 5: thriving .50/.30/.20, conservation inverts it, declining only combines, the dying don't create.
#[test]
fn modes_by_phase() {
    assert_eq!(mode_weights(Phase::Thriving), [0.50, 0.30, 0.20]);
    let mut inverted = mode_weights(Phase::Conservation);
    inverted.reverse();
    assert_eq!(inverted, mode_weights(Phase::Thriving));
    for phase in &Phase::ALL[1..] {
        assert!((mode_weights(*phase).iter().sum::<f64>() - 1.0).abs() < 1e-12, "{phase:?}");
    }
    assert_eq!(mode_weights(Phase::Terminal), [0.0; 3]);
}
