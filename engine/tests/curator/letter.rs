use morta_engine::curator::letter::consolidation_priority;

/// 1.5 R is half as important as it gets; replayed once, half as new; arousal .5 adds 15 %.
#[test]
fn consolidation_priority_is_the_product() {
    assert!((consolidation_priority(-1.5, 1, 0.5) - 0.287_5).abs() < 1e-12);
    assert_eq!(consolidation_priority(9.0, 0, 0.0), 1.0);
}
