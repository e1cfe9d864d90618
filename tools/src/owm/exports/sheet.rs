//! Records under the names of their columns, wherever they were read.

use crate::owm::mistake::Mistake;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A record by its place in the file, with its cells or what is wrong with it.
pub type Record = (usize, Result<Cells, Mistake>);

/// An object by its place in the file, or what is wrong with it.
pub type Object = (usize, Result<Map<String, Value>, Mistake>);

/// The cells of a record that say something, by the places of their columns: a file whose every record has fields of its own stays as small as it is.
#[derive(Debug, Default)]
pub struct Cells(Vec<(usize, Value)>);

impl Cells {
    /// Those of a row of texts.
    pub fn of_texts(texts: impl IntoIterator<Item = String>) -> Self {
        let filled = texts.into_iter().enumerate().filter(|(_, text)| !text.trim().is_empty());
        Self(filled.map(|(place, text)| (place, Value::from(text))).collect())
    }

    /// The cell of a column.
    pub fn get(&self, place: usize) -> Option<&Value> {
        let at = self.0.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        Some(&self.0[at].1)
    }

    /// Puts a value into a column.
    pub fn set(&mut self, place: usize, value: Value) {
        match self.0.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (place, value)),
        }
    }
}

/// A table of a file.
#[derive(Debug, Default)]
pub struct Sheet {
    /// Columns as they are written; the second of a name is `Time 2`.
    pub columns: Vec<String>,
    /// Its records.
    pub records: Vec<Record>,
    /// Whether cells are texts that somebody may have written for people; JSON and databases have numbers.
    pub is_text: bool,
    /// What the file says of all records: the strategy of a backtest.
    pub strategy: Option<String>,
}

impl Sheet {
    /// A table without records; columns of one name are numbered.
    pub fn new(names: &[String], is_text: bool) -> Self {
        let mut seen = HashMap::<String, usize>::new();
        let numbered = |name: &String| {
            let name = name.trim().trim_matches('\u{feff}');
            let times = seen.entry(super::names::key(name)).or_default();
            *times += 1;
            if *times == 1 || name.is_empty() { name.to_owned() } else { format!("{name} {times}") }
        };
        let columns = names.iter().map(numbered).collect();
        Self { columns, is_text, ..Self::default() }
    }

    /// The table of objects: a column for each field that any of them has, objects within by their fields' names too.
    pub fn of_objects(objects: Vec<Object>) -> Self {
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
                    // QuantConnect's symbol is an object with a value; circumstances stay whole.
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

    /// Keys of its columns.
    pub fn keys(&self) -> Vec<String> {
        self.columns.iter().map(|name| super::names::key(name)).collect()
    }
}
