//! What views, reports and the live view share about text: columns, figures in words, dates, markup. `View` is the result of
//! most commands with `--json`: JSON and a terminal's lines are made of one value, so that they can't differ. `columns` lays out tables,
//! `wording` rounds figures, `nearest` guesses at misspelt names, `printable` makes foreign text safe for a terminal and `markup` for HTML.

mod columns;
pub mod markup;
mod nearest;
mod printable;
mod wording;

pub use columns::{Align, COLUMN_MAX, TextColumn, or_dash, plain, table, table_of};
pub use nearest::{nearest, nearest_file};
pub use printable::{escaped, folded, is_obeyed, one_line, printable, quoted};
pub use wording::{between, capitalised, count, figure, or_why, p_is, p_value, percent, range, signed, time};

use serde::Serialize;

/// A result for people and for programs: serialised it is the JSON of `--json`, and its lines are what a terminal shows
/// (JSON or text view).
pub trait View: Serialize {
    /// As text, line by line, without line ends.
    fn lines(&self) -> Vec<String>;
}

/// Serialises a value as the JSON of a file: pretty-printed, with an end of line.
///
/// # Errors
/// When a number in it isn't finite, or a key isn't text.
pub fn json_file(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Serialises a value as a line of JSON, with its end.
///
/// # Panics
/// When a key in it isn't text: lines are of plain data.
pub fn json_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("a line is plain data");
    line.push(b'\n');
    line
}

/// Formats a simulated moment as a date, `2008-01-31 14:00`; as seconds since 1970 when no calendar has it.
pub fn date(time_s: i64) -> String {
    let moment = jiff::Timestamp::from_second(time_s);
    moment.map_or_else(|_| format!("{time_s} s"), |moment| moment.strftime("%Y-%m-%d %H:%M").to_string())
}
