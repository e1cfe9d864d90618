//! Remarks that don't stop the work.

/// Receives remarks, line by line.
pub type Notes<'a> = &'a mut dyn FnMut(&str);
