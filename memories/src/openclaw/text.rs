//! Normalisation and comparison of the texts of notes and queries (digest sections 2 and 7). It is text normalization, tokenization for scripts with
//! and without blanks, and Jaccard similarity (0 to 1). Scripts without blanks are read by pairs of letters, because single letters match
//! anything. Note days decide what is short-term memory: a path that isn't a daily note is neither recorded nor promoted.

use super::time::Day;
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization as _;

/// Normalises whitespace: a text with every run of white space as one blank, trimmed, and without the byte order mark that some editors
/// write.
pub fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.trim_start_matches('\u{feff}').split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Normalises a path, with forward slashes and without a leading `./`, so that one note has one key.
pub fn normalise_path(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path.to_owned()
}

/// Parses the day (date) of a daily note: `memory/YYYY-MM-DD.md` or the bare file name, also with a slug after the day
/// (`2026-04-03-standup.md`) and in folders below `memory/`. `None` for other paths, for reports of phases and other programs' folders, and
/// for a day that isn't in the calendar.
pub fn note_day(path: &str) -> Option<Day> {
    let below = match path.strip_prefix("memory/") {
        Some(below) => below,
        None if path.contains('/') => return None,
        None => path,
    };
    let mut folders: Vec<&str> = below.split('/').collect();
    let stem = folders.pop()?.strip_suffix(".md")?;
    // A folder that begins with a dot belongs to a program, or is `..`, which leads out of the workspace.
    if folders.first() == Some(&"dreaming")
        || folders.iter().any(|one| one.is_empty() || one.starts_with('.'))
    {
        return None;
    }
    let (day, slug) = stem.split_at_checked(10)?;
    let has_slug = slug.len() > 1 && slug.starts_with('-');
    if slug.is_empty() || has_slug { day.parse().ok() } else { None }
}

/// The path of the file that is the daily note of a day.
pub fn note_path(day: Day) -> String {
    format!("memory/{day}.md")
}

/// Hashes a query: the first 12 hexadecimal digits of the SHA-1 of its trimmed lower-case text, as in the original's files (a fingerprint).
pub fn query_hash(query: &str) -> String {
    let digest = Sha1::digest(query.trim().to_lowercase().as_bytes());
    digest[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a letter is of a script without blanks between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer (CJK).
pub const fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Tokenizes a text into words, in order, in lower case and NFKC: runs of letters and digits of any script. In scripts without blanks each
/// letter is a word.
pub fn words(text: &str) -> Vec<String> {
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let (mut words, mut word) = (Vec::new(), String::new());
    for letter in text.chars() {
        if letter.is_alphanumeric() && !is_unspaced(letter) {
            word.push(letter);
            continue;
        }
        words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        words.extend(is_unspaced(letter).then(|| letter.to_string()));
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The token set by which a text is compared: its [`words`], and in scripts without blanks pairs of neighbouring letters (bigrams), because
/// unrelated sentences share single letters. (The original has only runs of ASCII letters and digits, so that a Chinese text has no tokens
/// there.).
pub fn tokens(text: &str) -> BTreeSet<String> {
    let words = words(text);
    let unspaced = |word: &String| word.chars().next().is_some_and(is_unspaced);
    let mut tokens = BTreeSet::new();
    for (place, word) in words.iter().enumerate() {
        match words.get(place + 1).filter(|next| unspaced(next)) {
            Some(next) if unspaced(word) => drop(tokens.insert(format!("{word}{next}"))),
            // The last letter of a run is in the pair before it already, so it isn't a token of its own.
            _ if unspaced(word) && place.checked_sub(1).is_some_and(|before| unspaced(&words[before])) => {}
            _ => drop(tokens.insert(word.clone())),
        }
    }
    tokens
}

/// A text with its token set, for comparison by Jaccard similarity.
#[derive(Clone, Debug)]
pub struct Comparable {
    /// The token set.
    tokens: BTreeSet<String>,
    /// Trimmed and in lower case, for texts without tokens.
    text: String,
}

impl Comparable {
    /// Tokenizes a text once for many comparisons.
    pub fn new(text: &str) -> Self {
        Self { tokens: tokens(text), text: text.trim().to_lowercase() }
    }

    /// The Jaccard similarity (Jaccard index): the number of shared tokens over that of all tokens. If either text has no tokens, 1 for
    /// equal texts and 0 for others, because the quotient says nothing there.
    pub fn jaccard(&self, other: &Self) -> f64 {
        if self.tokens.is_empty() || other.tokens.is_empty() {
            return f64::from(u8::from(self.text == other.text));
        }
        let shared = self.tokens.intersection(&other.tokens).count();
        let all = self.tokens.len() + other.tokens.len() - shared;
        shared as f64 / all as f64
    }
}

/// The Jaccard similarity (Jaccard index) of two texts, 0 to 1: the overlap of their token sets.
pub fn jaccard(a: &str, b: &str) -> f64 {
    Comparable::new(a).jaccard(&Comparable::new(b))
}
