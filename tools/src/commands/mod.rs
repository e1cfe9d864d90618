//! One module for each architecture: the subcommands of `morta-memory`, which parse flags, call the library
//! and print its results.

pub mod dark_pawns;
pub mod openclaw;
pub mod owm;
mod serve;

/// Writes a remark to standard error; the work goes on.
fn note(text: &str) {
    morta_console::output::remark(format!("note: {text}"));
}
