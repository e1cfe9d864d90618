//! Why bars can't be had.

use super::columns::TIME;
use super::too_many_rows;
use crate::io::parquet_guard::StoredKind;
use crate::io::text::quoted;
use morta_engine::market::BarError;

/// Why the bars of a file can't be had.
#[derive(Debug, thiserror::Error)]
pub enum BarsError {
    /// The file can't be opened or read; why.
    #[error("{0}")]
    Unreadable(String),
    /// What it holds is wrong: a whole line, which names the file.
    #[error("{0}")]
    Content(String),
}

/// A text that is no day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a day like 2018-01-31")]
pub struct NotADay;

/// Why a file's columns aren't those of bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadColumns {
    #[error("has no column {0}: name the columns {TIME} and open, high, low, close, or bid_open … ask_close")]
    Missing(&'static str),
    #[error("has two columns {0}: rename one, or leave it out")]
    Twice(&'static str),
}

/// What is wrong with a row; its place is said by whoever reads the file.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("{}", too_many_rows(*.0))]
    TooMany(u64),
    #[error("{what} = {}: must be a number", quoted(text))]
    NoNumber { what: &'static str, text: String },
    #[error("{what} is null: must be a {must}")]
    Null { what: &'static str, must: &'static str },
    #[error("{what} is of type {found}: must be a {must}")]
    OtherType { what: &'static str, found: StoredKind, must: &'static str },
    #[error("{TIME} = {}: must be a time like 2018-01-31T12:00:00Z", quoted(.0))]
    NoTime(String),
    #[error(
        "{TIME} = {0}: {1} since 1970, it seems, where whole seconds are read: divide by {2}, or write times like 2018-01-31T12:00:00Z"
    )]
    OtherUnit(i64, &'static str, u32),
    #[error("{}", told(.0))]
    Bar(#[from] BarError),
}

fn told(error: &BarError) -> String {
    let shown = |time_s: i64| match jiff::Timestamp::from_second(time_s) {
        Ok(time) => time.to_string(),
        Err(_) => time_s.to_string(),
    };
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
