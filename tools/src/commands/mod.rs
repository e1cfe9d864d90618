//! One module for each architecture.

pub mod dark_pawns;
pub mod openclaw;
pub mod owm;
mod serve;

/// Says on standard error what is odd and doesn't stop the work.
fn note(text: &str) {
    morta_console::output::remark(format!("note: {text}"));
}
