//! Checks rows as they come, so that a file is never in memory twice.

use super::Days;
use super::error::RowError;
use crate::io::limits::{Limit, Limits};
use morta_engine::market::{Bar, RawBar, bars_from_rows};

/// Rows turned into bars.
pub struct Checked {
    days: Days,
    last: Option<RawBar>,
    rows: u64,
    rows_max: u64,
    /// The bars of the period.
    pub bars: Vec<Bar>,
}

impl Checked {
    /// Nothing yet.
    pub fn new(days: Days, limits: &Limits) -> Self {
        Self { days, last: None, rows: 0, rows_max: limits.of(Limit::BarsRows), bars: Vec::new() }
    }

    /// Takes in the next row. The error says what is wrong with it, without its place.
    pub fn take(&mut self, raw: RawBar) -> Result<(), RowError> {
        self.rows += 1;
        if self.rows > self.rows_max {
            return Err(RowError::TooMany(self.rows_max));
        }
        let made = match self.last {
            Some(last) => bars_from_rows(&[last, raw]),
            None => bars_from_rows(&[raw]),
        };
        let bar = made?.pop();
        self.last = Some(raw);
        self.bars.extend(bar.filter(|bar| self.days.contains(bar.open_time_s)));
        Ok(())
    }
}

/// Reads a time: RFC 3339, or whole seconds since 1970-01-01 UTC.
pub fn time_s(text: &str) -> Result<i64, RowError> {
    let text = text.trim();
    text.parse::<jiff::Timestamp>()
        .map(|time| time.as_second())
        .or_else(|_| text.parse().map_err(|_| RowError::NoTime(text.to_owned())).and_then(whole_seconds))
}

/// The first second of the year 2200. What counts further, counts in something smaller than seconds: as milliseconds it is March 1970, so
/// every recorded price is caught.
const SECONDS_END: u64 = 7_258_118_400;

/// Whole seconds since 1970-01-01 UTC, as a file has them.
pub fn whole_seconds(count: i64) -> Result<i64, RowError> {
    let units = [("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000)];
    // The least whole number has no positive twin.
    let size = count.unsigned_abs();
    if size < SECONDS_END {
        return Ok(count);
    }
    let in_time = |unit: &&(&str, u32)| size / u64::from(unit.1) < SECONDS_END;
    let (unit, divisor) = *units.iter().find(in_time).unwrap_or(&units[2]);
    Err(RowError::OtherUnit(count, unit, divisor))
}
