//! What is odd and doesn't stop the work.

/// Hears of it, line by line.
pub type Notes<'a> = &'a mut dyn FnMut(&str);
