//! Reads arguments: numbers below 0 reach the key they were meant for, and what Rust says of a number that it can't read is said in words.

use clap::error::ErrorKind;
use clap::{Arg, Command, Parser};

/// What the standard library says of text that is no number of a kind, and what a person can do with.
const IN_WORDS: [(&str, &str); 7] = [
    ("invalid digit found in string", "must be a whole number, 0 or more"),
    ("number too large to fit in target type", "is too large"),
    ("number too small to fit in target type", "is too small"),
    ("number would be zero for non-zero type", "must be a whole number, 1 or more"),
    ("cannot parse integer from empty string", "must be a whole number, 0 or more"),
    ("cannot parse float from empty string", "must be a number"),
    ("invalid float literal", "must be a number"),
];

/// Reads the arguments of the process, or ends it: with what was asked for (help, version) or a mistake in words.
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

fn in_words(text: &str) -> String {
    IN_WORDS.iter().fold(text.to_owned(), |text, (found, words)| text.replace(found, words))
}

/// `--seed -1` is a seed that can't be, and no flag called `-1`.
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

    fn told(flags: &[&str]) -> String {
        let words = ["program"].iter().chain(flags);
        let found = with_negative_numbers(Flags::command()).try_get_matches_from(words);
        found.map_or_else(|error| in_words(&error.render().to_string()), |_| "read".to_owned())
    }

    #[test]
    fn numbers_are_told_in_words() {
        let first = |flags: &[&str]| told(flags).lines().next().unwrap().to_owned();
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
