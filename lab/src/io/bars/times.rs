//! Times as files have them: texts with a zone or without, or counts since 1970 in any unit. This is timestamp parsing: epoch seconds,
//! milliseconds, microseconds or nanoseconds, ISO 8601 texts, local time in a time zone. Each cell is read by itself, so a column may
//! change its unit, as Binance's did; the changes are remembered for the report. Only two things go by the cells before: a whole
//! number that could be a spreadsheet's day, in text such a day unless the column has had seconds, and an hour that clocks show twice.
//! Results are whole seconds since 1970-01-01 UTC, fractions cut off. A time without a zone is of the user's `--zone`, else of the zone in
//! the column's name, else of UTC, and never the machine's, because the same file would then be another market elsewhere.

use super::error::RowError;
use crate::io::as_written::moments::{self, DateOrder, EpochUnit};
use crate::io::as_written::{self, FormEvidence};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The first second of the year 2200. What counts further, counts in something smaller than seconds: as milliseconds it is March 1970, so
/// every recorded price is caught.
const SECONDS_END: u64 = 7_258_118_400;
const DAY_S: i64 = 86_400;

/// Seconds since 1970 of whole numbers, and the unit they must be counted in (epoch unit detection).
pub(super) fn counted(count: i64) -> (i64, EpochUnit) {
    let units = [
        (EpochUnit::Seconds, 1),
        (EpochUnit::Milliseconds, 1_000),
        (EpochUnit::Microseconds, 1_000_000),
        (EpochUnit::Nanoseconds, 1_000_000_000),
    ];
    // The least whole number has no positive twin.
    let size = count.unsigned_abs();
    let fits = |(_, per_second): &&(EpochUnit, i64)| size / per_second.unsigned_abs() < SECONDS_END;
    let (unit, per_second) = *units.iter().find(fits).unwrap_or(&units[3]);
    (count.div_euclid(per_second), unit)
}

/// A column of times as it is read, and what has been seen of it (timestamp column parser).
pub(super) struct Times {
    /// The column as the file has it.
    pub name: String,
    /// The zone of times that name none, where the user or the column's name gives it.
    pub zone: Option<TimeZone>,
    /// The order of day and month, where it is known.
    pub order: Option<DateOrder>,
    /// The units that counts are in, each with the first place of it.
    pub units: BTreeMap<EpochUnit, u64>,
    /// Whether some time names no zone.
    pub is_local: bool,
    /// Whether some time has a clock, or is a count.
    pub has_clock: bool,
    /// The time of the row before.
    last_s: Option<i64>,
    /// Whether rows ascend or descend, going by the first two times that differ.
    direction: Ordering,
}

impl Times {
    /// A parser for a column of this name; `zone` is what the user says, before the zone in the name (timestamp parser).
    pub(super) fn new(name: &str, zone: Option<TimeZone>, order: Option<DateOrder>) -> Self {
        let zone = zone.or_else(|| zone_of(name));
        let (name, units) = (name.trim().to_owned(), BTreeMap::new());
        let direction = Ordering::Equal;
        Self { name, zone, order, units, is_local: false, has_clock: false, last_s: None, direction }
    }

    /// Parses a timestamp from a cell of text; `place` is its line, for the report of units. A date that reads two ways is an error.
    pub(super) fn text(&mut self, cell: &str, place: u64) -> Result<i64, RowError> {
        let text = cell.trim();
        let unreadable = || RowError::NoTime { name: self.name.clone(), text: text.to_owned() };
        if let Ok(moment) = text.parse::<jiff::Timestamp>() {
            self.has_clock = true;
            return Ok(self.taken(moment.as_second()));
        }
        let day = packed_day(text).or_else(|| half_day(text));
        if day.is_none() {
            // 45292 is a day of 2024 to a spreadsheet, and as seconds half a day of 1970, when nobody recorded prices; but a simulated series may begin
            // at 0, so that its later rows are seconds as its first.
            if let Ok(count) = text.parse::<i64>()
                && (!moments::is_serial_day(count as f64) || self.units.contains_key(&EpochUnit::Seconds))
            {
                return Ok(self.count(count, place));
            }
            // What a table of floats makes of counts, and days of a spreadsheet.
            let real = text.parse().ok().filter(|real: &f64| real.is_finite());
            let real = real.and_then(|real| moments::counted(real, true));
            if let Some((seconds, unit)) = real {
                self.units.entry(unit).or_insert(place);
                self.has_clock = true;
                let local = || jiff::Timestamp::from_second(seconds as i64).ok();
                return match (unit, local()) {
                    (EpochUnit::Days, Some(local)) => {
                        self.local(local.to_zoned(TimeZone::UTC).datetime(), text)
                    }
                    (EpochUnit::Days, None) => Err(unreadable()),
                    _ => Ok(self.taken(seconds.floor() as i64)),
                };
            }
        }
        let text = day.as_deref().unwrap_or(text);
        let written = moments::written(text).ok_or_else(unreadable)?;
        let two = |readings: [Option<DateTime>; 2]| match readings {
            [Some(one), Some(other)] => RowError::TwoDates { text: text.to_owned(), one, other },
            _ => RowError::NoTime { name: self.name.clone(), text: text.to_owned() },
        };
        let by = |order| written.local(order);
        if may_begin_with_year(&written, text) && self.order.is_none() {
            let first = written.year_first().and_then(|written| written.local(DateOrder::DayFirst));
            return Err(two([first, by(DateOrder::DayFirst).or(by(DateOrder::MonthFirst))]));
        }
        let order = match (self.order, written.evidence()) {
            (Some(order), _) | (None, FormEvidence::Only(order)) => order,
            (None, FormEvidence::Same) => DateOrder::DayFirst,
            (None, FormEvidence::Both) => {
                return Err(two([by(DateOrder::DayFirst), by(DateOrder::MonthFirst)]));
            }
        };
        let local = by(order).ok_or_else(unreadable)?;
        self.has_clock |= text.contains(':') || local.time() != jiff::civil::Time::midnight();
        match written.offset() {
            Some(offset) => {
                let moment = offset.to_timestamp(local).map_err(|_| unreadable())?;
                Ok(self.taken(moment.as_second()))
            }
            None => self.local(local, text),
        }
    }

    /// Converts a count since 1970 (Unix timestamp) to seconds. The unit is found by the size, for each count by itself, and may be
    /// milliseconds or finer.
    pub(super) fn count(&mut self, count: i64, place: u64) -> i64 {
        let (seconds, unit) = counted(count);
        self.units.entry(unit).or_insert(place);
        self.has_clock = true;
        self.taken(seconds)
    }

    /// Takes in seconds of a clock in no zone: what a data frame without a zone holds (naive local time).
    pub(crate) fn local_seconds(&mut self, seconds: i64) -> Result<i64, RowError> {
        let moment = jiff::Timestamp::from_second(seconds);
        let text = seconds.to_string();
        let moment = moment.map_err(|_| RowError::NoTime { name: self.name.clone(), text: text.clone() })?;
        self.has_clock |= seconds.rem_euclid(DAY_S) != 0;
        self.local(moment.to_zoned(TimeZone::UTC).datetime(), &text)
    }

    /// Notes the Unix epoch seconds of a row and returns them. The first two different ones say whether rows are in ascending or descending
    /// order (sort direction): an hour that clocks show twice is settled by it.
    pub(super) fn taken(&mut self, seconds: i64) -> i64 {
        if let (Some(last), Ordering::Equal) = (self.last_s, self.direction) {
            self.direction = seconds.cmp(&last);
        }
        self.last_s = Some(seconds);
        seconds
    }

    fn local(&mut self, local: DateTime, text: &str) -> Result<i64, RowError> {
        let Some(zone) = self.zone.clone() else {
            self.is_local = true;
            let moment = Offset::UTC.to_timestamp(local);
            let unreadable = |_| RowError::NoTime { name: self.name.clone(), text: text.to_owned() };
            return moment.map_err(unreadable).map(|moment| self.taken(moment.as_second()));
        };
        let seconds = |offset: Offset| offset.to_timestamp(local).map(|moment| moment.as_second());
        let unreadable = |_| RowError::NoTime { name: self.name.clone(), text: text.to_owned() };
        let ambiguous = zone.to_ambiguous_timestamp(local).offset();
        match ambiguous {
            AmbiguousOffset::Unambiguous { offset } => {
                seconds(offset).map_err(unreadable).map(|moment| self.taken(moment))
            }
            // Clocks have gone forward over it, so they were other clocks.
            AmbiguousOffset::Gap { .. } => {
                Err(RowError::InGap { text: text.to_owned(), zone: zone_name(&zone) })
            }
            // An hour that is there twice: the row before says which it is.
            AmbiguousOffset::Fold { before, after } => {
                let (early, late) =
                    (seconds(before).map_err(unreadable)?, seconds(after).map_err(unreadable)?);
                let first = match (self.direction, self.last_s) {
                    (Ordering::Less, Some(last)) => late >= last,
                    (_, Some(last)) => early > last,
                    (_, None) => true,
                };
                Ok(self.taken(if first { early } else { late }))
            }
        }
    }
}

/// The name of a zone for a message: its IANA time zone name, or the debug form of a fixed offset.
pub(super) fn zone_name(zone: &TimeZone) -> String {
    zone.iana_name().map_or_else(|| format!("{zone:?}"), str::to_owned)
}

/// The zone that a column's name says: `Gmt time`, `time_utc`, `Time (EET)`, `Closing time (UTC+1)`.
fn zone_of(name: &str) -> Option<TimeZone> {
    if let Some(offset) = as_written::zone_in(name) {
        return Some(TimeZone::fixed(offset));
    }
    let words = name.split(|sign: char| !sign.is_alphanumeric());
    if words.map(str::to_lowercase).any(|word| ["utc", "gmt"].contains(&word.as_str())) {
        return Some(TimeZone::UTC);
    }
    let inner = name.split_once('(')?.1.split(')').next()?;
    TimeZone::get(inner.trim()).ok()
}

/// Whether a date such as 23-01-02 has its year in two digits, which may stand first or last (two-digit year).
pub(crate) fn may_begin_with_year(written: &moments::WrittenMoment, text: &str) -> bool {
    written.has_short_year() && text.trim().as_bytes().get(2) == Some(&b'-')
}

/// `2019-10-17 09-AM`, as CryptoDataDownload wrote hours until 2020, with a clock.
fn half_day(text: &str) -> Option<String> {
    let (head, half) = text.rsplit_once('-')?;
    let (day, hour) = head.rsplit_once(' ')?;
    let is_half = ["AM", "PM"].contains(&half.to_uppercase().as_str());
    (is_half && hour.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("{day} {hour}:00 {half}"))
}

/// `20230102`, `202301020930` and `20230102093000` with a blank before the clock: as counts they would be times of 1970, 1976 and 2611.
fn packed_day(text: &str) -> Option<String> {
    let is_packed = [8, 12, 14].contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let apart = is_packed.then(|| match text.len() {
        8 => text.to_owned(),
        12 => format!("{} {}:{}", &text[..8], &text[8..10], &text[10..]),
        _ => format!("{} {}", &text[..8], &text[8..]),
    })?;
    moments::written(&apart).is_some().then_some(apart)
}

/// A clock of a column of its own: with colons, or digits alone as Stooq has them, which lose their zeros in a spreadsheet (time of day column).
pub(super) fn clock(cell: &str) -> Option<String> {
    let cell = cell.trim();
    if moments::is_clock(cell) && cell.contains(':') {
        return Some(cell.to_owned());
    }
    let is_digits = (1..=6).contains(&cell.len()) && cell.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| {
        let digits = if cell.len() <= 4 { format!("{cell:0>4}00") } else { format!("{cell:0>6}") };
        format!("{}:{}:{}", &digits[..2], &digits[2..4], &digits[4..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_of_the_unit_that_makes_times_of_them() {
        let at = 1_577_840_400;
        for (count, expected) in [
            (at, (at, EpochUnit::Seconds)),
            (at * 1_000 + 999, (at, EpochUnit::Milliseconds)),
            (at * 1_000_000, (at, EpochUnit::Microseconds)),
            (at * 1_000_000_000, (at, EpochUnit::Nanoseconds)),
            (-1, (-1, EpochUnit::Seconds)),
            (i64::MIN, (-9_223_372_037, EpochUnit::Nanoseconds)),
        ] {
            assert_eq!(counted(count), expected);
        }
    }

    fn read(zone: &str, cells: &[&str]) -> Vec<i64> {
        let mut times = Times::new("time", TimeZone::get(zone).ok(), None);
        cells.iter().map(|cell| times.text(cell, 1).unwrap() - 1_698_537_600).collect()
    }

    #[test]
    fn whole_days_of_a_spreadsheet_are_no_seconds() {
        let read = |cells: &[&str]| {
            let mut times = Times::new("time", None, None);
            cells.iter().map(|cell| times.text(cell, 1).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(read(&["44928", "44929"]), [1_672_617_600, 1_672_704_000]);
        assert_eq!(read(&["0", "28800", "57600"]), [0, 28_800, 57_600]);
    }

    /// 2023-10-29 from midnight UTC, when Berlin's clocks went back at 01:00 UTC.
    #[test]
    fn a_repeated_hour_is_resolved_by_the_row_before() {
        let hours = ["01:30", "02:00", "02:30", "02:00", "02:30", "03:00"];
        let cells: Vec<String> = hours.iter().map(|clock| format!("2023-10-29 {clock}")).collect();
        let mut cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let mut expected: Vec<i64> = (0..6).map(|half| (half - 1) * 1_800).collect();
        assert_eq!(read("Europe/Berlin", &cells), expected);
        cells.reverse();
        expected.reverse();
        assert_eq!(read("Europe/Berlin", &cells), expected);
    }

    #[test]
    fn a_time_that_was_not_names_the_zone() {
        let mut times = Times::new("time", TimeZone::get("Europe/Berlin").ok(), None);
        let message = times.text("2023-03-26 02:30", 1).unwrap_err().to_string();
        assert!(message.contains("Europe/Berlin") && message.contains("2023-03-26 02:30"), "{message}");
    }

    #[test]
    fn zones_are_in_names_and_in_cells() {
        let midnight = 1_672_617_600;
        for (name, cell) in [
            ("time", "2023-01-02"),
            ("time", "1672617600.0"),
            ("time", "20230102"),
            ("time", "202301020000"),
            ("time", "2023-01-02 12-AM"),
            ("time", "2023-01-01 19:00:00-05:00"),
            ("Gmt time", "02.01.2023 00:00:00.000"),
            ("Local time", "02.01.2023 01:00:00.000 GMT+0100"),
            ("Time (EET)", "2023.01.02 02:00:00"),
            ("Time (UTC+1)", "2023-01-02 01:00"),
            ("time", "44928.0"),
        ] {
            let mut times = Times::new(name, None, None);
            assert_eq!(times.text(cell, 1).unwrap(), midnight, "{name} {cell}");
            let named = name != "time" || cell.contains("-05:00") || cell.starts_with("16726");
            assert_eq!(times.is_local, !named, "{name} {cell}");
        }
        for cell in ["01/02/2023", "23-01-02", "noon", "1e400", ""] {
            assert!(Times::new("time", None, None).text(cell, 1).is_err(), "{cell}");
        }
        for (cell, expected) in
            [("0", "00:00:00"), ("930", "09:30:00"), ("93000", "09:30:00"), ("9:30", "9:30")]
        {
            assert_eq!(clock(cell).as_deref(), Some(expected));
        }
        assert_eq!(clock("1672617600"), None);
    }
}
