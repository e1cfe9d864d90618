use morta_engine::episode::Evidence;

/// Three contradictions and no confirmation: 4/5.
#[test]
fn trust_in_a_refutation_follows_its_tests() {
    let check = |confirmed, contradicted, doubt| {
        assert_eq!(Evidence { confirmed, contradicted }.doubt(), doubt);
    };
    check(0, 3, 0.8);
    check(0, 0, 0.5);
    check(3, 7, 8.0 / 12.0);
}

#[test]
fn support_and_doubt_leave_no_third() {
    let evidence = Evidence { confirmed: 5, contradicted: 2 };
    assert_eq!(evidence.support(), 6.0 / 9.0);
    assert!((evidence.support() + evidence.doubt() - 1.0).abs() < 1e-12);
}
