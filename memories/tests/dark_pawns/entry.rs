use morta_memories::dark_pawns::SessionEntry;

#[test]
fn an_entry_needs_a_time_and_an_action() {
    let good =
        br#"{"timestamp":"2026-05-12T15:30:00Z","action":"look","hp":null,"latency_ms":12,"args":null}"#;
    let entry = SessionEntry::parse(good).unwrap();
    assert_eq!((entry.health(), entry.argument(), entry.room_vnum), (None, "", 0));
    for (bad, why) in [
        (&br#"{"action":"look"}"#[..], "missing field `timestamp`"),
        (br#"{"timestamp":"2026-05-12T15:30:00Z"}"#, "missing field `action`"),
        (br#"{"timestamp":"noon","action":"look"}"#, "\"noon\" is no RFC 3339 time"),
        (br#"{"timestamp":"2026-05-12T15:30:00Z","action":"look","hp":1.5}"#, "invalid type: floating point"),
        (br#"{"timestamp":"2026-05-12T15:30:00Z","action":"look","hp":NaN}"#, "expected"),
        (br#"[1]"#, ""),
        (b"\xff\xfe", ""),
    ] {
        let error = SessionEntry::parse(bad).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
