//! Cells on their way to a file: column builders, which gather the cells of a batch of rows and hand them to the Parquet column writer. A
//! row must fill every column once and in their order, or a later cell would stand in another row; the code of `table!` does, and a cell of
//! another kind panics. The size of a batch is the table writer's to choose, by rows, cells and the bytes of text that are counted here
//! (names made on the spot aside).

use super::cell::Cells;
use super::column::ColumnKind;
use crate::io::parquet_guard::{ColumnCells, TextCells};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::Result;
use std::fmt::Display;

impl ColumnCells {
    /// Makes an empty column of a kind.
    pub fn new(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Int => Self::Int(Vec::new()),
            ColumnKind::Float => Self::Float(Vec::new()),
            ColumnKind::Bool => Self::Bool(Vec::new()),
            ColumnKind::Text => Self::Text(TextCells::default()),
        }
    }

    /// Flushes the cells to the Parquet writer of their column, and begins anew.
    ///
    /// # Errors
    /// When they can't be encoded.
    pub fn encode(&mut self, out: &mut ColumnWriter<'_>, nullable: bool) -> Result<()> {
        match (self, out) {
            (Self::Int(cells), ColumnWriter::Int64ColumnWriter(out)) => put(out, cells.drain(..), nullable),
            (Self::Float(cells), ColumnWriter::DoubleColumnWriter(out)) => {
                put(out, cells.drain(..), nullable)
            }
            (Self::Bool(cells), ColumnWriter::BoolColumnWriter(out)) => put(out, cells.drain(..), nullable),
            (Self::Text(cells), ColumnWriter::ByteArrayColumnWriter(out)) => {
                let (bytes, places) = cells.take();
                let bytes = ByteArray::from(bytes.into_bytes());
                let cell = |place: std::ops::Range<usize>| bytes.slice(place.start, place.len());
                put(out, places.into_iter().map(|place| place.map(cell)), nullable)
            }
            _ => unreachable!("{SAME}"),
        }
    }
}

/// Parquet takes the values that are there and, where a cell may be empty, a level for each row that says whether one is.
fn put<T: DataType>(
    out: &mut ColumnWriterImpl<'_, T>,
    cells: impl ExactSizeIterator<Item = Option<T::T>>,
    nullable: bool,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::with_capacity(cells.len()), Vec::with_capacity(cells.len()));
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    assert!(nullable || values.len() == levels.len(), "a column that is never empty has all its cells");
    out.write_batch(&values, nullable.then_some(levels.as_slice()), None)?;
    Ok(())
}

/// Builds one row: each cell goes to its column.
pub struct RowBuilder<'a> {
    builders: std::slice::IterMut<'a, ColumnCells>,
    /// Bytes of text that were added, names aside.
    pub text_bytes: usize,
}

impl<'a> RowBuilder<'a> {
    /// Begins a row at the first column (row builder).
    pub fn new(builders: &'a mut [ColumnCells]) -> Self {
        Self { builders: builders.iter_mut(), text_bytes: 0 }
    }

    fn next(&mut self) -> &mut ColumnCells {
        self.builders.next().expect("a row has as many cells as its table has columns")
    }

    /// Whether every column of the row has got its cell.
    pub fn is_complete(&self) -> bool {
        self.builders.len() == 0
    }
}

/// Kinds can't differ: the declaration that fills a cell also says which cells its column has.
const SAME: &str = "a cell is of the kind of its column";

impl Cells for RowBuilder<'_> {
    fn int(&mut self, value: Option<i64>) {
        let ColumnCells::Int(cells) = self.next() else { unreachable!("{SAME}") };
        cells.push(value);
    }

    fn float(&mut self, value: Option<f64>) {
        let ColumnCells::Float(cells) = self.next() else { unreachable!("{SAME}") };
        cells.push(value);
    }

    fn flag(&mut self, value: Option<bool>) {
        let ColumnCells::Bool(cells) = self.next() else { unreachable!("{SAME}") };
        cells.push(value);
    }

    fn text(&mut self, value: Option<&str>) {
        self.text_bytes += value.map_or(0, str::len);
        let ColumnCells::Text(cells) = self.next() else { unreachable!("{SAME}") };
        cells.push(value);
    }

    /// Written without an intermediate text. Its bytes aren't counted: that would move the ends of batches, and with them the bytes of
    /// files.
    fn name(&mut self, value: impl Display) {
        let ColumnCells::Text(cells) = self.next() else { unreachable!("{SAME}") };
        cells.push_made(value);
    }
}
