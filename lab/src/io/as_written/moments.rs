//! Moments as people's programs write them: `05.01.2026 08:15`, `01/15/24, 9:30:05 AM`, `20260105;081500`, `15-Jan-2026`, seconds or less since 1970.
//! This is date parsing: a timestamp or a cell of text becomes seconds of the Unix epoch (since 1970-01-01 UTC). Day-first and month-first dates are
//! kept apart until a column decides; a moment without a UTC offset is of the time zone that the caller names. Moments that can be read in
//! two ways are reported as such (`WrittenMoment::evidence`) and never guessed at, because a swapped day and month would move a trade by
//! months. Dates with points count as day-first; years of two digits are of this century. Price files and the trade exports of the `owm`
//! tools are read by it.

use super::FormEvidence;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};

/// Seconds since 1970 from which a number of them can only be of a smaller unit, and so on by thousands: the year 5138.
const UNIT_FROM: f64 = 1e11;
/// Days that spreadsheets count from the end of 1899; a number of them from 1970 to 2100 as seconds would be the first day of 1970, where no trade was.
const SERIAL_DAYS: std::ops::Range<f64> = 25_569.0..73_415.0;
/// Seconds of 1973, before which a bare number in a table is likelier that of a bar.
const SECONDS_FROM: f64 = 1e8;
const DAY_S: f64 = 86_400.0;

morta_base::words! {
    /// The order of day and month where the year isn't first: day-first (dmy) or month-first (mdy).
    pub enum DateOrder {
        /// 31/12/2026
        DayFirst = "dmy",
        /// 12/31/2026
        MonthFirst = "mdy",
    }
}

/// A day, as far as it is settled without the order (partially parsed date).
#[derive(Clone, Copy, Debug, PartialEq)]
enum Day {
    Known(Date),
    /// Two numbers, the year and whether it had two digits, and whether points were between them.
    Open {
        first: i8,
        second: i8,
        year: i16,
        is_short: bool,
        by_points: bool,
    },
}

/// A date and clock whose order of day and month isn't known yet (ambiguous date).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrittenMoment {
    day: Day,
    time: Time,
    offset: Option<Offset>,
}

morta_base::words! {
    /// What a bare number of a table counts: a unit of the Unix epoch, or days of a spreadsheet (Excel serial date).
    pub enum EpochUnit {
        /// Since 1970.
        Seconds = "seconds since 1970",
        /// Since 1970.
        Milliseconds = "milliseconds since 1970",
        /// Since 1970.
        Microseconds = "microseconds since 1970",
        /// Since 1970.
        Nanoseconds = "nanoseconds since 1970",
        /// Of a spreadsheet, since 1899-12-30.
        Days = "days of a spreadsheet",
    }
}

/// Converts a number to seconds of the Unix epoch, by the epoch unit that its size shows: seconds, milliseconds, microseconds or
/// nanoseconds; days of a spreadsheet only where a table of text may hold them.
///
/// `None` for a text of a small number: a price or a volume in the wrong column would be read as a moment of early 1970.
pub fn counted(number: f64, is_text: bool) -> Option<(f64, EpochUnit)> {
    if is_text && is_serial_day(number) {
        // A cell of a spreadsheet is a moment of no zone; a second is a 86,400th of it.
        return Some((((number - SERIAL_DAYS.start) * DAY_S).round(), EpochUnit::Days));
    }
    if is_text && number.abs() < SECONDS_FROM {
        return None;
    }
    let units =
        [EpochUnit::Seconds, EpochUnit::Milliseconds, EpochUnit::Microseconds, EpochUnit::Nanoseconds];
    let mut seconds = number;
    let mut limit = UNIT_FROM;
    for unit in units {
        if number.abs() < limit || unit == EpochUnit::Nanoseconds {
            return Some((seconds, unit));
        }
        (seconds, limit) = (seconds / 1_000.0, limit * 1_000.0);
    }
    None
}

/// Whether a number may be a day of a spreadsheet from 1970 to 2100 (Excel serial date).
pub(crate) fn is_serial_day(number: f64) -> bool {
    SERIAL_DAYS.contains(&number)
}

/// Whether a cell is a wall-clock time without a date, with or without am/pm: 09:30:05.
pub fn is_clock(cell: &str) -> bool {
    let mut words = cell.split_whitespace();
    words.next().is_some_and(|word| clock(word).is_some())
        && words.all(|word| ["am", "pm"].contains(&word.to_lowercase().as_str()))
}

/// Parses a date up to the order of day and month; none when the cell is no moment. A date alone is its midnight.
pub fn written(cell: &str) -> Option<WrittenMoment> {
    let cell: String = cell
        .chars()
        .map(|sign| if sign.is_whitespace() { ' ' } else { sign })
        .filter(|sign| *sign != '\u{200e}')
        .collect();
    let (text, offset) = without_zone(cell.trim());
    let text = digits_apart(&text.replace([',', ';'], " "));
    let mut day = Vec::new();
    let (mut time, mut half) = (None, None);
    for word in text.split_whitespace() {
        let lower = word.to_lowercase();
        let lower = lower.trim_end_matches('.');
        match lower {
            "am" | "a.m" => half = Some(0),
            "pm" | "p.m" => half = Some(12),
            _ if time.is_none() && clock(lower).is_some() => time = clock(lower),
            _ if is_weekday(lower) => {}
            _ => day.push(word),
        }
    }
    let (mut hour, minute, second, nanosecond) = time.unwrap_or((0, 0, 0, 0));
    if let Some(half) = half {
        time.filter(|(hour, ..)| (1..=12).contains(hour))?;
        hour = hour % 12 + half;
    }
    let time = Time::new(hour, minute, second, nanosecond).ok()?;
    Some(WrittenMoment { day: day_of(&day.join(" "))?, time, offset })
}

/// A zone at the end, where a clock is before it: `Z`, `+01:00`, ` UTC`, ` GMT+2`, ` (UTC)`.
fn without_zone(text: &str) -> (String, Option<Offset>) {
    let bare = text.trim_end_matches(')');
    let bare = if bare.len() < text.len() { bare.replacen('(', " ", 1) } else { bare.to_owned() };
    let Some(colon) = bare.find(':') else { return (bare, None) };
    let (head, tail) = bare.split_at(colon);
    let upper = tail.to_uppercase();
    let place = upper.find("UTC").or_else(|| upper.find("GMT")).or_else(|| upper.find(['+', '-', 'Z']));
    let Some(place) = place.filter(|place| tail.is_char_boundary(*place)) else { return (bare, None) };
    let zone = upper[place..].replace("UTC", "").replace("GMT", "").replace('Z', "");
    let offset = offset(zone.trim());
    if offset.is_none() { (bare, None) } else { (format!("{head}{}", tail[..place].trim_end()), offset) }
}

/// Parses a UTC offset: `+01:00`, `+0100`, `+1`, or nothing, which is UTC.
pub fn offset(text: &str) -> Option<Offset> {
    if text.is_empty() {
        return Some(Offset::UTC);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text.strip_prefix(['+', '-'])?.chars().filter(|sign| *sign != ':').collect();
    let is_number =
        !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: i32 = is_number.then(|| digits.parse().ok()).flatten()?;
    let minutes = if digits.len() > 2 { number / 100 * 60 + number % 100 } else { number * 60 };
    Offset::from_seconds(sign * minutes * 60).ok()
}

/// `20260105T081500` and `20260105081500` with a blank between day and clock.
fn digits_apart(text: &str) -> String {
    let bytes = text.as_bytes();
    let run = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if run == 14 {
        return format!("{} {}", &text[..8], &text[8..]);
    }
    let signs = text.char_indices();
    let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    signs
        .map(
            |(place, sign)| {
                if sign == 'T' && place > 0 && is_digit(place - 1) && is_digit(place + 1) {
                    ' '
                } else {
                    sign
                }
            },
        )
        .collect()
}

/// Hour, minute, second and nanosecond of `9:30`, `09:30:05.250` or `093005`.
fn clock(word: &str) -> Option<(i8, i8, i8, i32)> {
    let word = word.to_lowercase();
    let (word, half) = match (word.strip_suffix("am"), word.strip_suffix("pm")) {
        (Some(word), _) => (word.to_owned(), Some(0)),
        (_, Some(word)) => (word.to_owned(), Some(12)),
        _ => (word, None),
    };
    let (whole, fraction) = word.split_once('.').unwrap_or((&word, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = if whole.len() == 6 && is_digits(whole) {
        vec![&whole[..2], &whole[2..4], &whole[4..]]
    } else {
        whole.split(':').collect()
    };
    let is_clock = (2..=3).contains(&parts.len())
        && parts.iter().all(|part| (1..=2).contains(&part.len()) && is_digits(part))
        && fraction.len() <= 12
        && is_digits(fraction);
    if !is_clock {
        return None;
    }
    let number = |place: usize| parts.get(place).map_or(Some(0), |part| part.parse::<i8>().ok());
    let nanoseconds = format!("{:0<9.9}", fraction).parse().ok()?;
    let (hour, minute, second) = (number(0)?, number(1)?, number(2)?);
    let hour = match half {
        Some(half) => (1..=12).contains(&hour).then_some(hour % 12 + half)?,
        None => hour,
    };
    (hour < 24 && minute < 60 && second < 60).then_some((hour, minute, second, nanoseconds))
}

fn is_weekday(word: &str) -> bool {
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    word.bytes().all(|byte| byte.is_ascii_alphabetic()) && days.iter().any(|day| word.starts_with(day))
}

fn month(word: &str) -> Option<i8> {
    let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let word = word.to_lowercase();
    let is_word = word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    names.iter().zip(1..).find(|(name, _)| is_word && word.starts_with(**name)).map(|(_, month)| month)
}

fn day_of(text: &str) -> Option<Day> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize, to: usize| text[from..to].parse::<i16>().ok();
        let date = Date::new(part(0, 4)?, part(4, 6)? as i8, part(6, 8)? as i8).ok()?;
        return (1970..=2100).contains(&date.year()).then_some(Day::Known(date));
    }
    let parts: Vec<&str> = text.split(['-', '/', '.', ' ']).filter(|part| !part.is_empty()).collect();
    let [a, b, c] = parts.as_slice() else { return None };
    let number = |part: &str| -> Option<i16> {
        let is_number = part.len() <= 4 && part.len() != 3 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse().ok()).flatten()
    };
    // Programs of today write years of two digits, if at all, of this century.
    let year = |part: &str| number(part).map(|year| if part.len() <= 2 { 2000 + year } else { year });
    let known =
        |year: i16, month: i8, day: i16| Date::new(year, month, i8::try_from(day).ok()?).ok().map(Day::Known);
    if let Some(month) = month(b) {
        return if a.len() == 4 {
            known(number(a)?, month, number(c)?)
        } else {
            known(year(c)?, month, number(a)?)
        };
    }
    if let Some(month) = month(a) {
        return known(year(c)?, month, number(b)?);
    }
    let small = |part: &str| number(part).and_then(|number| i8::try_from(number).ok());
    if a.len() == 4 {
        return known(number(a)?, small(b)?, number(c)?);
    }
    let (first, second, year) = (small(a)?, small(b)?, year(c)?);
    let valid = |month: i8, day: i8| Date::new(year, month, day).is_ok();
    let is_day = valid(first, second) || valid(second, first);
    is_day.then(|| Day::Open { first, second, year, is_short: c.len() <= 2, by_points: text.contains('.') })
}

impl WrittenMoment {
    /// Shows in which order it can be read, day-first or month-first: evidence for the date format of its column.
    pub fn evidence(&self) -> FormEvidence<DateOrder> {
        let Day::Open { first, second, year, by_points, .. } = self.day else { return FormEvidence::Same };
        let day_first = Date::new(year, second, first).is_ok();
        let month_first = Date::new(year, first, second).is_ok();
        match (day_first, month_first) {
            (true, false) => FormEvidence::Only(DateOrder::DayFirst),
            (false, true) => FormEvidence::Only(DateOrder::MonthFirst),
            _ if first == second => FormEvidence::Same,
            // Dates with the month first are never written with points.
            _ if by_points => FormEvidence::Only(DateOrder::DayFirst),
            _ => FormEvidence::Both,
        }
    }

    /// Reads a two-digit year as standing first: 26-01-05 (ISO date order).
    pub fn year_first(mut self) -> Option<Self> {
        if let Day::Open { first, second, year, is_short: true, .. } = self.day {
            self.day =
                Day::Known(Date::new(2000 + i16::from(first), second, i8::try_from(year - 2000).ok()?).ok()?);
        }
        Some(self)
    }

    /// Whether its year was written in two digits and stands last (two-digit year).
    pub(crate) fn has_short_year(&self) -> bool {
        matches!(self.day, Day::Open { is_short: true, .. })
    }

    /// The UTC offset that the cell names; `None` for a local time.
    pub const fn offset(&self) -> Option<Offset> {
        self.offset
    }

    /// Computes the local date and time by an order of day and month; none where it is no day of the calendar.
    pub fn local(&self, order: DateOrder) -> Option<DateTime> {
        let date = match self.day {
            Day::Known(date) => date,
            Day::Open { first, second, year, .. } => match order {
                DateOrder::DayFirst => Date::new(year, second, first).ok()?,
                DateOrder::MonthFirst => Date::new(year, first, second).ok()?,
            },
        };
        Some(DateTime::from_parts(date, self.time))
    }

    /// Computes the Unix timestamp in seconds, by a date order and the time zone of moments that name none.
    pub fn seconds(&self, order: DateOrder, zone: &TimeZone) -> Option<f64> {
        let local = self.local(order)?;
        let moment = match self.offset {
            Some(offset) => offset.to_timestamp(local).ok()?,
            None => zone.to_timestamp(local).ok()?,
        };
        Some(seconds_of(moment))
    }
}

/// Converts a timestamp of `jiff` to seconds since 1970, with fractions (Unix timestamp).
pub fn seconds_of(moment: Timestamp) -> f64 {
    moment.as_second() as f64 + f64::from(moment.subsec_nanosecond()) / 1e9
}

#[cfg(test)]
mod tests {
    use super::{DateOrder, EpochUnit, FormEvidence, counted, is_clock, written};
    use jiff::tz::TimeZone;

    /// 2026-01-05 08:15:00 in UTC.
    const AT: f64 = 1_767_600_900.0;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for (cell, order, expected) in [
            ("2026-01-05 08:15:00", DateOrder::DayFirst, Some(AT)),
            ("2026.01.05 08:15", DateOrder::MonthFirst, Some(AT)),
            ("2026/1/5 8:15", DateOrder::DayFirst, Some(AT)),
            ("05.01.2026 08:15:00", DateOrder::DayFirst, Some(AT)),
            ("5/1/26 8:15", DateOrder::DayFirst, Some(AT)),
            ("01/05/2026, 8:15:00 AM", DateOrder::MonthFirst, Some(AT)),
            ("01/05/2026 08:15:00PM", DateOrder::MonthFirst, Some(AT + 43_200.0)),
            ("1/5/2026 12:15 am", DateOrder::MonthFirst, Some(AT - 28_800.0)),
            ("20260105;081500", DateOrder::DayFirst, Some(AT)),
            ("20260105 08:15:00", DateOrder::DayFirst, Some(AT)),
            ("20260105081500", DateOrder::DayFirst, Some(AT)),
            ("20260105T081500", DateOrder::DayFirst, Some(AT)),
            ("2026-01-05, 08:15:00", DateOrder::DayFirst, Some(AT)),
            ("08:15 2026-01-05", DateOrder::DayFirst, Some(AT)),
            ("5 Jan 2026 08:15:00", DateOrder::MonthFirst, Some(AT)),
            ("05-Jan-26 08:15", DateOrder::MonthFirst, Some(AT)),
            ("Jan 5, 2026 8:15 AM", DateOrder::DayFirst, Some(AT)),
            ("Mon, 5 January 2026 08:15", DateOrder::DayFirst, Some(AT)),
            ("2026-01-05T08:15:00.250Z", DateOrder::DayFirst, Some(AT + 0.25)),
            ("2026-01-05T09:15:00+01:00", DateOrder::DayFirst, Some(AT)),
            ("2026-01-05 09:15:00+0100", DateOrder::DayFirst, Some(AT)),
            ("2026-01-05 08:15:00 UTC", DateOrder::DayFirst, Some(AT)),
            ("05/01/2026 10:15 (UTC+2)", DateOrder::DayFirst, Some(AT)),
            ("05/01/2026", DateOrder::DayFirst, Some(AT - 29_700.0)),
            ("13/14/2026", DateOrder::DayFirst, None),
            ("31/02/2026", DateOrder::DayFirst, None),
            ("2026-01-05 25:00", DateOrder::DayFirst, None),
            ("soon", DateOrder::DayFirst, None),
            ("Total", DateOrder::DayFirst, None),
            ("12.5", DateOrder::DayFirst, None),
            ("", DateOrder::DayFirst, None),
        ] {
            let moment = written(cell).and_then(|written| written.seconds(order, &TimeZone::UTC));
            assert_eq!(moment, expected, "{cell} by {order}");
        }
        let binance = written("26-01-05 08:15:00").and_then(super::WrittenMoment::year_first);
        assert_eq!(
            binance.and_then(|written| written.seconds(DateOrder::DayFirst, &TimeZone::UTC)),
            Some(AT)
        );
    }

    #[test]
    fn an_order_is_known_where_only_one_is_possible() {
        for (cell, expected) in [
            ("31/12/2026", FormEvidence::Only(DateOrder::DayFirst)),
            ("12/31/2026", FormEvidence::Only(DateOrder::MonthFirst)),
            ("05/01/2026", FormEvidence::Both),
            ("05.01.2026", FormEvidence::Only(DateOrder::DayFirst)),
            ("05/05/2026", FormEvidence::Same),
            ("2026-01-05", FormEvidence::Same),
            ("5 Jan 2026", FormEvidence::Same),
        ] {
            assert_eq!(written(cell).unwrap().evidence(), expected, "{cell}");
        }
        assert!(is_clock("09:30:05") && is_clock("9:30 PM") && !is_clock("2026-01-05") && !is_clock("9"));
    }

    #[test]
    fn units_of_numbers_are_known_by_their_size() {
        for (number, expected) in [
            (AT, Some((AT, EpochUnit::Seconds))),
            (AT * 1e3, Some((AT, EpochUnit::Milliseconds))),
            (AT * 1e6, Some((AT, EpochUnit::Microseconds))),
            (AT * 1e9, Some((AT, EpochUnit::Nanoseconds))),
            (46_027.343_75, Some((AT, EpochUnit::Days))),
            (7.0, None),
        ] {
            assert_eq!(counted(number, true), expected, "{number}");
        }
        assert_eq!(counted(7.0, false), Some((7.0, EpochUnit::Seconds)), "a log says what it means");
    }
}
