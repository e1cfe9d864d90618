//! Other forms of timestamps in logs: with and without a zone, seconds or milliseconds since 1970, and C's `ctime`. It is lenient
//! timestamp parsing. Names of zones are refused, because some have several meanings. Turns of a log are read so, and so are moments among
//! the arguments of tool calls to the server of memories, whichever memory they concern; a stored graph has RFC 3339 alone.

use crate::dark_pawns::{NotAStamp, Stamp};
use jiff::fmt::{rfc2822, strtime};
use serde_json::{Number, Value};

/// The least number that is read as seconds since 1970 (March 1973). Smaller ones are turns or ticks of a game: as seconds they would lie
/// before any log.
const LEAST_EPOCH: f64 = 1e8;
/// From here on a number is read as milliseconds, then as micro- and nanoseconds, because as seconds it would lie beyond the year 5000.
const LEAST_MILLISECONDS: f64 = 1e11;
const LEAST_MICROSECONDS: f64 = 1e14;
const LEAST_NANOSECONDS: f64 = 1e17;
/// The form of C's `ctime`, which the lines of most MUD servers' logs begin with.
const CTIME: &str = "%a %b %d %H:%M:%S %Y";

impl Stamp {
    /// Parses a moment in any of these forms (timestamp parsing). Without a zone it is read as UTC: a log doesn't name its server's zone, and
    /// one zone throughout keeps the order and the gaps.
    ///
    /// # Errors
    /// When it isn't a moment. A day without a time is refused too, because events couldn't be sorted by it.
    pub fn read(value: &Value) -> Result<Self, NotAStamp> {
        let found = match value {
            Value::Number(number) => of_epoch(number),
            Value::String(text) => of_text(text.trim()),
            _ => None,
        };
        found.ok_or_else(|| match value {
            Value::String(text) => NotAStamp::new(text),
            other => NotAStamp::new(&other.to_string()),
        })
    }
}

fn of_epoch(number: &Number) -> Option<Stamp> {
    let size = number.as_f64()?.abs();
    let unit: i64 = if size < LEAST_EPOCH {
        return None;
    } else if size < LEAST_MILLISECONDS {
        1_000_000_000
    } else if size < LEAST_MICROSECONDS {
        1_000_000
    } else if size < LEAST_NANOSECONDS {
        1_000
    } else {
        1
    };
    let nanoseconds = match number.as_i64() {
        Some(whole) => whole.checked_mul(unit)?,
        // Rounded to a microsecond, because a float of today's seconds has no more digits.
        None => ((number.as_f64()? * unit as f64 / 1e3).round() as i64).checked_mul(1_000)?,
    };
    Some(Stamp::from_nanoseconds(nanoseconds))
}

fn of_text(text: &str) -> Option<Stamp> {
    if let Ok(number) = serde_json::from_str::<Number>(text) {
        return of_epoch(&number);
    }
    let as_written = || text.parse().ok();
    let by_numbers = || rfc3339(text)?.parse().ok();
    let ctime = || {
        let short = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let read = strtime::parse(CTIME, short).ok()?.to_datetime().ok()?;
        read.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|time| time.timestamp())
    };
    let mail = || rfc2822::parse(text).ok().map(|time| time.timestamp());
    let named = || {
        let time: jiff::Timestamp = mail().or_else(ctime)?;
        Some(Stamp::from_nanoseconds(i64::try_from(time.as_nanosecond()).ok()?))
    };
    as_written().or_else(by_numbers).or_else(named)
}

/// Rewrites a numeric form as RFC 3339: `2026/05/12 15:30`, `2026-05-12 15:30:00,123 +0000 UTC`. `None` when it isn't one.
fn rfc3339(text: &str) -> Option<String> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = day.replace(['/', '.'], "-");
    let rest = rest.strip_prefix(['T', 't', ' ', '_'])?.trim_start();
    let time_ends = rest.find(|letter: char| !(letter.is_ascii_digit() || ":.,".contains(letter)));
    let (time, zone) = rest.split_at(time_ends.unwrap_or(rest.len()));
    let time = time.replace(',', ".");
    let seconds = if time.matches(':').count() == 1 { ":00" } else { "" };
    Some(format!("{day}T{time}{seconds}{}", offset(zone)?))
}

/// An offset from UTC, in RFC 3339's form. `None` for the name of a zone, because names such as `EST` and `IST` have several meanings.
fn offset(zone: &str) -> Option<String> {
    // Go writes the offset and then the name, Java the offset and then the place in brackets.
    let zone = zone.trim().split([' ', '[']).next().unwrap_or_default();
    if zone.is_empty() || ["z", "utc", "gmt"].contains(&zone.to_lowercase().as_str()) {
        return Some("Z".to_owned());
    }
    let sign = zone.chars().next().filter(|sign| "+-".contains(*sign))?;
    let digits: String = zone[1..].chars().filter(|letter| *letter != ':').collect();
    match (digits.len(), digits.bytes().all(|digit| digit.is_ascii_digit())) {
        (2, true) => Some(format!("{sign}{digits}:00")),
        (4, true) => Some(format!("{sign}{}:{}", &digits[..2], &digits[2..])),
        _ => None,
    }
}
