//! Reasons why a file of bars is refused. Each is a parse error or a validation error that names, as far as they exist, row, column, value
//! and remedy, so that a user can mend the price file without reading code. The readers put file and row before it; the caller names a file
//! that can't be opened (`Unreadable`). The first one ends the reading: no bar of a refused file is used.

use super::columns::TIME;
use super::too_many_rows;
use crate::io::parquet_guard::StoredKind;
use crate::io::text::quoted;
use jiff::civil::DateTime;
use morta_engine::market::BarError;

/// Why the bars of a file can't be had: it is unreadable (I/O error) or malformed (parse error).
#[derive(Debug, thiserror::Error)]
pub enum BarsError {
    /// The file can't be opened or read; why.
    #[error("{0}")]
    Unreadable(String),
    /// What it holds is wrong: a whole line, which names the file.
    #[error("{0}")]
    Content(String),
}

/// The error of a text that is no day of the calendar in the form 2018-01-31 (invalid date).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a day like 2018-01-31")]
pub struct NotADay;

/// Why a file's columns aren't those of bars (missing or duplicate).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadColumns {
    #[error("has no column {0}: name the columns {TIME} and open, high, low, close, or bid_open … ask_close")]
    Missing(&'static str),
    #[error(
        "has no column {0}: one price a row makes no bar; put the prices of a step together first, as resample(\"1D\").ohlc() of pandas does, or name the columns {TIME} and open, high, low, close"
    )]
    OnePrice(&'static str),
    #[error("has two columns {0}: rename one, or leave it out")]
    Twice(&'static str),
}

/// Why a row fails validation (parse error); its place is added by the reader of the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("{}", too_many_rows(*.0))]
    TooMany(u64),
    #[error("{column} = {}: must be a number", quoted(text))]
    NoNumber { column: &'static str, text: String },
    #[error("{column} is null: must be a {must}")]
    Null { column: &'static str, must: &'static str },
    #[error("{column} is of type {found}: must be a {must}")]
    OtherType { column: &'static str, found: StoredKind, must: &'static str },
    #[error("{name} = {}: must be a time like 2018-01-31T12:00:00Z", quoted(text))]
    NoTime { name: String, text: String },
    #[error("{} is {} or {}: say --dates dmy or --dates mdy to {COMMAND}, or write the year first, in four digits", quoted(text), one.date(), other.date())]
    TwoDates { text: String, one: DateTime, other: DateTime },
    #[error("{} was no time in {zone}, whose clocks went forward over it: name another --zone", quoted(text))]
    InGap { text: String, zone: String },
    #[error("{} in a table of {}: keep the rows of one market", quoted(other), quoted(first))]
    OtherSymbol { first: String, other: String },
    #[error("{found} columns, and the heading has {expected}{}", if found > expected { ": a decimal comma between commas must stand in quotes" } else { "" })]
    OtherLength { found: usize, expected: usize },
    #[error("{TIME} {} is not after that of the row below it ({}), and the newest row is the first: sort the rows, each time once", shown(*time_s), shown(*next_s))]
    NotDescending { time_s: i64, next_s: i64 },
    #[error("{}", bar_error_text(.0))]
    Bar(#[from] BarError),
}

/// What reads a file in the way that a user says, and writes one that needs no saying: the command that messages name as the remedy.
pub(super) const COMMAND: &str = "`morta bars FILE --out CLEAN.csv`";

/// A time as a clean file has it (ISO 8601 timestamp in UTC).
pub(super) fn shown(time_s: i64) -> String {
    jiff::Timestamp::from_second(time_s).map_or_else(|_| time_s.to_string(), |time| time.to_string())
}

fn bar_error_text(error: &BarError) -> String {
    match error {
        BarError::NotAscending { time_s, previous_s, .. } => {
            let (time, previous) = (shown(*time_s), shown(*previous_s));
            format!(
                "{TIME} {time} is not after the row before it ({previous}): sort the rows, each time once"
            )
        }
        // The engine numbers the two rows it was given; the caller knows the true place.
        other => {
            let text = other.to_string();
            text.split_once(": ").map_or(text.clone(), |(_, reason)| reason.to_owned())
        }
    }
}
