//! One module for each architecture: the subcommands of `morta-memory`, which parse flags, call the library
//! and print its results. Nothing is computed here, so that server and command line give the same answers.

pub(crate) mod dark_pawns;
pub(crate) mod openclaw;
pub(crate) mod owm;
mod serve;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses a word of a list: each with its meaning for `--help`, and its value.
fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let values = words.iter().map(|(word, about, _)| PossibleValue::new(word).help(about));
    PossibleValuesParser::new(values).map(|chosen| {
        let found = words.iter().find(|(word, ..)| *word == chosen);
        found.expect("the parser refuses other words").2
    })
}

/// Writes a remark to standard error; the work goes on.
fn note(text: &str) {
    morta_console::output::remark(format!("note: {text}"));
}
