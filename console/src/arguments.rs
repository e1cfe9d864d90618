//! Parses the command line: a negative number reaches the flag before it, and Rust's errors about numbers are put into plain words.
//! It is a wrapper around clap (command-line argument parsing); `morta` and `morta-memory` call it once, at their start. Messages are
//! reworded, because "invalid digit found in string" helps nobody. A mistake ends the process with the exit code 2, before any log is set
//! up.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};
use std::ops::RangeInclusive;

/// Errors of the standard library's number parsers, and the remedies that are shown instead.
const IN_WORDS: [(&str, &str); 7] = [
    ("invalid digit found in string", "must be a whole number, 0 or more"),
    ("number too large to fit in target type", "is too large"),
    ("number too small to fit in target type", "is too small"),
    ("number would be zero for non-zero type", "must be a whole number, 1 or more"),
    ("cannot parse integer from empty string", "must be a whole number, 0 or more"),
    ("cannot parse float from empty string", "must be a number"),
    ("invalid float literal", "must be a number"),
];

/// Parses the process's arguments by a clap `Parser`. It returns only when they are valid: with a requested text (help, version) the
/// process exits with 0, with a mistake (clap error) with 2.
pub fn parse<T: Parser>() -> T {
    let found = with_negative_numbers(T::command()).try_get_matches();
    let found = found.and_then(|mut matches| T::from_arg_matches_mut(&mut matches));
    found.unwrap_or_else(|error| {
        if error.kind() != ErrorKind::ValueValidation {
            error.exit();
        }
        crate::output::remark(in_words(error.render().to_string().trim_end()));
        std::process::exit(2)
    })
}

/// Parses a number above 0 (clap value parser). Infinity is refused, because Rust reads `inf` as a number and no flag means it.
///
/// # Errors
/// When it is no such number: what it must be.
pub fn above_0(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or("must be a number above 0")
}

/// Parses two whole numbers such as 101..140, the smaller first; `None` when it is no such text.
pub fn from_to(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once("..")?;
    let range = first.parse().ok()?..=last.parse().ok()?;
    (range.start() <= range.end()).then_some(range)
}

/// Takes one of these words (clap value parser, possible values) as what it names, so that no flag needs an enum beside that of the library.
/// What a word means is shown by `--help`, unless it is empty.
pub fn word<T: Copy + Send + Sync + 'static>(
    choices: &'static [(T, &'static str)],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let shown = move |(choice, meaning): &(T, &'static str)| {
        let value = PossibleValue::new(name(*choice));
        if meaning.is_empty() { value } else { value.help(*meaning) }
    };
    PossibleValuesParser::new(choices.iter().map(shown)).map(move |word| {
        let named = choices.iter().find(|(choice, _)| name(*choice) == word);
        named.expect("no other word gets through").0
    })
}

fn in_words(text: &str) -> String {
    IN_WORDS.iter().fold(text.to_owned(), |text, (found, words)| text.replace(found, words))
}

/// With this `--seed -1` is an invalid seed (clap's `allow_negative_numbers`). Otherwise clap would report an unknown flag `-1`, which
/// doesn't help.
fn with_negative_numbers(command: Command) -> Command {
    let takes_numbers = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    command.mut_args(takes_numbers).mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[derive(Parser)]
    struct Flags {
        #[arg(long)]
        seed: Option<u64>,
        #[arg(long)]
        share: Option<f64>,
    }

    fn error_of(flags: &[&str]) -> String {
        let words = ["program"].iter().chain(flags);
        let found = with_negative_numbers(Flags::command()).try_get_matches_from(words);
        found.map_or_else(|error| in_words(&error.render().to_string()), |_| "read".to_owned())
    }

    #[test]
    fn errors_of_numbers_are_in_plain_words() {
        let first = |flags: &[&str]| error_of(flags).lines().next().unwrap().to_owned();
        for (flags, expected) in [
            (
                ["--seed", "-1"],
                "error: invalid value '-1' for '--seed <SEED>': must be a whole number, 0 or more",
            ),
            (
                ["--seed", "x"],
                "error: invalid value 'x' for '--seed <SEED>': must be a whole number, 0 or more",
            ),
            (
                ["--seed", "99999999999999999999"],
                "error: invalid value '99999999999999999999' for '--seed <SEED>': is too large",
            ),
            (["--share", "much"], "error: invalid value 'much' for '--share <SHARE>': must be a number"),
            (["--share", "-0.5"], "read"),
        ] {
            assert_eq!(first(&flags), expected);
        }
    }
}
