//! A sparse table (data frame) between parsing and typing: records under the names of their columns, from CSV, HTML, Excel, JSON or
//! SQLite. `columns` turns it into typed rows. It is sparse, because files of objects may have a different field in every row.
//!
//! The place of a record is what messages name, counted from 1: the line of a text (where a row or an object begins), the row of a
//! workbook, the number of a row in a database. Cells have no unit yet. A record that can't be read stays as its error, so that it is
//! reported at its place and the others are read.

use crate::owm::mistake::Mistake;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A record by its place in the file (line or row number, from 1), with its cells or its error.
pub(super) type Record = (usize, Result<Cells, Mistake>);

/// An object by its place in the file (line or row number, from 1), or its error.
pub(super) type Object = (usize, Result<Map<String, Value>, Mistake>);

/// The non-empty cells of a record, by the index of their column (sparse row). The representation is sparse, because a file whose records all
/// have different fields would otherwise need the square of its size.
#[derive(Debug, Default)]
pub struct Cells(Vec<(usize, Value)>);

impl Cells {
    /// Makes the cells of a row from texts, without the empty ones (sparse row).
    pub(crate) fn from_texts(texts: impl IntoIterator<Item = String>) -> Self {
        let filled = texts.into_iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
        Self(filled.map(|(place, text)| (place, Value::from(text))).collect())
    }

    /// Finds the cell of a column by binary search; none if it is empty.
    pub fn get(&self, place: usize) -> Option<&Value> {
        let at = self.0.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        Some(&self.0[at].1)
    }

    /// Sets the cell of a column, in its place among the sorted cells.
    pub fn set(&mut self, place: usize, value: Value) {
        match self.0.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (place, value)),
        }
    }
}

/// A parsed table of a file, or a sheet of a workbook: its columns, and its rows of cells without a type.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Names of the columns as written; the second column of a name `Time` is `Time 2`.
    pub columns: Vec<String>,
    /// The records.
    pub records: Vec<Record>,
    /// Whether cells are texts, which people may have formatted; JSON and databases have numbers.
    pub is_text: bool,
    /// A value for all records: the strategy of a backtest.
    pub strategy: Option<String>,
}

impl Sheet {
    /// Makes an empty table from its header row. Duplicate column names are numbered.
    pub fn new(names: &[String], is_text: bool) -> Self {
        let mut seen = HashMap::<String, usize>::new();
        let numbered = |name: &String| {
            let name = name.trim().trim_matches('\u{feff}');
            let times = seen.entry(super::names::key(name)).or_default();
            *times += 1;
            // An empty name isn't numbered, because no meaning is assigned to it.
            if *times == 1 || name.is_empty() { name.to_owned() } else { format!("{name} {times}") }
        };
        let columns = names.iter().map(numbered).collect();
        Self { columns, is_text, ..Self::default() }
    }

    /// The table of objects: a column for each field of any object (objects to columns). Of nested objects only a text member `value` is
    /// flattened to a column `name.value`; the object itself stays a cell.
    pub(crate) fn from_objects(objects: Vec<Object>) -> Self {
        let mut sheet = Self::default();
        let mut places = HashMap::new();
        for (place, object) in objects {
            let record = object.map(|fields| {
                let mut cells = Cells::default();
                let mut put = |name: String, value: Value| {
                    let at = *places.entry(name.clone()).or_insert_with(|| {
                        sheet.columns.push(name);
                        sheet.columns.len() - 1
                    });
                    cells.set(at, value);
                };
                for (name, value) in fields {
                    // QuantConnect's symbol is an object with a `value`. A context stays whole.
                    if let Some(inner) = value.get("value").filter(|inner| inner.is_string()).cloned() {
                        put(format!("{name}.value"), inner);
                    }
                    put(name, value);
                }
                cells
            });
            sheet.records.push((place, record));
        }
        sheet
    }

    /// Normalises the columns' names, so that they can be looked up as keys.
    pub fn keys(&self) -> Vec<String> {
        self.columns.iter().map(|name| super::names::key(name)).collect()
    }
}
