//! Cells of a column, on their way from a file or to one: a column vector, as in Apache Arrow, of integers, floats, booleans or strings
//! with nulls. Times and days are integers in the file's own unit; the reader of the batch knows the unit from its column. Texts share one
//! buffer with a byte range each. Columns and not rows are held, because Parquet stores columns and most readers want few of them. A batch
//! that is read is at most 8,192 rows; on the way to a file, `crate::io::table` gathers cells here.

use std::fmt::{Display, Write as _};
use std::ops::Range;

/// The cells of one column, for as many rows as are held at once (column vector, batch).
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
    /// Whether there is nothing in a row (null check). It is true where the cell is null (missing value, nullable column).
    pub fn is_null(&self, row: usize) -> bool {
        match self {
            Self::Int(cells) => cells[row].is_none(),
            Self::Float(cells) => cells[row].is_none(),
            Self::Bool(cells) => cells[row].is_none(),
            Self::Text(cells) => cells.get(row).is_none(),
        }
    }

    /// A whole number; none in a column of another kind (an integer, int64 cell: typed accessor of a nullable column).
    pub fn int(&self, row: usize) -> Option<i64> {
        if let Self::Int(cells) = self { cells[row] } else { None }
    }

    /// A real number; none in a column of another kind (a float, float64 cell: typed accessor of a nullable column).
    pub fn float(&self, row: usize) -> Option<f64> {
        if let Self::Float(cells) = self { cells[row] } else { None }
    }

    /// True or false; none in a column of another kind (boolean cell). A boolean value by typed access (accessor of a bool column).
    pub fn flag(&self, row: usize) -> Option<bool> {
        if let Self::Bool(cells) = self { cells[row] } else { None }
    }

    /// A text; none in a column of another kind (string cell). It is typed access (accessor of a string column).
    pub fn text(&self, row: usize) -> Option<&str> {
        if let Self::Text(cells) = self { cells.get(row) } else { None }
    }
}

/// Texts in one piece of memory: one of its own for each would cost more than the reading of it (string arena).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCells {
    bytes: String,
    places: Vec<Option<Range<usize>>>,
}

impl TextCells {
    /// Adds a text, or nothing (append string or null). It is the append of a string builder (string buffer, string array).
    pub fn push(&mut self, text: Option<&str>) {
        let begin = self.bytes.len();
        self.bytes.push_str(text.unwrap_or_default());
        self.places.push(text.map(|_| begin..self.bytes.len()));
    }

    /// Adds a text that is made on the spot (formatted string). An append by formatting into the string buffer (write macro).
    pub(crate) fn push_made(&mut self, made: impl Display) {
        let begin = self.bytes.len();
        write!(self.bytes, "{made}").expect("memory can be written to");
        self.places.push(Some(begin..self.bytes.len()));
    }

    /// The text of a row (string slice). An accessor by row (by index).
    pub fn get(&self, row: usize) -> Option<&str> {
        self.places[row].clone().map(|place| &self.bytes[place])
    }

    /// Hands over all texts, and where in them each row has its own, and begins anew with room for as much: growing takes memory of every
    /// size on the way (drain, `mem::replace`, finish of an array builder).
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
