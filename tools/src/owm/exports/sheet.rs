//! Records under the names of their columns, wherever they were read.

use crate::owm::mistake::Mistake;
use serde_json::Value;

/// A record by its place in the file, with a cell for each column or what is wrong with it.
pub type Record = (usize, Result<Vec<Value>, Mistake>);

/// A table of a file.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The heading above it: `Positions`.
    pub title: String,
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
    pub fn new(title: String, names: &[String], is_text: bool) -> Self {
        let mut columns: Vec<String> = Vec::with_capacity(names.len());
        for name in names {
            let name = name.trim().trim_matches('\u{feff}');
            let before = names[..columns.len()]
                .iter()
                .filter(|other| super::names::key(other) == super::names::key(name))
                .count();
            columns.push(if before == 0 || name.is_empty() {
                name.to_owned()
            } else {
                format!("{name} {}", before + 1)
            });
        }
        Self { title, columns, is_text, ..Self::default() }
    }

    /// The table of objects: a column for each field that any of them has, objects within by their fields' names too.
    pub fn of_objects(objects: Vec<(usize, Result<serde_json::Map<String, Value>, Mistake>)>) -> Self {
        let mut sheet = Self::default();
        let mut places = std::collections::HashMap::new();
        for (place, object) in objects {
            let record = object.map(|fields| {
                let mut cells = vec![Value::Null; sheet.columns.len()];
                for (name, value) in fields {
                    let mut put = |name: String, value: Value| {
                        let at = *places.entry(name.clone()).or_insert_with(|| {
                            sheet.columns.push(name);
                            sheet.columns.len() - 1
                        });
                        if cells.len() <= at {
                            cells.resize(at + 1, Value::Null);
                        }
                        cells[at] = value;
                    };
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
        for (_, record) in &mut sheet.records {
            if let Ok(cells) = record {
                cells.resize(sheet.columns.len(), Value::Null);
            }
        }
        sheet
    }

    /// Keys of its columns.
    pub fn keys(&self) -> Vec<String> {
        self.columns.iter().map(|name| super::names::key(name)).collect()
    }
}
