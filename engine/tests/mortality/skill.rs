use morta_engine::mortality::skill::{ForecastTally, SquaredErrors};

#[test]
fn what_never_varies_is_foreseen_wholly_or_not_at_all() {
    let never_wrong = SquaredErrors { memory: 0.0, persistence: 0.3, nothing: 0.0, prior: 0.1 };
    assert_eq!(never_wrong.skill(), 0.0);
    assert_eq!(SquaredErrors { memory: 0.1, ..never_wrong }.skill(), -1.0);
    let far_off = SquaredErrors { memory: 9.0, persistence: 1.0, nothing: 1.0, prior: 1.0 };
    assert_eq!(far_off.skill(), -1.0, "bounded");
    assert_eq!(ForecastTally::default().skill(), None);
}
