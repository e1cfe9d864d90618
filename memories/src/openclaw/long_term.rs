//! MEMORY.md: durable facts, each under a hidden marker that names its key (digest section 5, steps 5 and 6).

use super::time::Day;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const TITLE: &str = "# Long-Term Memory";
const SECTION: &str = "## Promoted From Short-Term Memory (";
const MARKER: &str = "<!-- openclaw-memory-promotion:";
const END_OF_MARKER: &str = " -->";

/// One fact to be added.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<'a> {
    /// The key of its entry.
    pub key: &'a str,
    /// The text.
    pub snippet: &'a str,
    /// The entry's score when it was promoted.
    pub score: f64,
    /// Its recalls.
    pub recalls: u32,
    /// The average score of these.
    pub average: f64,
    /// Where it comes from, as in `memory/2026-04-03.md:4-4`.
    pub source: &'a str,
    /// Whether it was written because memory was thin.
    pub recovered: bool,
}

/// The keys whose markers are in a long-term memory.
pub fn marked_keys(memory: &str) -> BTreeSet<&str> {
    memory.lines().filter_map(key_of_marker).collect()
}

/// A fact as it is written in a long-term memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The key of its entry.
    pub key: &'a str,
    /// The day of promotion, as its heading has it; empty where there is none.
    pub day: &'a str,
    /// Its line, without the dash.
    pub line: &'a str,
}

/// The facts of a long-term memory that were promoted, in its order. Who has changed a line has changed what it says.
pub fn written(memory: &str) -> Vec<Written<'_>> {
    let (mut day, mut facts) = ("", Vec::new());
    let mut lines = memory.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            let named = line.strip_prefix(SECTION).and_then(|rest| rest.trim_end().strip_suffix(')'));
            day = named.unwrap_or("");
        } else if let Some(key) = key_of_marker(line) {
            let line = lines.next().unwrap_or("").trim();
            facts.push(Written { key, day, line: line.strip_prefix("- ").unwrap_or(line) });
        }
    }
    facts
}

fn key_of_marker(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix(MARKER)?.strip_suffix(END_OF_MARKER)?.trim())
}

/// The long-term memory with a section of these facts added, under the day of promotion; an empty one gets a title first. Without
/// facts it stays as it is.
pub fn with_facts(memory: &str, day: Day, facts: &[Fact<'_>]) -> String {
    let mut text = memory.to_owned();
    if facts.is_empty() {
        return text;
    }
    if text.trim().is_empty() {
        text = format!("{TITLE}\n");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = write!(text, "\n{SECTION}{day})\n\n");
    for fact in facts {
        let Fact { key, snippet, score, recalls, average, source, .. } = fact;
        let recovered = if fact.recovered { " recovered" } else { "" };
        let _ = write!(
            text,
            "{MARKER}{key}{END_OF_MARKER}\n- {snippet} [score={score:.3} recalls={recalls} avg={average:.3} source={source}{recovered}]\n",
        );
    }
    text
}
