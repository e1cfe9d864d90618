//! One module for each architecture: the subcommands of `morta-memory`, which parse flags, call the library
//! and print its results. Nothing is computed here, so that server and command line give the same answers.

pub(crate) mod dark_pawns;
pub(crate) mod openclaw;
pub(crate) mod owm;
mod serve;

/// Writes a remark to standard error; the work goes on.
fn note(text: &str) {
    morta_console::output::remark(format!("note: {text}"));
}
