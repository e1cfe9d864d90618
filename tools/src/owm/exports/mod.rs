//! Files of trades as rows, for any encoding, layout and program.
//!
//! A file becomes tables of cells (`sheet`) by its shape (text in columns, a page, JSON, a database); a table is known by its columns
//! (`formats`); cells become values by what the whole column says (`columns`); and fills become trades (`fills`).
//!
//! It is an extract-transform-load (ETL) pipeline for trade histories, used by `morta-memory owm import`, by the sharing of TradeMemory's
//! database and by validations of own trades. Nothing is stored here. An error of a row stays in its place and skips the row; an error of
//! a column or file refuses the file. Whole columns are read before single cells, because one cell rarely shows how it is written.

mod archive;
pub mod columns;
mod conventions;
mod delimited;
mod fills;
mod formats;
mod grid;
mod html;
mod journal;
mod json;
mod lacking;
pub mod names;
pub mod row;
mod sheet;
pub mod side;
mod sqlite;
pub mod summary;
mod workbook;

pub use morta_lab::as_written::{moments, numbers};

use super::files;
use super::mistake::Mistake;
use archive::Packed;
use columns::{Lowered, Values};
use formats::{Format, NAMED_COLUMNS, NAMED_FILLS, Shape};
use jiff::tz::TimeZone;
use moments::DateOrder;
use morta_lab::as_written::encoding;
use morta_lab::error::{Error, Result};
use names::Naming;
use numbers::Decimal;
use row::ExportRow;
use serde_json::Value;
use sheet::Sheet;
use side::Side;
use std::path::Path;

/// The user's answers to what a file leaves open (import hints): the flags of `morta-memory owm import`. All are empty in a validation and
/// in the sharing of a database.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// Columns that the user has named.
    pub maps: &'a [Naming],
    /// The strategy of trades that name none.
    pub strategy: Option<&'a str>,
    /// The symbol of trades that name none.
    pub symbol: Option<&'a str>,
    /// The side of trades that name none.
    pub direction: Option<Side>,
    /// The decimal sign of ambiguous numbers.
    pub decimal: Option<Decimal>,
    /// The order of day and month in ambiguous dates.
    pub dates: Option<DateOrder>,
    /// Whether every skipped row is reported, not only the first for each reason.
    pub every_line: bool,
}

/// How an export of trades is imported: the time zone of moments that name none, and the user's answers about columns, decimal sign and
/// dates.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The time zone of moments that name none.
    pub zone: &'a TimeZone,
    /// The user's answers.
    pub reading: Reading<'a>,
}

impl<'a> Options<'a> {
    /// Makes options with a time zone alone.
    pub(crate) fn from_zone(zone: &'a TimeZone) -> Self {
        Self { zone, reading: Reading::default() }
    }
}

/// The kind of table that is looked for in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Trades: those of a journal and of episodes.
    Trades,
    /// Patterns.
    Patterns,
}

/// The rows that were extracted from a file, with its format and remarks on the reading.
pub struct Export {
    /// The file's name, with the table's if it is a database.
    pub name: String,
    /// The program that wrote it, and the kind of export.
    pub format: &'static str,
    /// Rows by their place in the file (line or row number, from 1), or their error.
    pub rows: Vec<(usize, Result<ExportRow, Mistake>)>,
    /// Assumptions, and missing columns.
    pub remarks: Vec<String>,
}

/// A parse error that refuses a whole file, with its line number.
pub struct Problem {
    line: Option<usize>,
    what: String,
}

impl Problem {
    const fn at(line: usize, what: String) -> Self {
        Self { line: Some(line), what }
    }

    fn in_file(self, name: &str) -> Error {
        match self.line {
            Some(line) => Error::invalid(format!("{name}:{line}: {}", self.what)),
            None => Error::invalid(format!("{name}: {}", self.what)),
        }
    }
}

/// Reads a trade history from a file of any known format.
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, has no table of trades, or has ambiguous columns.
pub fn read(path: &Path, table: Table, options: &Options<'_>) -> Result<Export> {
    let mut remarks = Vec::new();
    let (name, sheets) = sheets(path, table, options, &mut remarks)?;
    let of_trades = table == Table::Trades;
    let (format, sheets) = chosen(sheets, of_trades, options);
    let mut export = Export { name, format: format.name, rows: Vec::new(), remarks };
    let mut has = Vec::new();
    let (mut columns, mut header) = (Vec::new(), 0);
    for mut sheet in sheets {
        if sheet.is_text {
            // Only text has days and times in separate columns.
            conventions::join_clocks(&mut sheet);
        }
        header = sheet.records.first().map_or(header, |(line, _)| *line);
        columns.clone_from(&sheet.columns);
        let strategy = sheet.strategy.take();
        let lowered =
            columns::lower(sheet, &format, options).map_err(|problem| problem.in_file(&export.name))?;
        let Lowered { rows, has: columns_of, remarks } = lowered;
        has.extend(columns_of);
        export.remarks.extend(remarks);
        let finish = |(place, row): (usize, Result<Values, Mistake>)| {
            let row = row.and_then(|mut row| {
                if let Some(strategy) = &strategy {
                    row.entry("strategy").or_insert_with(|| Value::from(strategy.as_str()));
                }
                // The user's symbol and side fill gaps and never replace a value, because a file may name some.
                if let Some(symbol) = options.reading.symbol {
                    row.entry("symbol").or_insert_with(|| Value::from(symbol));
                }
                if let Some(Side { is_long }) = options.reading.direction {
                    row.entry("direction").or_insert_with(|| Value::from(side::name(is_long)));
                }
                // The format's own conversion comes last, so that it sees the values that the user added.
                (format.finish)(&mut row).map(|()| row)
            });
            (place, row)
        };
        let rows: Vec<_> = rows.into_iter().map(finish).collect();
        let rows = match format.shape {
            Shape::Trades => rows,
            Shape::Halves => formats::joined(rows),
            Shape::Fills { shorts } => {
                let paired = fills::paired(rows, shorts);
                export.remarks.extend(paired.remarks);
                paired.trades
            }
        };
        export.rows.extend(rows.into_iter().map(|(place, row)| (place, row.map(ExportRow))));
    }
    lacking::missing(&export, &has, &columns, header, of_trades, sqlite::is_database(path), options)?;
    if of_trades {
        export.remarks.extend(format.remark.map(str::to_owned));
        lacking::name_strategies(&mut export, options);
    }
    Ok(export)
}

/// The tables of a file, with its name.
fn sheets(
    path: &Path,
    table: Table,
    options: &Options<'_>,
    remarks: &mut Vec<String>,
) -> Result<(String, Vec<Sheet>)> {
    // A database is recognised by its content and never read as a whole, because it may be large.
    if sqlite::is_database(path) {
        return sqlite::sheet(path, table).map(|(name, sheet)| (name, vec![sheet]));
    }
    let name = files::shown(path);
    let bytes = files::bytes(path)?;
    let (mut name, mut bytes, mut is_csv) = (name, bytes, is_csv(path));
    if archive::is_zip(&bytes) {
        match archive::opened(&bytes).map_err(|what| files::refuse(path, what))? {
            Packed::Workbook(books) => {
                let sheets = books.into_iter().flat_map(|lines| grid::sheets(lines, options.reading.maps));
                return Ok((name, sheets.collect()));
            }
            Packed::File(inner, content) => {
                (name, bytes, is_csv) = (format!("{name} {inner}"), content, self::is_csv(Path::new(&inner)));
            }
        }
    }
    // The encoding is decided before the shape, because tags and braces are searched in the text.
    let (text, encoding) = encoding::text(&bytes);
    remarks.extend(encoding.map(|encoding| format!("read as {encoding}")));
    if html::is_html(&text) {
        return Ok((name, grid::sheets(html::lines(&text), options.reading.maps)));
    }
    if let Some(sheet) = formats::backtrader_transactions(&text) {
        return sheet.map(|sheet| (name, vec![sheet])).map_err(|what| files::refuse(path, what));
    }
    // A CSV may have JSON in its cells, so a file named .csv is JSON only if its first character says so.
    if !is_csv && json::is_json(&text) || text.trim_start().starts_with(['{', '[']) {
        let sheets = json::sheets(&text, options.reading.maps);
        return match sheets {
            Ok(sheets) => Ok((name, sheets)),
            Err((line, what)) => Err(Problem::at(line, what).in_file(&name)),
        };
    }
    Ok((name, delimited::sheets(text, options.reading.maps)))
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("csv"))
}

/// The format of a file, and its tables in that format. The first format that any table matches is taken; without one the table with the
/// most known columns, so that a file of an unknown program is read where its names are plain.
fn chosen(sheets: Vec<Sheet>, of_trades: bool, options: &Options<'_>) -> (Format, Vec<Sheet>) {
    let keys: Vec<Vec<String>> = sheets.iter().map(Sheet::keys).collect();
    let has_rows = |place: usize| !sheets[place].records.is_empty();
    let known = formats::known()
        // No format is tried for patterns, because all formats describe trades.
        .filter(|_| of_trades)
        .find(|format| keys.iter().enumerate().any(|(place, keys)| has_rows(place) && format.matches(keys)));
    if let Some(format) = known {
        let of_it = sheets.into_iter().zip(keys).filter(|(_, keys)| format.matches(keys));
        return (*format, of_it.map(|(sheet, _)| sheet).collect());
    }
    let merit = |place: &usize| {
        let mut ours: Vec<&str> = columns::assigned(&sheets[*place], &NAMED_COLUMNS, options)
            .into_iter()
            .map(|(ours, _)| ours)
            .collect();
        ours.dedup();
        // The first of equal tables.
        (has_rows(*place), ours.len(), std::cmp::Reverse(*place))
    };
    let Some(best) = (0..sheets.len()).max_by_key(merit) else { return (NAMED_COLUMNS, Vec::new()) };
    let assigned = columns::assigned(&sheets[best], &NAMED_COLUMNS, options);
    let has = |name: &str| assigned.iter().any(|(ours, _)| *ours == name);
    let ends =
        ["entry_price", "exit_price", "exit_timestamp", "stop_loss", "pnl_r"].iter().any(|name| has(name));
    // If every row has an outcome, every row is a trade. A fill that opens a position has none.
    let outcome = |(_, record): &sheet::Record| {
        let cells = record.as_ref().ok()?;
        let (_, place) = assigned.iter().find(|(ours, _)| *ours == "pnl")?;
        let cell = cells.get(*place)?;
        cell.as_str()
            .map_or(cell.as_f64(), |text| row::number("pnl", &Value::from(text)).ok())
            .filter(|pnl| *pnl != 0.0)
    };
    let all_ended = sheets[best].records.iter().all(|record| outcome(record).is_some());
    let are_fills =
        of_trades && !ends && !all_ended && ["price", "lot_size", "timestamp"].iter().all(|name| has(name));
    let wanted = keys[best].clone();
    // A header may be repeated on each page of a report.
    let alike =
        sheets.into_iter().zip(keys).filter(|(_, keys)| *keys == wanted).map(|(sheet, _)| sheet).collect();
    (if are_fills { NAMED_FILLS } else { NAMED_COLUMNS }, alike)
}

/// Whether a file is a database with patterns (SQLite).
///
/// # Errors
/// [`Error::Invalid`] when it is a database that can't be read.
pub(crate) fn has_patterns(path: &Path) -> Result<bool, Error> {
    Ok(sqlite::is_database(path) && sqlite::tables(path)?.iter().any(|table| table == "patterns"))
}
