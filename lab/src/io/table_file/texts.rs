//! The texts of a table: string interning (deduplication) of those over 32 bytes, however many rows have them. Memory is bounded in bytes
//! (256 MiB for all texts and 10,000 a cell by default), because a few kilobytes of Parquet can repeat one long label in millions of rows.
//! A text beyond a bound refuses the whole table. The cells themselves have the same bound once more, in `super`.

use crate::io::limits::{Limit, Limits};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Texts up to here are copied: to look for them would cost more.
const SHORT_BYTES: usize = 32;

/// The texts of one table so far, and the bytes that they take (string interner).
#[derive(Debug)]
pub(super) struct Texts {
    long: BTreeSet<Arc<str>>,
    /// Of all texts, each long one counted once.
    bytes: u64,
    bytes_max: u64,
    cell_bytes_max: u64,
}

/// Why a text isn't kept: it exceeds the size limit of a cell, or of all texts of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TooMuchText {
    /// The cell's is too long.
    #[error("has a text of {0} bytes, and the most is {1}: shorten it, {remedy}", remedy = Limit::CellBytes.remedy())]
    InCell(u64, u64),
    /// That of all cells is.
    #[error("is one text too many: the most is {0} bytes in all: split the table, {remedy}", remedy = Limit::TableMemory.remedy())]
    InTable(u64),
}

impl Texts {
    /// Makes an empty interner, bounded by the limits of tables and cells.
    pub(super) fn new(limits: &Limits) -> Self {
        let (bytes_max, cell_bytes_max) = (limits.most(Limit::TableMemory), limits.most(Limit::CellBytes));
        Self { long: BTreeSet::new(), bytes: 0, bytes_max, cell_bytes_max }
    }

    /// Keeps a text (interns a string).
    ///
    /// # Errors
    /// When it is too long, or all of them are.
    pub(super) fn keep(&mut self, text: &str) -> Result<Arc<str>, TooMuchText> {
        let bytes = text.len() as u64;
        if bytes > self.cell_bytes_max {
            return Err(TooMuchText::InCell(bytes, self.cell_bytes_max));
        }
        if let Some(known) = self.long.get(text) {
            return Ok(Arc::clone(known));
        }
        self.bytes += bytes;
        if self.bytes > self.bytes_max {
            return Err(TooMuchText::InTable(self.bytes_max));
        }
        let text: Arc<str> = text.into();
        if text.len() > SHORT_BYTES {
            self.long.insert(Arc::clone(&text));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_kept_once_and_both_bounds_hold() {
        let mut texts = Texts::new(&Limits::default());
        let label = "a label that a row in three has, too long to be copied";
        let first = texts.keep(label).unwrap();
        for _ in 0..1_000 {
            assert!(Arc::ptr_eq(&first, &texts.keep(label).unwrap()));
        }
        assert_eq!(texts.bytes, label.len() as u64);
        let (most, in_all) = (Limit::CellBytes.usual(), Limit::TableMemory.usual());
        let too_long = "x".repeat(most as usize + 1);
        assert_eq!(texts.keep(&too_long), Err(TooMuchText::InCell(most + 1, most)));
        texts.bytes = in_all;
        assert_eq!(texts.keep("another"), Err(TooMuchText::InTable(in_all)));
        assert_eq!(texts.keep(label).unwrap(), first, "what is known costs nothing");
    }
}
