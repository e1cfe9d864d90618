//! What is done to the texts of notes and queries before they are compared (digest sections 2 and 7).

use super::time::Day;
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;

/// Trimmed, with every run of white space as one blank.
pub fn collapse(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Relative to the workspace, with forward slashes and no leading `./`.
pub fn normalise_path(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let mut path = path.as_str();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    path.to_owned()
}

/// The day of a daily note: `memory/YYYY-MM-DD.md` or the bare file name. Other paths are not short-term memory. (A day that no
/// calendar has is not one either.)
pub fn note_day(path: &str) -> Option<Day> {
    let name = path.strip_prefix("memory/").unwrap_or(path);
    name.strip_suffix(".md")?.parse().ok()
}

/// The path of a day's note.
pub fn note_path(day: Day) -> String {
    format!("memory/{day}.md")
}

/// The first 12 hexadecimal digits of the SHA-1 of a query, trimmed and in lower case.
pub fn query_hash(query: &str) -> String {
    let digest = Sha1::digest(query.trim().to_lowercase().as_bytes());
    digest[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The tokens a text is compared by: its runs of ASCII letters and digits, in lower case. Any other letter separates, so a
/// text in Chinese has none.
pub fn tokens(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let runs = lower.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit()));
    runs.filter(|run| !run.is_empty()).map(str::to_owned).collect()
}

/// A text with its tokens, ready to be compared.
#[derive(Clone, Debug)]
pub struct Comparable {
    tokens: BTreeSet<String>,
    text: String,
}

impl Comparable {
    /// Finds its tokens, once for many comparisons.
    pub fn new(text: &str) -> Self {
        Self { tokens: tokens(text), text: text.trim().to_lowercase() }
    }

    /// Shared tokens over all tokens; when either has none, 1 for equal texts and else 0.
    pub fn jaccard(&self, other: &Self) -> f64 {
        if self.tokens.is_empty() || other.tokens.is_empty() {
            return f64::from(u8::from(self.text == other.text));
        }
        let shared = self.tokens.intersection(&other.tokens).count();
        let all = self.tokens.len() + other.tokens.len() - shared;
        shared as f64 / all as f64
    }
}

/// The Jaccard similarity of two texts, 0 to 1.
pub fn jaccard(a: &str, b: &str) -> f64 {
    Comparable::new(a).jaccard(&Comparable::new(b))
}
