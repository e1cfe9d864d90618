use morta_memories::openclaw::time::{Day, Instant, StoredInstant, Zone};

#[test]
fn instants_and_days_round_trip() {
    let instant: Instant = "2026-04-05T18:42:06+01:00".parse().unwrap();
    assert_eq!(instant.to_string(), "2026-04-05T17:42:06.000Z");
    assert_eq!("2026-04-05".parse::<Instant>().unwrap().to_string(), "2026-04-05T00:00:00.000Z");
    for (text, days) in [("1970-01-01", 0), ("1969-12-31", -1), ("2026-04-05", 20_548)] {
        let day: Day = text.parse().unwrap();
        assert_eq!((day.0, day.to_string().as_str()), (days, text));
    }
    for bad in ["2026-4-5", "2026-02-30", "20260405", "yesterday", "2026-04-05T", "+026-04-05"] {
        assert!(bad.parse::<Day>().is_err() && bad.parse::<Instant>().is_err(), "{bad}");
    }
    assert_eq!(StoredInstant::read("soon").to_string(), "soon");
    assert!(Instant::from_seconds(1e300).to_string().starts_with("9999-12-"));
}

/// An evening in California is the next day in UTC.
#[test]
fn the_day_is_that_of_the_zone() {
    let instant: Instant = "2026-04-05T03:00:00Z".parse().unwrap();
    let los_angeles = Zone::named("america/los_angeles").unwrap();
    assert_eq!(los_angeles.name(), "America/Los_Angeles");
    assert_eq!(los_angeles.day(instant).to_string(), "2026-04-04");
    assert_eq!(Zone::utc().day(instant).to_string(), "2026-04-05");
    assert!(Zone::named("Middle/Earth").is_err());
}
