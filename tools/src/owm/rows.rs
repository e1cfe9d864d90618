//! Rows of a table that somebody else's program wrote, as CSV with a header, as JSON lines, or in an SQLite database.

use super::files;
use super::journal::joined;
use super::mistake::Mistake;
use super::sqlite;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use morta_lab::error::{Error, Result};
use serde_json::{Map, Value};
use std::path::Path;

/// Seconds since 1970 from which a number of them can only be milliseconds.
const MILLISECONDS_FROM: f64 = 1e11;

/// The tables of trades.
const RECORDS: &str = "trade_records";
const EPISODES: &str = "episodic_memory";

/// A row, with the zone of moments that name none.
#[derive(Debug)]
pub struct Row<'a> {
    fields: Map<String, Value>,
    zone: &'a TimeZone,
}

/// A zone by its name in the IANA database.
///
/// # Errors
/// When there is none of that name.
pub fn zone(name: &str) -> Result<TimeZone, Mistake> {
    if name.eq_ignore_ascii_case("utc") {
        return Ok(TimeZone::UTC);
    }
    TimeZoneDatabase::bundled().get(name).map_err(|_| Mistake::NoZone(name.to_owned()))
}

/// What is read, and what it is called in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Trades: those of the journal and the episodes.
    Trades,
    /// Patterns.
    Patterns,
}

/// Rows, and what they are called in messages.
pub struct Rows<'a> {
    /// The file, with the table where it is of a database.
    pub name: String,
    /// A row's line, or its place in the table; a row that is none, with what is wrong with it.
    pub rows: Vec<(usize, Result<Row<'a>, Mistake>)>,
}

/// The rows of a file.
///
/// # Errors
/// When the file can't be read, or is a database without such a table.
pub fn rows<'a>(path: &Path, table: Table, zone: &'a TimeZone) -> Result<Rows<'a>> {
    if !sqlite::is_one(path) {
        return Ok(Rows { name: files::shown(path), rows: of_text(path, zone)? });
    }
    let names: &[&str] = match table {
        Table::Trades => &[RECORDS, EPISODES],
        Table::Patterns => &["patterns"],
    };
    let Some((name, rows)) = sqlite::rows(path, names)? else {
        let there = sqlite::tables(path)?;
        let there = if there.is_empty() { "no table".to_owned() } else { there.join(", ") };
        let what = format!("has no table {}; there is {there}", names.join(" or "));
        return Err(files::refuse(path, what));
    };
    let (mut name, mut rows) = (name.to_owned(), rows);
    if name == RECORDS
        && let Some((episodes, told)) = sqlite::rows(path, &[EPISODES])?
    {
        let records = rows.len();
        rows = joined(rows, told);
        if rows.len() > records {
            name = format!("{RECORDS} and {episodes}");
        }
    }
    let row = |(place, fields): sqlite::Numbered| (place, fields.map(|fields| Row { fields, zone }));
    Ok(Rows { name: format!("{} {name}", files::shown(path)), rows: rows.into_iter().map(row).collect() })
}

/// Whether a file is a database that has patterns, too.
///
/// # Errors
/// [`Error::Invalid`] when it is one that can't be read.
pub fn has_patterns(path: &Path) -> Result<bool, Error> {
    Ok(sqlite::is_one(path) && sqlite::tables(path)?.iter().any(|table| table == "patterns"))
}

fn of_text<'a>(path: &Path, zone: &'a TimeZone) -> Result<Vec<(usize, Result<Row<'a>, Mistake>)>> {
    let content = files::bytes(path)?;
    let is_csv = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("csv"));
    let made = |line: usize, fields| (line, Ok(Row { fields, zone }));
    if !is_csv {
        let lines =
            (1..).zip(content.split(|byte| *byte == b'\n')).filter(|(_, line)| !line.trim_ascii().is_empty());
        return Ok(lines
            .map(|(line, text)| match serde_json::from_slice(text) {
                Ok(fields) => made(line, fields),
                Err(error) => {
                    (line, Err(Mistake::NotJson { column: error.column(), what: without_place(&error) }))
                }
            })
            .collect());
    }
    let mut table = csv::ReaderBuilder::new().flexible(true).from_reader(content.as_slice());
    let header = table.headers().map_err(|error| files::refuse(path, error))?.clone();
    let row = |(place, record): (usize, Result<csv::StringRecord, csv::Error>)| match record {
        Ok(record) if record.len() == header.len() => {
            let line = record.position().map_or(place + 2, |position| position.line() as usize);
            let cells = header.iter().zip(&record).filter(|(_, cell)| !cell.trim().is_empty());
            made(line, cells.map(|(name, cell)| (name.trim().to_owned(), Value::from(cell.trim()))).collect())
        }
        Ok(record) => (place + 2, Err(Mistake::OtherColumns { found: record.len(), expected: header.len() })),
        Err(error) => (place + 2, Err(Mistake::NotCsv(error.to_string()))),
    };
    Ok(table.records().enumerate().map(row).collect())
}

fn without_place(error: &serde_json::Error) -> String {
    let what = error.to_string();
    what.rsplit_once(" at line ").map_or(what.clone(), |(what, _)| what.to_owned())
}

impl Row<'_> {
    /// The first of these fields that says anything.
    pub fn any(&self, names: &[&'static str]) -> Option<(&'static str, &Value)> {
        let told =
            |value: &&Value| !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty());
        names.iter().find_map(|name| Some((*name, self.fields.get(*name).filter(told)?)))
    }

    /// The same as a text.
    pub fn text(&self, names: &[&'static str]) -> Option<String> {
        self.any(names).map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    /// The same where it must be there.
    pub fn needed(&self, names: &[&'static str]) -> Result<String, Mistake> {
        self.text(names).ok_or(Mistake::NoColumn(names[0]))
    }

    /// The same as a number.
    pub fn number(&self, names: &[&'static str]) -> Result<Option<f64>, Mistake> {
        self.any(names).map(|(name, value)| number(name, value)).transpose()
    }

    /// The same as a moment, in seconds since 1970.
    pub fn moment(&self, names: &[&'static str]) -> Result<Option<f64>, Mistake> {
        self.any(names).map(|(name, value)| self.moment_of(name, value)).transpose()
    }

    fn moment_of(&self, name: &str, value: &Value) -> Result<f64, Mistake> {
        let wrong = || Mistake::NoMoment { name: name.to_owned(), value: value.clone() };
        if let Ok(seconds) = number(name, value) {
            return Ok(if seconds.abs() >= MILLISECONDS_FROM { seconds / 1_000.0 } else { seconds });
        }
        let text = value.as_str().ok_or_else(wrong)?.trim();
        let of = |time: Timestamp| time.as_second() as f64 + f64::from(time.subsec_nanosecond()) / 1e9;
        if let Ok(time) = text.parse::<Timestamp>() {
            return Ok(of(time));
        }
        // Some write 2026.01.31 10:00.
        let dashed = match text.split_once([' ', 'T']) {
            Some((day, clock)) => format!("{}T{clock}", day.replace(['.', '/'], "-")),
            None => text.replace(['.', '/'], "-"),
        };
        let local: DateTime = dashed.parse().map_err(|_| wrong())?;
        self.zone.to_timestamp(local).map(of).map_err(|_| wrong())
    }
}

/// A number, or a text that is one.
///
/// # Errors
/// When it isn't.
pub fn number(name: &str, value: &Value) -> Result<f64, Mistake> {
    let found = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    let wrong = || Mistake::NotANumber { name: name.to_owned(), value: value.clone() };
    found.filter(|number: &f64| number.is_finite()).ok_or_else(wrong)
}
