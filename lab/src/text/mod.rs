//! What views and reports share about text: columns, figures in words, dates.

mod columns;
mod wording;

pub use columns::{Align, or_dash, plain, table};
pub use wording::{count, figure, or_why, p_is, p_value, percent, range, time};

/// A simulated moment as a date, `2008-01-31 14:00`; seconds since 1970 when no calendar has it.
pub fn date(time_s: i64) -> String {
    let moment = jiff::Timestamp::from_second(time_s);
    moment.map_or_else(|_| format!("{time_s} s"), |moment| moment.strftime("%Y-%m-%d %H:%M").to_string())
}
