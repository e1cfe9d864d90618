use morta_memories::dark_pawns::Stamp;

fn stamp(text: &str) -> Stamp {
    text.parse().unwrap()
}

#[test]
fn a_text_that_is_no_moment_is_refused() {
    for text in [
        "",
        "yesterday",
        "2026-05-12",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-05-12T24:00:00Z",
        "2026-05-12T15:30:00",
        "2026-05-12T15:30:00.Z",
        "2026-05-12T15:30:00+2:00",
        "0001-01-01T00:00:00Z",
        "2026-05-12T15:30:60Z",
        "9999-01-01T00:00:00Z",
        "2026-05-12T15:30:00Zé",
    ] {
        assert!(text.parse::<Stamp>().is_err(), "{text}");
    }
}

#[test]
fn clocks_have_twelve_hours() {
    let clock = |text: &str| (stamp(text).day(), stamp(text).clock());
    let expected = |day: &str, clock: &str| (day.to_owned(), clock.to_owned());
    assert_eq!(clock("2026-01-12T15:15:59Z"), expected("Jan 12", "3:15 PM"));
    assert_eq!(clock("2026-12-03T00:05:00Z"), expected("Dec 3", "12:05 AM"));
    assert_eq!(clock("2026-07-31T12:00:00Z"), expected("Jul 31", "12:00 PM"));
}
