//! Timestamps of session logs: RFC 3339, to the nanosecond, on the proleptic Gregorian calendar. It is timestamp parsing without a clock or a
//! time zone database; the unit is the nanosecond. No library is used, because the bytes of a file must not depend on one. Logs have many
//! other forms; `stamp_forms` reads those. Golems' moments are whole seconds of simulated time.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const DAY: i64 = 24 * 60 * MINUTE;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A moment, in nanoseconds since the Unix epoch, 1970 UTC: a timestamp. 64 bits hold the years 1678 to 2261. It is read and written as RFC
/// 3339, in binary formats as the number; offsets are converted to UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// Since 1970, UTC; negative before.
    nanoseconds: i64,
}

/// The error of a text that isn't a moment (timestamp parse error).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no RFC 3339 time of the years 1678 to 2261, like \"2026-05-12T15:30:00Z\"")]
pub struct NotAStamp(String);

impl NotAStamp {
    /// The error of a text. It quotes 60 characters at most, because a field of a broken log may be as long as the log.
    pub(super) fn new(text: &str) -> Self {
        Self(text.chars().take(60).collect())
    }
}

impl Stamp {
    /// The moment `nanoseconds` after 1970 (the Unix epoch).
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self { nanoseconds }
    }

    /// The moment `seconds` after 1970 (the Unix epoch), saturated at the years 1678 and 2261.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { nanoseconds: seconds.saturating_mul(SECOND) }
    }

    /// Nanoseconds since 1970, the Unix epoch.
    pub const fn nanoseconds(self) -> i64 {
        self.nanoseconds
    }

    /// Nanoseconds since `earlier`, negative before it: the time difference (duration), saturated.
    pub const fn since(self, earlier: Self) -> i64 {
        self.nanoseconds.saturating_sub(earlier.nanoseconds)
    }

    /// Formats the calendar date: `Jan 12`, without a leading zero.
    pub fn day(self) -> String {
        let (_, month, day) = civil(self.nanoseconds.div_euclid(DAY));
        format!("{} {day}", MONTHS[month as usize - 1])
    }

    /// Formats the time of day on a 12-hour clock (AM/PM): `3:15 PM`, without a leading zero.
    pub fn clock(self) -> String {
        let minutes = self.nanoseconds.rem_euclid(DAY) / MINUTE;
        let (hour, minute) = (minutes / 60, minutes % 60);
        let half = if hour < 12 { "AM" } else { "PM" };
        format!("{}:{minute:02} {half}", (hour + 11) % 12 + 1)
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.nanoseconds.div_euclid(DAY));
        let within = self.nanoseconds.rem_euclid(DAY);
        let seconds = within / SECOND;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if within % SECOND != 0 {
            let fraction = format!("{:09}", within % SECOND);
            write!(f, ".{}", fraction.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

impl FromStr for Stamp {
    type Err = NotAStamp;

    fn from_str(text: &str) -> Result<Self, NotAStamp> {
        parse(text.as_bytes()).ok_or_else(|| NotAStamp::new(text))
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_i64(self.nanoseconds)
        }
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
        } else {
            Ok(Self { nanoseconds: i64::deserialize(deserializer)? })
        }
    }
}

fn parse(text: &[u8]) -> Option<Stamp> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits
            .iter()
            .all(u8::is_ascii_digit)
            .then(|| digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0')))
    };
    let marked = |place: usize, marks: &[u8]| text.get(place).is_some_and(|mark| marks.contains(mark));
    let marks: [(usize, &[u8]); 5] = [(4, b"-"), (7, b"-"), (10, b"Tt"), (13, b":"), (16, b":")];
    if !marks.iter().all(|(place, mark)| marked(*place, mark)) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let days = days_of(year, month, day);
    if civil(days) != (year, month, day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let mut place = 19;
    let mut fraction = 0;
    if marked(place, b".") {
        let length = text[place + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return None;
        }
        // Digits beyond the ninth are finer than a nanosecond.
        let kept = length.min(9);
        fraction = (kept..9).fold(number(place + 1, place + 1 + kept)?, |n, _| n * 10);
        place += 1 + length;
    }
    let offset = match text.get(place..)? {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let (hours, minutes) = (number(place + 1, place + 3)?, number(place + 4, place + 6)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'-' { -60 } else { 60 }
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    let nanoseconds = seconds.checked_mul(SECOND)?.checked_add(fraction)?;
    Some(Stamp { nanoseconds })
}

/// Days from 1970 to a date. Years are counted from March, so that the leap day is the last of its year.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The year, month and day of a number of days since 1970: the inverse of [`days_of`].
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(text: &str) -> Stamp {
        text.parse().unwrap()
    }

    #[test]
    fn moments_are_parsed_and_written() {
        for (text, nanoseconds, written) in [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
            ("2026-05-12T15:30:00Z", 1_778_599_800 * SECOND, "2026-05-12T15:30:00Z"),
            ("2026-05-12T17:30:00.25+02:00", 1_778_599_800 * SECOND + SECOND / 4, "2026-05-12T15:30:00.25Z"),
            ("1969-12-31T23:59:59.999999999Z", -1, "1969-12-31T23:59:59.999999999Z"),
            ("2000-02-29T00:00:00-00:30", 951_784_200 * SECOND, "2000-02-29T00:30:00Z"),
        ] {
            assert_eq!(stamp(text).nanoseconds(), nanoseconds, "{text}");
            assert_eq!(stamp(text).to_string(), written, "{text}");
        }
    }
}
