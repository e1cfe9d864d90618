use morta_engine::mortality::{Cause, Clock};

#[test]
fn causes_belong_to_clocks() {
    let clocks: Vec<Option<usize>> = Cause::ALL.iter().map(|cause| cause.clock().map(Clock::index)).collect();
    assert_eq!(clocks, [Some(0), Some(1), Some(1), Some(2), None, None, None]);
    let sudden = Cause::ALL.iter().filter(|cause| cause.is_sudden()).count();
    assert_eq!(sudden, 1, "only chance gives no notice");
}
