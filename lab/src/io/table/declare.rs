//! The declarative macros (`macro_rules`) `table!` and `selection!`, and the traits that they implement: a struct per row, its schema, its
//! reader and its writer from one list, so that they can't disagree. `table!` declares each table of a run or sweep folder whose columns
//! are fixed once, and the fixed part of others; `selection!` reads some columns of one. A field is nullable exactly where its type is an
//! `Option`. Doc comments of fields become the file's and the reference page's descriptions.

use super::cell::Cells;
use super::column::{Column, TableSpec};
use super::read::CellReader;
use crate::io::error::Result;

/// A struct whose fields are columns, made by `table!` or `selection!` (column projection).
pub trait ReadRow: Sized {
    /// The columns, in the order of the fields.
    fn columns() -> Vec<&'static Column>;

    /// Reads a row.
    ///
    /// # Errors
    /// When a cell is empty and must not be, or out of its field's range.
    fn read(cells: &mut CellReader<'_>) -> Result<Self>;
}

/// A typed row, or some columns of it, of a Parquet table that is known by its file; the schema is an associated constant.
pub trait TableRow: ReadRow {
    /// The table.
    const TABLE: &'static TableSpec;
}

/// A whole row of a table, made from its source (row serialization).
pub trait FillRow<Source>: TableRow {
    /// Writes the cells.
    fn fill(source: &Source, cells: &mut impl Cells);

    /// The row as it is read back.
    fn from_source(source: &Source) -> Self;
}

/// Two rows side by side, as in tables that put columns before those of another.
impl<A: ReadRow, B: ReadRow> ReadRow for (A, B) {
    fn columns() -> Vec<&'static Column> {
        A::columns().into_iter().chain(B::columns()).collect()
    }

    fn read(cells: &mut CellReader<'_>) -> Result<Self> {
        Ok((A::read(cells)?, B::read(cells)?))
    }
}

/// Declares a table: what a row is, its struct, its file, the column of the tick at which a row is written (if there is one), what
/// a row is made from, and then each column as
///
/// ```text
/// /// What it means; when it is empty.
/// name: type, Unit = expression;
/// ```
///
/// The doc comments are what rustdoc, the data dictionary and the files say of the table and its columns. `#[stored(unique)]` before a name
/// is for texts that hardly ever repeat.
macro_rules! table {
    (
        $(#[doc = $row_about:literal])+
        $vis:vis struct $Row:ident in $file:literal $(at $tick:ident)? from $source:ident: $Source:ty;
        $(
            $(#[doc = $about:literal])+
            $(#[stored($how:ident)])?
            $field:ident: $kind:ty, $unit:ident = $fill:expr;
        )+
    ) => {
        $(#[doc = $row_about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        $vis struct $Row {
            $(
                $(#[doc = $about])+
                pub $field: $kind,
            )+
        }

        impl $crate::io::table::TableRow for $Row {
            const TABLE: &'static $crate::io::table::TableSpec = &$crate::io::table::TableSpec {
                file: $file,
                about: concat!($($row_about),+).trim_ascii(),
                columns: &[$(
                    $crate::io::table::Column::from_cell::<$kind>(
                        stringify!($field),
                        $crate::io::table::ColumnUnit::$unit,
                        concat!($($about),+),
                    )$(.$how())?
                ),+],
                tick: $crate::io::table::table!(@tick $($tick)?),
            };
        }

        // The column of the tick is one that there is.
        $(const _: fn(&$Row) -> u64 = |row| row.$tick;)?

        impl $crate::io::table::ReadRow for $Row {
            fn columns() -> Vec<&'static $crate::io::table::Column> {
                <Self as $crate::io::table::TableRow>::TABLE.columns.iter().collect()
            }

            fn read(cells: &mut $crate::io::table::CellReader<'_>) -> $crate::io::error::Result<Self> {
                Ok(Self { $($field: cells.next_cell()?),+ })
            }
        }

        impl $crate::io::table::FillRow<$Source> for $Row {
            fn fill($source: &$Source, cells: &mut impl $crate::io::table::Cells) {
                $($crate::io::table::Fills::<$kind>::fill($fill, cells);)+
            }

            fn from_source($source: &$Source) -> Self {
                Self { $($field: $crate::io::table::Fills::<$kind>::value($fill)),+ }
            }
        }
    };
    (@tick) => { None };
    (@tick $tick:ident) => { Some(stringify!($tick)) };
}
pub(crate) use table;

/// Names some columns of a table. Each field must have the name and the type of a column of it, or the program doesn't compile.
macro_rules! selection {
    (
        $(#[$about:meta])*
        $vis:vis struct $Part:ident of $Row:ty {
            $($(#[$field_about:meta])* $field_vis:vis $field:ident: $kind:ty,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $Part {
            $($(#[$field_about])* $field_vis $field: $kind,)+
        }

        // What makes a column that was renamed, or that has got another type, an error of the compiler.
        const _: fn($Row) -> $Part = |row| $Part { $($field: row.$field),+ };

        impl $crate::io::table::TableRow for $Part {
            const TABLE: &'static $crate::io::table::TableSpec = <$Row as $crate::io::table::TableRow>::TABLE;
        }

        impl $crate::io::table::ReadRow for $Part {
            fn columns() -> Vec<&'static $crate::io::table::Column> {
                vec![$(const { <$Row as $crate::io::table::TableRow>::TABLE.column(stringify!($field)) }),+]
            }

            fn read(cells: &mut $crate::io::table::CellReader<'_>) -> $crate::io::error::Result<Self> {
                Ok(Self { $($field: cells.next_cell()?),+ })
            }
        }
    };
}
pub(crate) use selection;
