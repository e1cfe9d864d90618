//! Tables in CSV, with a header.

use super::texts::{Texts, TooMuchText};
use super::{Cell, Column, TableFile, places, refuse_unless_small, too_many};
use crate::io::bounded_lines::{BoundedLines, csv_fault};
use crate::io::error::{Error, Result};
use crate::io::limits::{Limit, Limits};
use csv::StringRecord;
use std::io::Read;

/// Reads the wanted columns; `name` is what to call the file.
pub fn read(text: impl Read, name: &str, wanted: &[&str], limits: &Limits) -> Result<TableFile> {
    let bounded = BoundedLines::new(text, Limit::TableBytes, Limit::TableRows, limits);
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(bounded);
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
    Ok(TableFile { name: name.to_owned(), columns, rows: lines.len(), lines: Some(lines) })
}

fn broken(name: &str, error: &csv::Error) -> Error {
    Error::invalid(csv_fault(name, error))
}
