//! Reading tables back: what a struct asks for is decoded, with no more than a batch in memory.

use super::cell::Cell;
use super::column::Column;
use super::declare::ReadRow;
use crate::error::{Context as _, Error, Result};
use crate::parquet_guard::{self, Sound, Unsound};
use arrow_array::{ArrayRef, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowFilter;
use std::fs::File;
use std::io::ErrorKind;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The rows of a table, in their order.
pub struct Rows<T> {
    path: PathBuf,
    /// None after an error: nothing comes after it.
    reader: Option<Batches>,
    columns: Vec<ReadColumn>,
    /// The next row of the batch that `columns` are of, and how many it has.
    next: usize,
    in_batch: usize,
    kind: PhantomData<fn() -> T>,
}

struct ReadColumn {
    declared: &'static Column,
    cells: Option<ArrayRef>,
}

/// A row being read, cell by cell.
pub struct CellReader<'a> {
    columns: std::slice::Iter<'a, ReadColumn>,
    row: usize,
}

impl CellReader<'_> {
    /// The next cell.
    ///
    /// # Errors
    /// When it is empty and must not be, or out of the type's range.
    pub fn next_cell<T: Cell>(&mut self) -> Result<T> {
        let column = self.columns.next().expect("a row asks for the columns it has named");
        let cells = column.cells.as_ref().expect("a batch has been read");
        T::read(cells.as_ref(), self.row).with_context(|| {
            let name = column.declared.name;
            if cells.is_null(self.row) {
                format!("{name} is empty")
            } else {
                format!("{name} has a number that can't be one")
            }
        })
    }
}

impl<T: ReadRow> Rows<T> {
    /// Opens a table.
    ///
    /// # Errors
    /// When it is missing or damaged, or lacks a column of the struct.
    pub fn open(path: &Path) -> Result<Self> {
        let table = Table::open(path)?;
        let (columns, schema) = (T::columns(), table.sound.schema());
        for column in &columns {
            let found = schema.field_with_name(column.name).ok();
            if found.is_none_or(|found| *found.data_type() != column.kind.data_type()) {
                let (shown, name, kind) = (path.display(), column.name, column.kind.name());
                let what = match found {
                    None => format!("there is no column `{name}`"),
                    Some(_) => format!("column `{name}` is not of {kind}"),
                };
                return Err(Error::invalid(format!("{shown}: {what}: use the build that wrote it")));
            }
        }
        let wanted = columns.iter().map(|column| column.name);
        let mask = table.columns(wanted);
        let reader = Some(table.read(mask, None)?);
        let columns = columns.into_iter().map(|declared| ReadColumn { declared, cells: None }).collect();
        Ok(Self { path: path.to_owned(), reader, columns, next: 0, in_batch: 0, kind: PhantomData })
    }

    /// All rows that are to be kept.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn keep(self, mut keep: impl FnMut(&T) -> bool) -> Result<Vec<T>> {
        self.filter(|row| row.as_ref().map_or(true, &mut keep)).collect()
    }

    /// All rows.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn all(self) -> Result<Vec<T>> {
        self.collect()
    }

    fn take_batch(&mut self, batch: &RecordBatch) {
        for column in &mut self.columns {
            column.cells = batch.column_by_name(column.declared.name).cloned();
        }
        (self.next, self.in_batch) = (0, batch.num_rows());
    }

    fn read(&mut self) -> Result<Option<T>> {
        while self.next == self.in_batch {
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(batch) => self.take_batch(&batch?),
                None => return Ok(None),
            }
        }
        let row = T::read(&mut CellReader { columns: self.columns.iter(), row: self.next });
        let row = row.with_context(|| format!("{} is damaged", self.path.display()))?;
        self.next += 1;
        Ok(Some(row))
    }
}

impl<T: ReadRow> Iterator for Rows<T> {
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

/// A table that can be what it claims to be.
pub struct Table {
    path: PathBuf,
    sound: Sound,
}

/// Its batches of rows; a damaged one ends them with an error that names the table.
pub struct Batches {
    path: PathBuf,
    batches: parquet_guard::Batches,
}

impl Table {
    /// Opens a table for reading.
    ///
    /// # Errors
    /// When it is missing or no Parquet file.
    pub fn open(path: &Path) -> Result<Self> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(Error::invalid(format!("{}: this table is missing", path.display())));
            }
            Err(error) => return Err(error).with_context(|| format!("{} can't be read", path.display())),
        };
        let sound = Sound::open(file).map_err(|why| damaged(path, &why))?;
        Ok(Self { path: path.to_owned(), sound })
    }

    /// Some of its columns, by name.
    pub fn columns<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> ProjectionMask {
        ProjectionMask::columns(self.sound.parquet_schema(), names)
    }

    /// Reads some columns, of all rows or of those that a filter keeps.
    ///
    /// # Errors
    /// When their pages can't be what they claim to be.
    pub fn read(self, columns: ProjectionMask, filter: Option<RowFilter>) -> Result<Batches> {
        let Self { path, sound } = self;
        let batches = sound.read_where(columns, filter).map_err(|why| damaged(&path, &why))?;
        Ok(Batches { path, batches })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batches.next()?;
        Some(batch.map_err(|why| damaged(&self.path, &why)))
    }
}

fn damaged(path: &Path, why: &Unsound) -> Error {
    Error::failed(format!("{} is damaged: {why}", path.display()))
}

/// All batches of a table.
///
/// # Errors
/// When it is missing or damaged.
pub fn batches(path: &Path) -> Result<Batches> {
    Table::open(path)?.read(ProjectionMask::all(), None)
}
