//! Cells of a column, on their way from a file or to one: a column vector, as in Apache Arrow, of integers, floats, booleans or strings
//! with nulls. Times and days are integers in the file's own unit; the reader of the batch knows the unit from its column. Texts share one
//! buffer with a byte range each. Columns and not rows are held, because Parquet stores columns and most readers want few of them. A batch
//! that is read is at most 8,192 rows; on the way to a file, `crate::io::table` gathers cells here.

use std::fmt::{Display, Write as _};
use std::ops::Range;

/// The cells of one column, for as many rows as are held at once (column vector).
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnCells {
    /// Whole numbers; unsigned ones of 64 bits are kept by their bits, times as the file counts them.
    Int(Vec<Option<i64>>),
    /// Real numbers.
    Float(Vec<Option<f64>>),
    /// True and false.
    Bool(Vec<Option<bool>>),
    /// Texts.
    Text(TextCells),
}

impl ColumnCells {
    /// Whether the cell of a row is null, i.e. a missing value.
    pub fn is_null(&self, row: usize) -> bool {
        match self {
            Self::Int(cells) => cells[row].is_none(),
            Self::Float(cells) => cells[row].is_none(),
            Self::Bool(cells) => cells[row].is_none(),
            Self::Text(cells) => cells.get(row).is_none(),
        }
    }

    /// Reads an integer (int64); none where the cell is null or the column of another kind.
    pub fn int(&self, row: usize) -> Option<i64> {
        if let Self::Int(cells) = self { cells[row] } else { None }
    }

    /// Reads a float (float64); none where the cell is null or the column of another kind.
    pub fn float(&self, row: usize) -> Option<f64> {
        if let Self::Float(cells) = self { cells[row] } else { None }
    }

    /// Reads a boolean; none where the cell is null or the column of another kind.
    pub fn flag(&self, row: usize) -> Option<bool> {
        if let Self::Bool(cells) = self { cells[row] } else { None }
    }

    /// Reads a string; none where the cell is null or the column of another kind.
    pub fn text(&self, row: usize) -> Option<&str> {
        if let Self::Text(cells) = self { cells.get(row) } else { None }
    }
}

/// A string arena: texts lie in one piece of memory, because a piece for each would cost more than the reading of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCells {
    bytes: String,
    places: Vec<Option<Range<usize>>>,
}

impl TextCells {
    /// Appends a string to the buffer, or a null.
    pub fn push(&mut self, text: Option<&str>) {
        let begin = self.bytes.len();
        self.bytes.push_str(text.unwrap_or_default());
        self.places.push(text.map(|_| begin..self.bytes.len()));
    }

    /// Appends a string by formatting it right into the buffer.
    pub(crate) fn push_made(&mut self, made: impl Display) {
        let begin = self.bytes.len();
        write!(self.bytes, "{made}").expect("memory can be written to");
        self.places.push(Some(begin..self.bytes.len()));
    }

    /// The string of a row, by its index; none where it is null.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.places[row].clone().map(|place| &self.bytes[place])
    }

    /// Hands over all texts, and where in them each row has its own, and begins anew with room for as much: growing takes memory of every
    /// size on the way.
    pub fn take(&mut self) -> (String, Vec<Option<Range<usize>>>) {
        // In few sizes, because the allocator can give memory of the same size again; of many sizes it would take more.
        let fresh = Self {
            bytes: String::with_capacity(self.bytes.len().next_power_of_two()),
            places: Vec::with_capacity(self.places.len().next_power_of_two()),
        };
        let Self { bytes, places } = std::mem::replace(self, fresh);
        (bytes, places)
    }
}
