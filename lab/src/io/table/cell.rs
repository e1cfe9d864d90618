//! The Rust types that a column may be read as and written from (serialization and deserialization of single cells): whole numbers, floats, booleans,
//! strings, and an `Option` of each for a nullable column. Money is written in dollars, as a float. The traits make a wrong type a compile
//! error. They are traits and no runtime check, because a table that can't be read back would be found only after a run. The ranges of
//! numbers are checked when they are read.

use super::column::ColumnKind;
use crate::io::parquet_guard::ColumnCells;
use morta_base::Usdc;
use std::fmt::Display;

/// A type that the cells of a column are read as (cell deserialization). It fixes the column's kind and
/// whether cells may be empty.
pub trait Cell: Sized {
    /// What the column holds.
    const KIND: ColumnKind;
    /// Whether a cell may be empty.
    const NULLABLE: bool = false;

    /// A cell of a column of this kind; `None` when it is empty and must not be, or out of the type's range.
    fn read(cells: &ColumnCells, row: usize) -> Option<Self>;
}

/// A serializer's target for a row: its cells go in one after another.
pub trait Cells {
    /// A whole number, or nothing.
    fn int(&mut self, value: Option<i64>);
    /// A real number, or nothing.
    fn float(&mut self, value: Option<f64>);
    /// True or false, or nothing.
    fn flag(&mut self, value: Option<bool>);
    /// Text, or nothing.
    fn text(&mut self, value: Option<&str>);
    /// Text that is made on the spot.
    fn name(&mut self, value: impl Display);

    /// Nothing, in a column of this kind.
    fn nothing(&mut self, kind: ColumnKind) {
        match kind {
            ColumnKind::Int => self.int(None),
            ColumnKind::Float => self.float(None),
            ColumnKind::Bool => self.flag(None),
            ColumnKind::Text => self.text(None),
        }
    }

    /// What a column has in this row.
    fn copy(&mut self, column: &ColumnCells, row: usize) {
        match column {
            ColumnCells::Int(cells) => self.int(cells[row]),
            ColumnCells::Float(cells) => self.float(cells[row]),
            ColumnCells::Bool(cells) => self.flag(cells[row]),
            ColumnCells::Text(cells) => self.text(cells.get(row)),
        }
    }
}

/// A type whose values can be serialised into a column that is read back as `T`.
pub trait Fills<T: Cell> {
    /// Writes it.
    fn fill(self, cells: &mut impl Cells);

    /// The value as it is read back, for rows that are compared without a file.
    fn value(self) -> T;
}

/// Something with a name, which is formatted right into the column, without a text of its own (newtype).
pub struct Named<D>(pub D);

macro_rules! whole_numbers {
    ($($kind:ty),+) => {$(
        impl Cell for $kind {
            const KIND: ColumnKind = ColumnKind::Int;

            fn read(cells: &ColumnCells, row: usize) -> Option<Self> {
                cells.int(row)?.try_into().ok()
            }
        }

        impl Fills<$kind> for $kind {
            #[allow(clippy::useless_conversion, reason = "of one of the kinds")]
            fn fill(self, cells: &mut impl Cells) {
                let value = self.try_into().unwrap_or_else(|_| unreachable!("ticks and counts stay below 2^63"));
                cells.int(Some(value));
            }

            fn value(self) -> $kind {
                self
            }
        }
    )+};
}

whole_numbers!(u8, u16, u32, u64, i64);

macro_rules! as_they_are {
    ($($kind:ty: $column:ident, $cell:ident);+) => {$(
        impl Cell for $kind {
            const KIND: ColumnKind = ColumnKind::$column;

            fn read(cells: &ColumnCells, row: usize) -> Option<Self> {
                cells.$cell(row)
            }
        }

        impl Fills<$kind> for $kind {
            fn fill(self, cells: &mut impl Cells) {
                cells.$cell(Some(self));
            }

            fn value(self) -> $kind {
                self
            }
        }
    )+};
}

as_they_are!(f64: Float, float; bool: Bool, flag);

/// In dollars.
impl Fills<f64> for Usdc {
    fn fill(self, cells: &mut impl Cells) {
        cells.float(Some(self.dollars()));
    }

    fn value(self) -> f64 {
        self.dollars()
    }
}

impl Cell for String {
    const KIND: ColumnKind = ColumnKind::Text;

    fn read(cells: &ColumnCells, row: usize) -> Option<Self> {
        cells.text(row).map(str::to_owned)
    }
}

macro_rules! texts {
    ($($text:ty),+) => {$(
        impl Fills<String> for $text {
            fn fill(self, cells: &mut impl Cells) {
                cells.text(Some(&self));
            }

            fn value(self) -> String {
                self.into()
            }
        }
    )+};
}

texts!(&str, &String, String);

impl<D: Display> Fills<String> for Named<D> {
    fn fill(self, cells: &mut impl Cells) {
        cells.name(self.0);
    }

    fn value(self) -> String {
        self.0.to_string()
    }
}

impl<T: Cell> Cell for Option<T> {
    const KIND: ColumnKind = T::KIND;
    const NULLABLE: bool = true;

    fn read(cells: &ColumnCells, row: usize) -> Option<Self> {
        if cells.is_null(row) { Some(None) } else { T::read(cells, row).map(Some) }
    }
}

impl<T: Cell, F: Fills<T>> Fills<Option<T>> for Option<F> {
    fn fill(self, cells: &mut impl Cells) {
        match self {
            Some(value) => value.fill(cells),
            None => cells.nothing(T::KIND),
        }
    }

    fn value(self) -> Option<T> {
        self.map(Fills::value)
    }
}
