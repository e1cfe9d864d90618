use morta_engine::dream::schedule::Dollars;

#[test]
fn three_ways_to_write_half_a_dollar() {
    for text in [r#""$0.50""#, r#""0.50""#, "0.5"] {
        assert_eq!(serde_json::from_str::<Dollars>(text).unwrap(), Dollars::micros(500_000), "{text}");
    }
    assert_eq!(serde_json::from_str::<Dollars>("2").unwrap(), Dollars::micros(2_000_000));
    assert_eq!(serde_json::to_string(&Dollars::micros(500_000)).unwrap(), "0.5");
    let bytes = postcard::to_allocvec(&Dollars::micros(7)).unwrap();
    assert_eq!(postcard::from_bytes::<Dollars>(&bytes).unwrap(), Dollars::micros(7));
}

#[test]
fn a_text_without_an_amount_is_refused() {
    for text in [r#""-1""#, r#""$""#, r#""1e3""#, r#""inf""#, "-0.5", r#""half""#, r#""""#, "1e300"] {
        assert!(serde_json::from_str::<Dollars>(text).is_err(), "{text}");
    }
}
