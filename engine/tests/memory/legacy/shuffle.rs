use morta_base::{GolemId, Purpose, WorldSeed};

/// The same values, in another order; the same order every time.
#[test]
fn dealt_out_claims_are_a_permutation() {
    let dealt = || {
        let mut values: Vec<f64> = (0..40).map(f64::from).collect();
        let stream = &mut WorldSeed::CONTROL.golem(GolemId::founder(3), Purpose::LegacyControl, 0);
        stream.deal_out(&mut values);
        values
    };
    let once = dealt();
    let stayed = once.iter().zip(0..).filter(|(value, place)| **value == f64::from(*place)).count();
    assert!(stayed < 6, "{once:?}");
    let mut sorted = once.clone();
    sorted.sort_by(f64::total_cmp);
    assert_eq!(sorted, (0..40).map(f64::from).collect::<Vec<_>>());
    assert_eq!(once, dealt());
}
