//! The first difference between two files of the same kind: a diff of Parquet tables by row and column, or of JSON Lines by field, without
//! a tolerance. The files are a run's and its repetition's, or the event logs of two runs (`morta compare`). A table that can't be read is
//! a difference and no error. It stops at the first difference, because all later ones follow from it.

use crate::io::error::{Context as _, Error, Result};
use crate::io::parquet_guard::{Batch, ColumnCells, StoredColumn};
use crate::io::table::{RowBatches, TableSpec, batches};
use crate::run::run_folder::tables;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// One value that differs between a run and its repetition (diff). `morta compare` has its first run as the run, and another as the
/// repetition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableDifference {
    /// The file.
    pub table: String,
    /// The row, from 0.
    pub row: u64,
    /// The tick of the row, if it could be read.
    pub tick: Option<u64>,
    /// The golem of the row, if it has one.
    pub golem: Option<String>,
    /// The column; for events and the journal with the path inside the payload, as in `payload.context.regime`.
    pub column: String,
    /// In the run.
    pub run: String,
    /// In the repetition.
    pub repetition: String,
}

impl fmt::Display for TableDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} row {}", self.table, self.row)?;
        if let Some(tick) = self.tick {
            write!(f, ", tick {tick}")?;
        }
        if let Some(golem) = &self.golem {
            write!(f, ", golem {golem}")?;
        }
        write!(f, ", {}: the run has {}, the repetition {}", self.column, self.run, self.repetition)
    }
}

/// Finds the first row and column in which two tables differ (diff). A byte changed in a table's footer may make the Parquet reader panic;
/// that is damage like any other.
pub(crate) fn first_in_table(spec: &TableSpec, ours: &Path, theirs: &Path) -> Option<TableDifference> {
    let read = AssertUnwindSafe(|| first_in_readable(spec, ours, theirs));
    catch_unwind(read).unwrap_or_else(|_| Some(damaged(spec, 0, "its footer makes no sense")))
}

/// A table that can't be read is a difference and no error, because the repetition shows that the run's file was damaged since.
fn damaged(spec: &TableSpec, row: u64, how: impl fmt::Display) -> TableDifference {
    TableDifference {
        table: spec.file.to_owned(),
        row,
        tick: None,
        golem: None,
        column: "the file".to_owned(),
        run: format!("damaged bytes ({how})"),
        repetition: "a readable table".to_owned(),
    }
}

fn first_in_readable(spec: &TableSpec, ours: &Path, theirs: &Path) -> Option<TableDifference> {
    let damaged = |row, error: &Error| damaged(spec, row, format_args!("{error:#}"));
    let (mut ours, mut theirs) = match (Rows::open(ours), Rows::open(theirs)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(error), _) | (_, Err(error)) => return Some(damaged(0, &error)),
    };
    for row in 0.. {
        match (ours.next(), theirs.next()) {
            (Err(error), _) | (_, Err(error)) => return Some(damaged(row, &error)),
            (Ok(None), Ok(None)) => return None,
            (Ok(Some(place)), Ok(None)) => return Some(lone_row(spec, row, place, true)),
            (Ok(None), Ok(Some(place))) => return Some(lone_row(spec, row, place, false)),
            (Ok(Some((a, at_a))), Ok(Some((b, at_b)))) => {
                if let Some(difference) = cells_differ(spec, row, (a, at_a), (b, at_b)) {
                    return Some(difference);
                }
            }
        }
    }
    unreachable!("tables end")
}

/// A table row by row, with one batch of it in memory: tables of a long run don't fit.
struct Rows {
    reader: RowBatches,
    batch: Option<Batch>,
    next: usize,
}

impl Rows {
    fn open(path: &Path) -> Result<Self> {
        Ok(Self { reader: batches(path)?, batch: None, next: 0 })
    }

    fn next(&mut self) -> Result<Option<(&Batch, usize)>> {
        while self.batch.as_ref().is_none_or(|batch| self.next == batch.rows) {
            match self.reader.next() {
                Some(batch) => (self.batch, self.next) = (Some(batch?), 0),
                None => return Ok(None),
            }
        }
        self.next += 1;
        Ok(self.batch.as_ref().map(|batch| (batch, self.next - 1)))
    }
}

/// A difference in a row of which this batch has the tick and the golem.
fn in_row(
    spec: &TableSpec,
    row: u64,
    (batch, index): (&Batch, usize),
    column: String,
    [run, repetition]: [String; 2],
) -> TableDifference {
    TableDifference {
        table: spec.file.to_owned(),
        row,
        tick: tick_of(spec, batch, index),
        golem: named(batch, "golem", index).as_str().map(str::to_owned),
        column,
        run,
        repetition,
    }
}

fn lone_row(spec: &TableSpec, row: u64, place: (&Batch, usize), in_run: bool) -> TableDifference {
    let (there, gone) = ("this row".to_owned(), "no such row: the table ends before it".to_owned());
    let found = if in_run { [there, gone] } else { [gone, there] };
    in_row(spec, row, place, "the row itself".to_owned(), found)
}

fn cells_differ(
    spec: &TableSpec,
    row: u64,
    (a, at_a): (&Batch, usize),
    (b, at_b): (&Batch, usize),
) -> Option<TableDifference> {
    // The repetition's tick, because the run's own may be the cell that was changed.
    let difference = |column: String, run: String, repetition: String| {
        in_row(spec, row, (b, at_b), column, [run, repetition])
    };
    // Names and types alone, because the description of a column may have been put into better words since, which changes no data.
    let columns = |batch: &Batch| {
        let column = |column: &StoredColumn| format!("{} {}", column.name, column.kind);
        batch.columns.iter().map(column).collect::<Vec<_>>().join(", ")
    };
    if a.columns != b.columns && columns(a) != columns(b) {
        return Some(difference("the columns".to_owned(), columns(a), columns(b)));
    }
    for (index, column) in a.columns.iter().enumerate() {
        let (x, y) = (json_cell(a, index, at_a), json_cell(b, index, at_b));
        if x == y {
            continue;
        }
        // A payload is a whole event as JSON: the path of the field that differs says more than two long lines.
        let payloads =
            (spec.file == tables::EVENTS && column.name == "payload").then(|| (json(&x), json(&y)));
        if let Some((Some(x), Some(y))) = payloads
            && let Some((path, x, y)) = first_in_json("payload", &x, &y)
        {
            return Some(difference(path, x, y));
        }
        return Some(difference(column.name.clone(), x.to_string(), y.to_string()));
    }
    None
}

fn tick_of(spec: &TableSpec, batch: &Batch, row: usize) -> Option<u64> {
    named(batch, spec.tick?, row).as_u64()
}

fn named(batch: &Batch, column: &str, row: usize) -> Value {
    let place = batch.columns.iter().position(|found| found.name == column);
    place.map_or(Value::Null, |place| json_cell(batch, place, row))
}

/// A cell as JSON.
fn json_cell(batch: &Batch, column: usize, row: usize) -> Value {
    match &batch.cells[column] {
        ColumnCells::Int(cells) => cells[row].into(),
        ColumnCells::Float(cells) => cells[row].into(),
        ColumnCells::Bool(cells) => cells[row].into(),
        ColumnCells::Text(cells) => cells.get(row).into(),
    }
}

fn json(cell: &Value) -> Option<Value> {
    serde_json::from_str(cell.as_str()?).ok()
}

/// The first place at which two JSON values differ, in the order of the first one, with keys that only the second has last. A missing key
/// counts as null, so that a field which is left out when empty doesn't differ from an empty one.
fn first_in_json(path: &str, a: &Value, b: &Value) -> Option<(String, String, String)> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let of_a = x.iter().map(|(key, value)| (key, value, y.get(key).unwrap_or(&Value::Null)));
            let only_b = y.iter().filter(|(key, _)| !x.contains_key(*key));
            of_a.chain(only_b.map(|(key, value)| (key, &Value::Null, value)))
                .find_map(|(key, x, y)| first_in_json(&format!("{path}.{key}"), x, y))
        }
        (Value::Array(x), Value::Array(y)) => (0..x.len().max(y.len())).find_map(|index| {
            let (x, y) = (x.get(index).unwrap_or(&Value::Null), y.get(index).unwrap_or(&Value::Null));
            first_in_json(&format!("{path}[{index}]"), x, y)
        }),
        _ => (a != b).then(|| (path.to_owned(), a.to_string(), b.to_string())),
    }
}

/// The first line in which two journals differ, with the field (JSON Lines diff).
///
/// # Errors
/// When one can't be read.
pub(crate) fn first_in_lines(file: &str, ours: &Path, theirs: &Path) -> Result<Option<TableDifference>> {
    let open = |path: &Path| {
        let file = File::open(path).with_context(|| format!("{} can't be read", path.display()))?;
        crate::io::error::Result::<_>::Ok(BufReader::new(file).split(b'\n'))
    };
    let (mut ours, mut theirs) = (open(ours)?, open(theirs)?);
    for row in 0.. {
        let (a, b) = (ours.next().transpose()?, theirs.next().transpose()?);
        if a.is_none() && b.is_none() {
            break;
        }
        if a == b {
            continue;
        }
        let parse = |line: &Option<Vec<u8>>| -> Option<Value> { serde_json::from_slice(line.as_ref()?).ok() };
        let (x, y) = (parse(&a), parse(&b));
        let line = y.as_ref().or(x.as_ref());
        let (column, run, repetition) = match (&x, &y) {
            (Some(x), Some(y)) => first_in_json("line", x, y),
            _ => None,
        }
        .unwrap_or_else(|| ("the line itself".to_owned(), show_line(a), show_line(b)));
        return Ok(Some(TableDifference {
            table: file.to_owned(),
            row,
            tick: line.and_then(|line| line.get("tick")).and_then(Value::as_u64),
            golem: line.and_then(|line| line.get("golem")).and_then(Value::as_str).map(str::to_owned),
            column,
            run,
            repetition,
        }));
    }
    Ok(None)
}

fn show_line(line: Option<Vec<u8>>) -> String {
    line.map_or("no such line".to_owned(), |line| String::from_utf8_lossy(&line).into_owned())
}
