//! Rows that count: those with a value in a column.

use super::TableFile;
use crate::io::error::{Error, Result};
use crate::io::limits::Limits;
use crate::io::text::quoted;
use std::path::Path;
use std::str::FromStr;

/// `COLUMN=VALUE`, as `--only` has it.
#[derive(Clone, Debug)]
pub struct Only {
    column: String,
    value: String,
}

/// A text that isn't `COLUMN=VALUE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be COLUMN=VALUE, as in cohort=all")]
pub struct NotAFilter;

impl FromStr for Only {
    type Err = NotAFilter;

    fn from_str(text: &str) -> Result<Self, NotAFilter> {
        match text.split_once('=') {
            Some((column, value)) if !column.is_empty() => {
                Ok(Self { column: column.to_owned(), value: value.to_owned() })
            }
            _ => Err(NotAFilter),
        }
    }
}

impl TableFile {
    /// Reads the wanted columns of the rows that have all these values.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the file can't be read, a column isn't there, or no row has a value.
    pub fn read_only(path: &Path, wanted: &[&str], only: &[Only], limits: &Limits) -> Result<Self> {
        let columns: Vec<&str> =
            wanted.iter().copied().chain(only.iter().map(|one| one.column.as_str())).collect();
        let mut table = Self::read(path, &columns, limits)?;
        for one in only {
            let keep: Vec<bool> =
                table.cells(&one.column).iter().map(|cell| *cell.label() == *one.value).collect();
            if !keep.contains(&true) {
                let (name, column, value) = (&table.name, &one.column, &one.value);
                return Err(Error::invalid(format!(
                    "{name}: no row has {} in {column}: see which values it has",
                    quoted(value)
                )));
            }
            table.retain(&keep);
        }
        Ok(table)
    }

    fn retain(&mut self, keep: &[bool]) {
        fn kept<T>(all: &mut Vec<T>, keep: &[bool]) {
            let mut row = keep.iter();
            all.retain(|_| *row.next().expect("there is a word for each row"));
        }
        self.columns.iter_mut().for_each(|column| kept(&mut column.cells, keep));
        if let Some(lines) = &mut self.lines {
            kept(lines, keep);
        }
        self.rows = keep.iter().filter(|keep| **keep).count();
    }
}
