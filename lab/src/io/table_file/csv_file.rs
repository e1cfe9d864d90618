//! Tables in text, with a header, as people's programs write them: columns apart by commas, semicolons, tabs or bars, in any encoding,
//! perhaps compressed by gzip; where no comma stands between columns, numbers may have a decimal comma. It is the CSV reader of the command
//! `morta stats` and of a sweep's report for its results. It takes the dialect (delimiter, decimal comma, encoding) from the file, because
//! spreadsheets of other countries write all of these. The header must be the first line, and every row as long as it. Cells stay text
//! until a caller asks for numbers; blank ones are missing values.

use super::texts::{Texts, TooMuchText};
use super::{Cell, Column, TableFile, places, refuse_unless_small, too_many};
use crate::io::as_written::numbers::{self, Decimal};
use crate::io::as_written::{Shown, delimited, encoding};
use crate::io::bounded_lines::{BoundedLines, csv_fault};
use crate::io::error::{Error, Result};
use crate::io::limits::{Limit, Limits};
use csv::StringRecord;
use std::io::{self, Cursor, Read};

/// Bytes read at a time until a line is whole, by which the encoding and the sign between columns are found.
const HEAD_BYTES: usize = 1 << 13;

/// Reads the wanted columns of a CSV file; `name` is what to call the file.
pub(super) fn read(text: impl Read, name: &str, wanted: &[&str], limits: &Limits) -> Result<TableFile> {
    let (text, delimiter) = opened(text, wanted, limits)
        .map_err(|error| Error::invalid(format!("{name}: can't be read: {error}")))?;
    let mut reader =
        csv::ReaderBuilder::new().buffer_capacity(1 << 16).delimiter(delimiter).from_reader(text);
    let header = reader.headers().map_err(|error| broken(name, &error))?.clone();
    // Spreadsheets put a byte order mark before the first name.
    let header: Vec<&str> =
        header.iter().map(|column| column.trim_start_matches('\u{feff}').trim()).collect();
    let places = places(name, &header, wanted)?;
    let column = |name: &&str| Column { name: (*name).to_owned(), cells: Vec::new() };
    let mut columns: Vec<Column> = wanted.iter().map(column).collect();
    let (mut lines, rows_max) = (Vec::new(), limits.most(Limit::TableRows));
    let (mut row, mut texts) = (StringRecord::new(), Texts::new(limits));
    while reader.read_record(&mut row).map_err(|error| broken(name, &error))? {
        if lines.len() as u64 == rows_max {
            return Err(too_many(name, limits));
        }
        // Only now and then: it is for tables of millions of cells.
        if lines.len().is_multiple_of(1 << 12) {
            refuse_unless_small(name, lines.len() as u64, columns.len(), limits)?;
        }
        lines.push(row.position().map_or(0, csv::Position::line));
        for (column, place) in columns.iter_mut().zip(&places) {
            let text = row.get(*place).unwrap_or_default().trim();
            let mistake = |problem: TooMuchText| {
                let line = lines.last().copied().unwrap_or_default();
                Error::invalid(format!("{name}:{line}: {} {problem}", column.name))
            };
            let kept = (!text.is_empty()).then(|| texts.keep(text)).transpose().map_err(mistake)?;
            column.cells.push(kept.map_or(Cell::Missing, Cell::Text));
        }
    }
    if delimiter != b',' {
        columns.iter_mut().for_each(with_decimal_points);
    }
    Ok(TableFile { name: name.to_owned(), columns, rows: lines.len(), lines: Some(lines) })
}

/// The start of a text, up to the end of its first line at least.
fn head(text: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while !head.contains(&b'\n') {
        let before = head.len();
        text.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
        if head.len() == before {
            break;
        }
    }
    Ok(head)
}

/// The rows as UTF-8, and the sign between columns: the one by which the first lines have most of the wanted names.
fn opened<'a>(
    text: impl Read + 'a,
    wanted: &[&str],
    limits: &Limits,
) -> io::Result<(Box<dyn Read + 'a>, u8)> {
    let plain = encoding::decompressed(text)?;
    let mut bounded = BoundedLines::new(plain, Limit::TableBytes, Limit::TableRows, limits);
    let mut head = head(&mut bounded)?;
    let is_utf8 = match std::str::from_utf8(&head) {
        Ok(_) => !head.contains(&0),
        // A sign that the head cuts in two is none of another encoding.
        Err(error) => error.error_len().is_none(),
    };
    if !is_utf8 {
        // Spreadsheets save UTF-16 and Windows-1252: rare and small, so these are held whole.
        bounded.read_to_end(&mut head)?;
        head = encoding::text(&head).0.into_bytes();
    }
    let names = |cells: &[String]| cells.iter().filter(|cell| wanted.contains(&cell.as_str())).count();
    let delimiter =
        delimited::delimiter(String::from_utf8_lossy(&head).trim_start_matches('\u{feff}'), names);
    Ok((Box::new(Cursor::new(head).chain(bounded)), delimiter))
}

/// Gives a column of numbers with decimal commas points instead, if some cell shows that its comma is one and none that its point is. A
/// column in which every cell may be read both ways, as 1,234, is left as it is, and refused as numbers.
fn with_decimal_points(column: &mut Column) {
    let mut shown = Shown::<Decimal>::default();
    let read = |cell: &Cell| match cell {
        Cell::Text(text) => numbers::written(text).filter(|number| number.unit.is_none()),
        Cell::Missing | Cell::Number(_) | Cell::Flag(_) => None,
    };
    for cell in column.cells.iter().filter(|cell| **cell != Cell::Missing) {
        let agrees = read(cell).map(|number| shown.take(0, "", number.evidence()).is_ok());
        if agrees != Some(true) {
            return;
        }
    }
    if shown.way() != Some(Decimal::Comma) {
        return;
    }
    for cell in &mut column.cells {
        let has_sign = matches!(&*cell, Cell::Text(text) if text.contains([',', '.']));
        let number = read(cell).filter(|_| has_sign).and_then(|number| number.value(Decimal::Comma));
        if let Some(number) = number {
            *cell = Cell::Text(number.to_string().into());
        }
    }
}

fn broken(name: &str, error: &csv::Error) -> Error {
    Error::invalid(csv_fault(name, error))
}
