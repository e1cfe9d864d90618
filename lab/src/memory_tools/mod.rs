//! The memory architectures on data of one's own, with the code the simulation runs: logs are read, stores are kept, questions are
//! answered. Nothing is lived here.
//!
//! What is odd but doesn't stop the work (a line left out, a value replaced) is told to a [`Notes`], in the order in which it comes up.

pub mod dark_pawns;
pub mod openclaw;
pub mod owm;

/// Hears, line by line, of what is odd and doesn't stop the work.
pub type Notes<'a> = &'a mut dyn FnMut(&str);
