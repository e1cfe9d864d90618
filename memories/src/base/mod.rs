//! What the three memories share, and the engine with them: portable mathematics, the check of a configuration, and passes over columns.

pub mod check;
pub mod keys;
pub mod math;
pub mod moments;
pub mod problem;
pub mod screen;
pub mod wide;

pub use check::{Checker, TableChecker};
pub use problem::Problem;
