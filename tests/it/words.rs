//! The language of the sources: a list of words that newcomers don't guess, public types that share a name, and comments that say why. The
//! figures of `words.txt` may only get better: fewer words and shared names, a larger share of comments that say why.
//!
//! `MORTA_RECORD=1 cargo test --workspace --test it words` writes better figures down, and refuses worse ones.

use crate::architecture::rust_files;
use crate::common::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Words of a private grammar, and what to write instead: docs/plain-words.md has pairs.
const WORDS: [&str; 9] = [
    "told", "whoever", "comes to", "come to", "has its say", "have their say", "has a say", "is heard",
    "are heard",
];
/// Words that only a reason, a source, a rejected alternative or a consequence needs. A comment without them may say why all the same, and one with
/// them may not: the share is a rough figure, fit for being compared with itself.
const REASONS: [&str; 16] = [
    "because", "so that", "otherwise", "rather than", "instead of", "would", "measured", "rejected",
    "our choice", " lest ", "or else", "not to be", "rejects", "the spec", "§", "et al.",
];
const CRATES: [&str; 12] = [
    "actors", "base", "console", "engine", "lab", "load", "memories", "python", "replications", "src",
    "stats", "tools",
];

/// What is counted in a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figures {
    /// Occurrences of `WORDS` in code and comments.
    words: usize,
    /// Public types and traits beyond the first of a name.
    shared_names: usize,
    /// Comment lines that say why, for each thousand lines of code.
    reasons_per_1000: usize,
}

/// How often a word, or words in a row, stand in a text, as a whole or as a part of a name (`told_of`).
fn occurrences(text: &str, word: &str) -> usize {
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(word)
        .filter(|(at, _)| {
            let (before, after) = (&text[..*at], &text[at + word.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
        .count()
}

/// A year in parentheses or after a name, as sources have it.
fn names_a_year(comment: &str) -> bool {
    comment
        .split(|character: char| !character.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
}

/// A public type or trait that a line declares; the arguments of commands are all named `Args`, by clap's custom.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    let name = rest.split(|character: char| !character.is_alphanumeric()).next()?;
    // A macro's `pub struct $name` declares no name here.
    (!name.is_empty() && name != "Args").then_some(name)
}

fn figures(home: &str) -> Figures {
    let files = rust_files(home);
    assert!(!files.is_empty(), "{home} has no sources");
    let (mut words, mut code, mut reasons) = (0, 0, 0);
    let mut names = BTreeMap::<String, usize>::new();
    for text in files.iter().map(|file| fs::read_to_string(file).unwrap()) {
        words += WORDS.iter().map(|word| occurrences(&text, word)).sum::<usize>();
        for line in text.lines() {
            if let Some((_, comment)) =
                line.trim_start().split_once("//").filter(|(before, _)| before.is_empty())
            {
                reasons += usize::from(
                    REASONS.iter().any(|reason| comment.contains(reason)) || names_a_year(comment),
                );
            } else if !line.trim().is_empty() {
                code += 1;
            }
            if let Some(name) = declared(line) {
                *names.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    Figures {
        words,
        shared_names: names.values().map(|count| count - 1).sum(),
        reasons_per_1000: reasons * 1000 / code.max(1),
    }
}

fn record() -> PathBuf {
    root().join("tests/it/words.txt")
}

fn recorded() -> BTreeMap<String, Figures> {
    let text = fs::read_to_string(record()).unwrap_or_default();
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let [words, shared_names, reasons_per_1000] =
            [1, 2, 3].map(|column| cells[column].parse::<usize>().unwrap());
        (cells[0].to_owned(), Figures { words, shared_names, reasons_per_1000 })
    });
    rows.collect()
}

#[test]
fn the_language_of_the_sources_gets_no_worse() {
    let before = recorded();
    let now: Vec<(&str, Figures)> = CRATES.iter().map(|home| (*home, figures(home))).collect();
    for (home, now) in &now {
        let Some(before) = before.get(*home) else { continue };
        assert!(
            now.words <= before.words,
            "{home}: {} words of {WORDS:?} where there were {}: see docs/plain-words.md",
            now.words,
            before.words
        );
        assert!(
            now.shared_names <= before.shared_names,
            "{home}: {} public types share a name with another where {} did: name each by its room",
            now.shared_names,
            before.shared_names
        );
        assert!(
            now.reasons_per_1000 >= before.reasons_per_1000,
            "{home}: {} comment lines in 1,000 lines of code say why where {} did: say where a constant comes from, what was tried, what breaks ({REASONS:?} or a year is counted)",
            now.reasons_per_1000,
            before.reasons_per_1000
        );
    }
    if std::env::var_os("MORTA_RECORD").is_some() {
        let row = |(home, found): &(&str, Figures)| {
            format!(
                "{home:<13} {:>5} {:>12} {:>16}\n",
                found.words, found.shared_names, found.reasons_per_1000
            )
        };
        let rows: String = now.iter().map(row).collect();
        fs::write(record(), format!("{:<13} words shared_names reasons_per_1000\n{rows}", "crate")).unwrap();
    } else {
        assert_eq!(before.len(), CRATES.len(), "words.txt has a row for each crate");
    }
}

#[test]
fn words_are_counted_as_wholes_and_in_names() {
    assert_eq!(occurrences("told, told_of; untold, toldo", "told"), 2);
    assert!(names_a_year("Schuirmann (1987)") && !names_a_year("12000 ticks"));
    assert_eq!(declared("    pub struct Args {"), None);
    assert_eq!(declared("pub enum Fate<'a> {"), Some("Fate"));
    assert_eq!(declared("pub struct $name {"), None);
}
