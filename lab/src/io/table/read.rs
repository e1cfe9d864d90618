//! Reads Morta's own Parquet tables back (column projection, batch iterator): only the columns of the struct are decoded, with no more than
//! a batch in memory. A null where the struct has no `Option`, or a number out of its type's range, is an error with table and column. Rows
//! are checked as they come, because a table may have been edited or cut since it was written. A nullable column that an older build's
//! table lacks reads as empty; any other missing column is refused, and so is one that a filter looks at. A filter on the first columns
//! passes batches without wanted rows over.

use super::cell::Cell;
use super::column::Column;
use super::declare::ReadRow;
use crate::io::error::{Context as _, Error, Result};
use crate::io::limits::Limit;
use crate::io::parquet_guard::{self, Batch, ColumnCells, Filter, Sound, Unsound};
use std::fs::File;
use std::io::ErrorKind;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Reads the rows of a Parquet table as typed values, in their order, one at a time.
pub struct RowReader<T> {
    path: PathBuf,
    /// None after an error: nothing comes after it.
    reader: Option<RowBatches>,
    columns: Vec<&'static Column>,
    filter: Option<Filter>,
    /// Places of columns that the table's build didn't have yet; nothing is in their cells.
    missing: Vec<usize>,
    /// The cells of a batch, the next row of it, and how many it has.
    cells: Vec<ColumnCells>,
    next: usize,
    in_batch: usize,
    kind: PhantomData<fn() -> T>,
}

/// A row being read, cell by cell in the order of the struct's columns (cursor).
pub struct CellReader<'a> {
    columns: std::iter::Zip<std::slice::Iter<'a, &'static Column>, std::slice::Iter<'a, ColumnCells>>,
    row: usize,
}

impl CellReader<'_> {
    /// The next cell (typed cell decoding).
    ///
    /// # Errors
    /// When it is empty and must not be, or out of the type's range.
    pub(crate) fn next_cell<T: Cell>(&mut self) -> Result<T> {
        let (column, cells) = self.columns.next().expect("a row asks for the columns it has named");
        T::read(cells, self.row).with_context(|| {
            let name = column.name;
            if cells.is_null(self.row) {
                format!("{name} is empty")
            } else {
                format!("{name} has a number that can't be one")
            }
        })
    }
}

impl<T: ReadRow> RowReader<T> {
    /// Opens a Parquet table and checks its columns.
    ///
    /// # Errors
    /// When it is missing or damaged, or lacks a column of the struct whose cells may not be empty.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_where(path, None)
    }

    /// Opens a table of which only the rows that a filter wants come out.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_where(path: &Path, filter: Option<Filter>) -> Result<Self> {
        let (columns, sound) = (T::columns(), opened(path)?);
        let place = |column: &&'static Column| {
            let place = sound.columns.iter().position(|found| found.name == column.name);
            if let Some(place) = place.filter(|place| sound.columns[*place].kind == column.kind.stored()) {
                return Ok(place);
            }
            let (shown, name, kind) = (path.display(), column.name, column.kind.name());
            let reason = match place {
                None => format!("there is no column `{name}`"),
                Some(_) => format!("column `{name}` is not of {kind}"),
            };
            Err(Error::invalid(format!("{shown}: {reason}: use the build that wrote it")))
        };
        // A filter goes by the first columns, where they stand.
        let looked_at = filter.as_ref().map_or(0, |filter| filter.columns);
        let is_missing = |&(place, column): &(usize, &&'static Column)| {
            let is_there = sound.columns.iter().any(|found| found.name == column.name);
            column.nullable && !is_there && place >= looked_at
        };
        let missing: Vec<usize> =
            columns.iter().enumerate().filter(is_missing).map(|(place, _)| place).collect();
        let there = columns.iter().enumerate().filter(|found| !is_missing(found)).map(|(_, column)| column);
        let places: Vec<usize> = there.map(place).collect::<Result<_>>()?;
        let reader = Some(RowBatches::from_sound(sound, path, &places, filter.clone())?);
        let path = path.to_owned();
        let cells = Vec::new();
        Ok(Self { path, reader, columns, filter, missing, cells, next: 0, in_batch: 0, kind: PhantomData })
    }

    /// Reads all rows that pass a filter.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn keep(self, mut keep: impl FnMut(&T) -> bool) -> Result<Vec<T>> {
        self.filter(|row| row.as_ref().map_or(true, &mut keep)).collect()
    }

    /// Reads all rows into memory.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn all(self) -> Result<Vec<T>> {
        self.collect()
    }

    /// Moves on to the next row of the batch that is wanted, if there is one.
    fn is_at_row(&mut self) -> bool {
        let wants = |row: &usize| self.filter.as_ref().is_none_or(|filter| (filter.wants)(&self.cells, *row));
        self.next = (self.next..self.in_batch).find(wants).unwrap_or(self.in_batch);
        self.next < self.in_batch
    }

    fn read(&mut self) -> Result<Option<T>> {
        while !self.is_at_row() {
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(batch) => {
                    let Batch { cells, rows, .. } = batch?;
                    (self.cells, self.next, self.in_batch) = (cells, 0, rows);
                    for place in &self.missing {
                        self.cells.insert(*place, ColumnCells::Bool(vec![None; rows]));
                    }
                }
                None => return Ok(None),
            }
        }
        let columns = self.columns.iter().zip(&self.cells);
        let row = T::read(&mut CellReader { columns, row: self.next });
        let row = row.with_context(|| format!("{} is damaged", self.path.display()))?;
        self.next += 1;
        Ok(Some(row))
    }
}

impl<T: ReadRow> Iterator for RowReader<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.read();
        if row.is_err() {
            self.reader = None;
            (self.next, self.in_batch) = (0, 0);
        }
        row.transpose()
    }
}

/// Yields the record batches of a table; a damaged one ends them with an error that names the table.
pub(crate) struct RowBatches {
    path: PathBuf,
    batches: parquet_guard::GuardedBatches,
}

impl RowBatches {
    fn from_sound(sound: Sound, path: &Path, places: &[usize], filter: Option<Filter>) -> Result<Self> {
        let batches = sound.read(places, filter).map_err(|why| damaged(path, &why))?;
        Ok(Self { path: path.to_owned(), batches })
    }
}

impl Iterator for RowBatches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?;
        Some(batch.map_err(|why| damaged(&self.path, &why)))
    }
}

/// A table that can be what it claims to be; an error when it is missing or no Parquet file.
fn opened(path: &Path) -> Result<Sound> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Error::at(path, "this table is missing"));
        }
        Err(error) => return Err(error).with_context(|| format!("{} can't be read", path.display())),
    };
    // Morta writes pages of a megabyte: no user's limit is meant for its own tables.
    Sound::open(file, Limit::PageBytes.usual()).map_err(|why| damaged(path, &why))
}

fn damaged(path: &Path, why: &Unsound) -> Error {
    Error::failed(format!("{} is damaged: {why}", path.display()))
}

/// All batches of a table with all its columns, for the comparison of two tables row by row (record batches).
///
/// # Errors
/// When it is missing or damaged.
pub(crate) fn batches(path: &Path) -> Result<RowBatches> {
    let sound = opened(path)?;
    let places: Vec<usize> = (0..sound.columns.len()).collect();
    RowBatches::from_sound(sound, path, &places, None)
}
