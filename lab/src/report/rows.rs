//! Reads some columns of a Parquet table, row by row, with no more of it in memory than a batch.

use crate::error::Context as _;
use crate::error::Error;
use crate::run_folder::read::batches;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array as _, ArrayRef};
use std::path::Path;

/// One row of the columns that were asked for, by their places in the question.
pub struct Row<'a> {
    columns: &'a [ArrayRef],
    row: usize,
}

impl Row<'_> {
    fn cell(&self, column: usize) -> Option<&ArrayRef> {
        let cells = &self.columns[column];
        (!cells.is_null(self.row)).then_some(cells)
    }

    /// A whole number, if there is one.
    pub fn int(&self, column: usize) -> Option<i64> {
        Some(self.cell(column)?.as_primitive_opt::<Int64Type>()?.value(self.row))
    }

    /// A number that counts something.
    pub fn count(&self, column: usize) -> u64 {
        self.int(column).and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
    }

    /// A real number, if there is one.
    pub fn float(&self, column: usize) -> Option<f64> {
        Some(self.cell(column)?.as_primitive_opt::<Float64Type>()?.value(self.row))
    }

    /// Text; nothing is empty text.
    pub fn text(&self, column: usize) -> &str {
        let cells = self.cell(column).and_then(|cells| cells.as_string_opt::<i32>());
        cells.map_or("", |cells| cells.value(self.row))
    }

    /// True or false; nothing is false.
    pub fn flag(&self, column: usize) -> bool {
        self.cell(column).and_then(|cells| cells.as_boolean_opt()).is_some_and(|cells| cells.value(self.row))
    }
}

/// Shows every row of a table to `look`.
///
/// # Errors
/// When the table is missing or damaged, or has no such column.
pub fn each(path: &Path, wanted: &[&str], mut look: impl FnMut(&Row<'_>)) -> crate::Result<()> {
    for batch in batches(path)? {
        let batch = batch.with_context(|| format!("{} is damaged", path.display()))?;
        let column = |name: &&str| {
            batch.column_by_name(name).cloned().ok_or_else(|| {
                let shown = path.display();
                Error::invalid(format!("{shown}: there is no column `{name}`: use the build that wrote it"))
            })
        };
        let columns: Vec<ArrayRef> = wanted.iter().map(column).collect::<crate::Result<_>>()?;
        for row in 0..batch.num_rows() {
            look(&Row { columns: &columns, row });
        }
    }
    Ok(())
}
