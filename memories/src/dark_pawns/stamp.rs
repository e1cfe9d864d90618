//! Timestamps of session logs: RFC 3339, to the nanosecond, on the proleptic Gregorian calendar. It is timestamp parsing without a clock or a
//! time zone database; the unit is the nanosecond. Only this one form is read here. Logs have many other forms; `stamp_forms` reads those.
//! Golems' moments are whole seconds of simulated time.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

const SECOND: i64 = 1_000_000_000;
const EPOCH: Date = Date::constant(1970, 1, 1);

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
        self.timestamp().strftime("%b %-d").to_string()
    }

    /// Formats the time of day on a 12-hour clock (AM/PM): `3:15 PM`, without a leading zero.
    pub fn clock(self) -> String {
        self.timestamp().strftime("%-I:%M %p").to_string()
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_nanosecond(self.nanoseconds.into()).expect("it has the years of any 64 bits")
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.timestamp())
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
    let date = Date::new(year as i16, month as i8, day as i8).ok()?;
    if hour > 23 || minute > 59 || second > 59 {
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
    let seconds = EPOCH.duration_until(date).as_secs() + hour * 3600 + minute * 60 + second - offset;
    let nanoseconds = seconds.checked_mul(SECOND)?.checked_add(fraction)?;
    Some(Stamp { nanoseconds })
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
