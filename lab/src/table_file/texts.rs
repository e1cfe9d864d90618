//! The texts of a table: long ones are kept once, however many rows have them.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Longest text of a cell, bytes: names and labels are far shorter, and plots and reports repeat them.
const CELL_BYTES_MAX: usize = 10_000;
/// Most text of a table, each long one counted once, bytes.
const TABLE_BYTES_MAX: usize = 256 << 20;
/// Texts up to here are copied: to look for them would cost more.
const SHORT_BYTES: usize = 32;

/// The texts so far.
#[derive(Debug, Default)]
pub struct Texts {
    long: BTreeSet<Arc<str>>,
    bytes: usize,
}

/// Why a text isn't kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooMuchText {
    /// The cell's is too long.
    #[error("has a text of {0} bytes, and the most is {CELL_BYTES_MAX}: shorten it")]
    InCell(usize),
    /// That of all cells is.
    #[error("is one text too many: the most is {TABLE_BYTES_MAX} bytes in all: split the table")]
    InTable,
}

impl Texts {
    /// Keeps a text.
    ///
    /// # Errors
    /// When it is too long, or all of them are.
    pub fn keep(&mut self, text: &str) -> Result<Arc<str>, TooMuchText> {
        if text.len() > CELL_BYTES_MAX {
            return Err(TooMuchText::InCell(text.len()));
        }
        if let Some(known) = self.long.get(text) {
            return Ok(Arc::clone(known));
        }
        self.bytes += text.len();
        if self.bytes > TABLE_BYTES_MAX {
            return Err(TooMuchText::InTable);
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
        let mut texts = Texts::default();
        let label = "a label that a row in three has, too long to be copied";
        let first = texts.keep(label).unwrap();
        for _ in 0..1_000 {
            assert!(Arc::ptr_eq(&first, &texts.keep(label).unwrap()));
        }
        assert_eq!(texts.bytes, label.len());
        let too_long = "x".repeat(CELL_BYTES_MAX + 1);
        assert_eq!(texts.keep(&too_long), Err(TooMuchText::InCell(CELL_BYTES_MAX + 1)));
        texts.bytes = TABLE_BYTES_MAX;
        assert_eq!(texts.keep("another"), Err(TooMuchText::InTable));
        assert_eq!(texts.keep(label).unwrap(), first, "what is known costs nothing");
    }
}
