//! Instants, days and time zones of OpenClaw's stores. Instants are milliseconds of the Unix epoch; time zones are IANA names, UTC by
//! default. All times are the caller's: nothing here reads a clock, so that a run can be repeated. A golem's memory converts its ticks by
//! `Instant::from_seconds`. The zone matters only where an instant becomes a calendar day or a cron expression is evaluated. An unknown
//! zone of the key `timezone` is refused when a scenario is read; in a user's `openclaw.json` it is reported, and UTC stays.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

/// Milliseconds in a day.
pub const DAY_MS: i64 = 86_400_000;

/// Writes a type as its text into files, and reads it from there.
macro_rules! as_text {
    ($type:ty, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read: fn(&str) -> Result<Self, _> = $read;
                read(&String::deserialize(deserializer)?).map_err(de::Error::custom)
            }
        }
    };
}

/// A moment, as a Unix timestamp: milliseconds since 1970, UTC. In files it is an ISO 8601 instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub i64);

impl Instant {
    /// The moment `seconds` after 1970, UTC, clamped to the years of the calendar; NaN is 1970 (Unix timestamp).
    pub fn from_seconds(seconds: f64) -> Self {
        let (first, last) = (jiff::Timestamp::MIN.as_millisecond(), jiff::Timestamp::MAX.as_millisecond());
        // `as` saturates and maps NaN to 0. A day less at both ends, because a zone may move the date by a day.
        Self(((seconds * 1_000.0) as i64).clamp(first + DAY_MS, last - DAY_MS))
    }

    /// Days from the other moment to this one; negative when this one is earlier (duration in days).
    pub fn days_since(self, other: Self) -> f64 {
        self.0.saturating_sub(other.0) as f64 / DAY_MS as f64
    }

    /// The moment `days` of 24 hours earlier, as the start of a lookback window; it saturates.
    pub fn days_earlier(self, days: u32) -> Self {
        Self(self.0.saturating_sub(i64::from(days).saturating_mul(DAY_MS)))
    }

    pub(super) fn timestamp(self) -> jiff::Timestamp {
        let (first, last) = (jiff::Timestamp::MIN, jiff::Timestamp::MAX);
        let near = if self.0 < 0 { first } else { last };
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(near)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.timestamp().strftime("%Y-%m-%dT%H:%M:%S%.3fZ"))
    }
}

/// The error of a text that isn't an instant (timestamp parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an instant: write one with its offset, as in 2026-04-05T03:00:00Z")]
pub struct InstantParseError(String);

impl FromStr for Instant {
    type Err = InstantParseError;

    /// Parses an ISO 8601 instant with its offset, or a date, which means its midnight in UTC.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(instant) = text.parse::<jiff::Timestamp>() {
            return Ok(Self(instant.as_millisecond()));
        }
        let day: Day = text.parse().map_err(|_| InstantParseError(text.to_owned()))?;
        Ok(Self(i64::from(day.0) * DAY_MS))
    }
}

as_text!(Instant, str::parse);

/// An instant (timestamp) as it is in a store. An unreadable one is kept as its text, so that writing the store doesn't lose it. It has an
/// age of 0 in the recency signal (digest section 4), and it is never within a lookback of some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredInstant {
    /// A readable instant.
    At(Instant),
    /// The text of an unreadable one.
    Unreadable(String),
}

impl StoredInstant {
    /// Parses the text of a file (lenient parsing): a text that is no timestamp isn't an error, because one damaged entry must not lose a
    /// store.
    pub fn read(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Unreadable(text.to_owned()), Self::At)
    }

    /// The instant; `None` if the text couldn't be parsed.
    pub fn instant(&self) -> Option<Instant> {
        match self {
            Self::At(instant) => Some(*instant),
            Self::Unreadable(_) => None,
        }
    }
}

impl fmt::Display for StoredInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(instant) => instant.fmt(f),
            Self::Unreadable(text) => f.write_str(text),
        }
    }
}

as_text!(StoredInstant, |text| Ok::<_, std::convert::Infallible>(StoredInstant::read(text)));

/// A calendar day (date), as days since 1 January 1970. In files it is YYYY-MM-DD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i32);

impl Day {
    fn from_date(date: jiff::civil::Date) -> Self {
        let zero = jiff::civil::Date::constant(1970, 1, 1);
        Self(zero.duration_until(date).as_hours() as i32 / 24)
    }

    fn date(self) -> jiff::civil::Date {
        let zero = jiff::civil::Date::constant(1970, 1, 1);
        zero.saturating_add(jiff::SignedDuration::from_hours(i64::from(self.0) * 24))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.date().strftime("%Y-%m-%d"))
    }
}

/// The error of a text that isn't a calendar date in the form YYYY-MM-DD (parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a day: write it as in 2026-04-05")]
pub struct DayParseError(String);

impl FromStr for Day {
    type Err = DayParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let shape = |(at, byte): (usize, u8)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        let shaped = text.len() == 10 && text.bytes().enumerate().all(shape);
        let date = shaped.then(|| text.parse().ok()).flatten();
        date.map(Self::from_date).ok_or_else(|| DayParseError(text.to_owned()))
    }
}

as_text!(Day, str::parse);

/// A time zone of the IANA database. The database is part of the program, because a machine's own may be older and put an instant on
/// another day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    name: String,
    pub(super) zone: jiff::tz::TimeZone,
}

/// The error of a text that isn't a time zone (invalid time zone).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time zone: write a name of the IANA database, as in Europe/Berlin or UTC")]
pub struct UnknownZone(String);

impl Zone {
    /// The zone UTC, which is the default time zone.
    pub fn utc() -> Self {
        Self { name: "UTC".to_owned(), zone: jiff::tz::TimeZone::UTC }
    }

    /// Looks up the zone of a name, in upper or lower case, in the bundled IANA time zone database.
    ///
    /// # Errors
    /// When the database has no zone of this name.
    pub fn named(name: &str) -> Result<Self, UnknownZone> {
        if name.eq_ignore_ascii_case("utc") {
            return Ok(Self::utc());
        }
        let zone =
            jiff::tz::TimeZoneDatabase::bundled().get(name).map_err(|_| UnknownZone(name.to_owned()))?;
        Ok(Self { name: zone.iana_name().unwrap_or(name).to_owned(), zone })
    }

    /// The name of the time zone, in the database's spelling.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The local date of an instant: its calendar day in this zone. UTC is computed directly, because it needs no calendar.
    pub fn day(&self, instant: Instant) -> Day {
        if self.name == "UTC" {
            return Day(instant.0.div_euclid(DAY_MS) as i32);
        }
        Day::from_date(self.zone.to_datetime(instant.timestamp()).date())
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self::utc()
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

as_text!(Zone, Zone::named);
