//! Tables that Morta writes: every column is declared once, and everything else follows from its declaration.
//!
//! `table!` takes a list of columns, each with its meaning, name, type, unit and the expression that fills it. From that list come
//!
//! - the struct that a row is read into, a field for each column ([`ReadRow`]),
//! - what fills the cells of a row from what happened ([`FillRow`]),
//! - the table's [`TableSpec`]: the schema of its file and its section of `docs/src/tables.md`.
//!
//! The type of a field is the kind of its column (`u64` and its kin: whole numbers, `f64`, `bool`, `String`), and an `Option` makes it
//! nullable; what an expression gives must go into that type ([`Fills`]), or the program doesn't compile. Name, type and expression stand
//! in one line, so there is no second list that could be in another order: two columns of one type can't be swapped.
//!
//! `selection!` names some columns of a table that is read often for few of them; the rest isn't decoded. Both macros are in `declare`;
//! `cell` has the types of cells, `builder` gathers cells for the writer, `read` reads rows back.

mod builder;
mod cell;
mod column;
mod declare;
mod read;
mod unit;

pub use builder::RowBuilder;
pub use cell::{Cell, Cells, Fills, Named};
pub use column::{Column, ColumnKind, FileColumn, TableSpec};
pub use declare::{FillRow, ReadRow, TableRow};
pub(crate) use declare::{selection, table};
pub use read::{CellReader, RowReader};
pub(crate) use read::{RowBatches, batches};
pub use unit::ColumnUnit;
