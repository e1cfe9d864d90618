//! Checks rows as they come, so that a file is never in memory twice.

use super::{Days, ROWS_MAX};
use morta_engine::market::{Bar, BarError, RawBar, bars_from_rows};

/// Rows turned into bars.
pub struct Checked {
    days: Days,
    last: Option<RawBar>,
    rows: u64,
    /// The bars of the period.
    pub bars: Vec<Bar>,
}

impl Checked {
    /// Nothing yet.
    pub fn new(days: Days) -> Self {
        Self { days, last: None, rows: 0, bars: Vec::new() }
    }

    /// Takes in the next row. The error says what is wrong with it, without its place.
    pub fn take(&mut self, raw: RawBar) -> Result<(), String> {
        self.rows += 1;
        if self.rows > ROWS_MAX {
            return Err(format!("more than {ROWS_MAX} rows: split the file"));
        }
        let made = match self.last {
            Some(last) => bars_from_rows(&[last, raw]),
            None => bars_from_rows(&[raw]),
        };
        let bar = made.map_err(reason)?.pop();
        self.last = Some(raw);
        self.bars.extend(bar.filter(|bar| self.days.contains(bar.open_time_s)));
        Ok(())
    }
}

fn reason(error: BarError) -> String {
    let shown = |time_s| match jiff::Timestamp::from_second(time_s) {
        Ok(time) => time.to_string(),
        Err(_) => time_s.to_string(),
    };
    match error {
        BarError::NotAscending { time_s, previous_s, .. } => {
            let (time, previous) = (shown(time_s), shown(previous_s));
            format!(
                "time_utc {time} is not after the row before it ({previous}): sort the rows, each time once"
            )
        }
        // The engine numbers the two rows it was given; the caller knows the true place.
        other => {
            let text = other.to_string();
            text.split_once(": ").map_or(text.clone(), |(_, reason)| reason.to_owned())
        }
    }
}

/// Reads a time: RFC 3339, or whole seconds since 1970-01-01 UTC.
pub fn time_s(text: &str) -> Result<i64, String> {
    let text = text.trim();
    text.parse::<jiff::Timestamp>()
        .map(|time| time.as_second())
        .or_else(|_| text.parse())
        .map_err(|_| format!("time_utc = {text:.40?}: must be a time like 2018-01-31T12:00:00Z"))
}
