//! Sleep windows, in simulated time: a daily interval that may cross midnight, with a fixed offset from UTC (maintenance window).
//!
//! Times are in seconds after midnight or since 1970. Named time zones aren't supported, because their rules change with the calendar and a
//! run must not. It is a recurring schedule entry, like a cron entry with a duration. The default is one, 02:00 to 06:00 UTC. In it, golems
//! that dream don't decide and may ask to dream whatever their urgency; one that an interrupt has woken keeps awake and trades for the rest
//! of it; the modes `interval` and `autonomous` ignore windows.

use morta_base::TableChecker;
use morta_base::keys;
use serde::{Deserialize, Serialize};

keys! {
    /// One entry of `dream.windows.windows`.
    #[derive(Eq)]
    pub struct WindowConfig {
        /// When it begins, `HH:MM` from 00:00 to 23:59.
        start: String;
        /// When it ends, `HH:MM` from 00:00 to 24:00; not after `start` means on the next day.
        end: String;
        /// `UTC` (the default), or a fixed offset from it such as `+02:00`.
        #[serde(default = "utc")]
        timezone: String;
    }
    also is_readable;
}

impl WindowConfig {
    /// From 02:00 to 06:00 UTC.
    pub(super) fn night() -> Self {
        let [start, end, timezone] = ["02:00", "06:00", "UTC"].map(str::to_owned);
        Self { start, end, timezone }
    }

    fn is_readable(&self, table: &mut TableChecker<'_>) {
        if let Err((key, remedy)) = SleepWindow::parse(self) {
            let value = match key {
                "start" => &self.start,
                "end" => &self.end,
                _ => &self.timezone,
            };
            table.demand(false, key, value, remedy);
        }
    }
}

fn utc() -> String {
    "UTC".to_owned()
}

const DAY_S: i64 = 86_400;
const MINUTE_S: i64 = 60;
const HOUR_S: i64 = 3_600;
/// The largest offset of a time zone from UTC (Kiribati, +14:00).
const MAX_OFFSET_S: i64 = 14 * HOUR_S;

/// An invalid window, as a validation error: the key, and the valid form.
pub(crate) type WindowProblem = (&'static str, String);

/// A daily window: a recurring time-of-day interval, parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SleepWindow {
    /// Seconds after midnight UTC at which it begins.
    start_s: i64,
    /// Its length in seconds, 1 minute to a day.
    length_s: i64,
}

impl SleepWindow {
    /// Parses a window from its keys: times of day and offsets.
    ///
    /// # Errors
    /// The key that can't be read.
    pub fn parse(config: &WindowConfig) -> Result<Self, WindowProblem> {
        let at = |text: &str, key| clock_time(text).ok_or((key, "write HH:MM, as in \"02:00\"".to_owned()));
        let (start, end) = (at(&config.start, "start")?, at(&config.end, "end")?);
        if start >= DAY_S {
            return Err(("start", "begin at 23:59 at the latest".to_owned()));
        }
        if start == end {
            return Err(("end", "a window must last: for a whole day write 00:00 to 24:00".to_owned()));
        }
        let offset = fixed_offset(&config.timezone).ok_or_else(|| {
            let remedy = "the engine knows UTC and fixed offsets such as +02:00, no named time zones";
            ("timezone", remedy.to_owned())
        })?;
        let length_s = (end - start).rem_euclid(DAY_S);
        Ok(Self {
            start_s: (start - offset).rem_euclid(DAY_S),
            length_s: if length_s == 0 { DAY_S } else { length_s },
        })
    }

    /// Its duration (length) in hours.
    pub fn hours(&self) -> f64 {
        self.length_s as f64 / HOUR_S as f64
    }

    /// While it is open: the start of this occurrence, in seconds since 1970-01-01 UTC. The start belongs to it, the end doesn't,
    /// so that two adjoining windows are never open at once. An interval membership test by the time of day (modulo a day), with its start.
    pub(crate) fn open_since(&self, time_s: i64) -> Option<i64> {
        let since = (time_s - self.start_s).rem_euclid(DAY_S);
        (since < self.length_s).then_some(time_s - since)
    }
}

/// `HH:MM` in seconds after midnight, 24:00 included.
fn clock_time(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let two_digits = |part: &str| {
        (part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<i64>().ok())?
    };
    let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
    let seconds = hours * HOUR_S + minutes * MINUTE_S;
    (minutes < 60 && seconds <= DAY_S).then_some(seconds)
}

/// `UTC`, `Z` or `±HH:MM`, in seconds east of UTC.
fn fixed_offset(text: &str) -> Option<i64> {
    if matches!(text, "UTC" | "Z") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    clock_time(&text[1..]).filter(|offset| *offset <= MAX_OFFSET_S).map(|offset| sign * offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(start: &str, end: &str, timezone: &str) -> Result<SleepWindow, WindowProblem> {
        let (start, end, timezone) = (start.to_owned(), end.to_owned(), timezone.to_owned());
        SleepWindow::parse(&WindowConfig { start, end, timezone })
    }

    /// A day in 2020, at this hour and minute UTC.
    fn at(hour: i64, minute: i64) -> i64 {
        1_577_836_800 + 20 * DAY_S + hour * HOUR_S + minute * MINUTE_S
    }

    #[test]
    fn the_beginning_belongs_to_it_and_the_end_does_not() {
        let night = window("02:00", "06:00", "UTC").unwrap();
        assert_eq!(night.open_since(at(1, 59)), None);
        assert_eq!(night.open_since(at(2, 0)), Some(at(2, 0)));
        assert_eq!(night.open_since(at(5, 59)), Some(at(2, 0)));
        assert_eq!(night.open_since(at(6, 0)), None);
    }

    #[test]
    fn a_window_may_cross_midnight() {
        let night = window("22:30", "01:15", "UTC").unwrap();
        assert_eq!(night.open_since(at(22, 29)), None);
        assert_eq!(night.open_since(at(23, 59)), Some(at(22, 30)));
        assert_eq!(night.open_since(at(24, 0)), Some(at(22, 30)));
        assert_eq!(night.open_since(at(25, 14)), Some(at(22, 30)));
        assert_eq!(night.open_since(at(25, 15)), None);
    }

    #[test]
    fn offsets_move_a_window() {
        // 02:00 two hours east of Greenwich is midnight there; five and a half hours west it is 07:30.
        assert_eq!(window("02:00", "03:00", "+02:00").unwrap().open_since(at(0, 30)), Some(at(0, 0)));
        assert_eq!(window("02:00", "03:00", "-05:30").unwrap().open_since(at(7, 45)), Some(at(7, 30)));
        assert_eq!(window("01:00", "02:00", "+02:00").unwrap().open_since(at(23, 30)), Some(at(23, 0)));
    }

    #[test]
    fn times_before_1970_have_windows_too() {
        let night = window("02:00", "06:00", "UTC").unwrap();
        assert_eq!(night.open_since(-DAY_S + 3 * HOUR_S), Some(-DAY_S + 2 * HOUR_S));
    }

    #[test]
    fn an_invalid_window_names_its_key() {
        for (start, end, timezone, key) in [
            ("2:00", "06:00", "UTC", "start"),
            ("24:00", "06:00", "UTC", "start"),
            ("02:60", "06:00", "UTC", "start"),
            ("02:00", "25:00", "UTC", "end"),
            ("02:00", "02:00", "UTC", "end"),
            ("02:00", "06:00", "Europe/Zurich", "timezone"),
            ("02:00", "06:00", "+15:00", "timezone"),
            ("02:00", "06:00", "", "timezone"),
        ] {
            assert_eq!(window(start, end, timezone).unwrap_err().0, key, "{start} {end} {timezone}");
        }
        assert_eq!(window("00:00", "24:00", "Z").unwrap().length_s, DAY_S);
    }
}
