//! MEMORY.md: durable facts, each after a hidden marker with its key (digest section 5, steps 5 and 6). The marker makes a second
//! promotion of the same entry detectable even if the store is lost. It is Markdown parsing and generation; facts written by hand are
//! never changed, and a promoted fact is removed only where a longer one that contains it is written. Markers are HTML comments, so that
//! a reader doesn't see them.

use super::sentence::{as_item, is_heading, is_item, without_marks};
use super::text::words;
use super::time::{Day, Instant};
use std::collections::BTreeSet;
use std::fmt::Write as _;

const TITLE: &str = "# Long-Term Memory";
const SECTION: &str = "## Promoted From Short-Term Memory (";
const MARKER: &str = "<!-- openclaw-memory-promotion:";
const END_OF_MARKER: &str = " -->";

/// The long-term memory without the promoted facts that a new fact contains, and their keys. The new fact gets their markers too, or they would be
/// promoted again. Facts written by hand stay, because only their writer may remove them.
pub(super) fn without_said(memory: &str, is_said: impl Fn(&str) -> bool) -> (String, Vec<&str>) {
    let (mut kept, mut keys, mut waiting) = (String::new(), Vec::new(), String::new());
    let mut marked = Vec::new();
    for line in memory.split_inclusive('\n') {
        waiting.push_str(line);
        if let Some(key) = key_of_marker(line) {
            marked.push(key);
            continue;
        }
        if !marked.is_empty() && bare(line).is_some_and(&is_said) {
            keys.append(&mut marked);
        } else {
            kept.push_str(&waiting);
        }
        marked.clear();
        waiting.clear();
    }
    (kept + &waiting, keys)
}

/// A fact to be added to long-term memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact<'a> {
    /// Key of its entry.
    pub key: &'a str,
    /// Keys of facts that it replaces, because it contains them.
    pub also: &'a [String],
    /// The text.
    pub snippet: &'a str,
    /// The entry's score at the promotion.
    pub score: f64,
    /// Number of the entry's recalls.
    pub recalls: u32,
    /// Average score of the recalls.
    pub average: f64,
    /// Its source, as in `memory/2026-04-03.md:4-4`.
    pub source: &'a str,
    /// Whether recovery selected it.
    pub recovered: bool,
    /// The moment of promotion; `None` to write only the day in the heading, as the original does. The document asks for the moment.
    pub promoted_at: Option<Instant>,
}

/// Name of the field with the moment of a promotion.
const PROMOTED: &str = "promoted=";

/// Finds the keys of facts whose markers are in a long-term memory, i.e. which were promoted.
pub fn marked_keys(memory: &str) -> BTreeSet<&str> {
    memory.lines().filter_map(key_of_marker).collect()
}

/// A fact as it is written in a long-term memory, i.e. a promoted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// Key of its entry.
    pub key: &'a str,
    /// The day of promotion, from its heading; empty without one.
    pub day: &'a str,
    /// Its line, without the dash.
    pub line: &'a str,
}

/// Parses the promoted facts of a long-term memory, in its order, for the tools' diary of dreams. A line that the user has edited is
/// returned as it is now.
pub fn written(memory: &str) -> Vec<Written<'_>> {
    let (mut day, mut keys, mut facts) = ("", Vec::new(), Vec::new());
    for line in memory.lines() {
        if line.starts_with('#') {
            day = day_of_heading(line);
        } else if let Some(key) = key_of_marker(line) {
            keys.push(key);
        } else {
            let line = line.trim().strip_prefix("- ").unwrap_or(line.trim());
            facts.extend(keys.drain(..).map(|key| Written { key, day, line }));
        }
    }
    facts
}

fn day_of_heading(line: &str) -> &str {
    line.strip_prefix(SECTION).and_then(|rest| rest.trim_end().strip_suffix(')')).unwrap_or("")
}

/// A fact in a long-term memory, promoted or written by hand: a parsed bullet or paragraph of `MEMORY.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held<'a> {
    /// Key of its entry; `None` if it was written by hand.
    pub key: Option<&'a str>,
    /// The moment of promotion, from its line, or without that from the heading above it.
    pub promoted_at: Option<Instant>,
    /// Its text.
    pub text: &'a str,
}

/// Extracts every fact of a long-term memory in Markdown: each item of a list, and the first line of each paragraph. Headings, comments and
/// blocks of code don't count.
pub fn held(memory: &str) -> Vec<Held<'_>> {
    let (mut facts, mut key, mut day, mut coded, mut in_paragraph) = (Vec::new(), None, None, false, false);
    for line in memory.lines() {
        if line.trim_start().starts_with("```") {
            coded = !coded;
        }
        if is_heading(line) {
            day = day_of_heading(line).parse::<Instant>().ok();
        }
        if let Some(marked) = key_of_marker(line) {
            key = Some(marked);
            continue;
        }
        let Some(text) = bare(line).filter(|_| !coded) else {
            in_paragraph = false;
            continue;
        };
        let goes_on = in_paragraph && !is_item(line) && key.is_none();
        in_paragraph = true;
        if !goes_on {
            let stamp = line.split([' ', ']']).find_map(|word| word.strip_prefix(PROMOTED)?.parse().ok());
            let key = key.take();
            facts.push(Held { key, promoted_at: stamp.or(day).filter(|_| key.is_some()), text });
        }
    }
    facts
}

/// The text of a line without the mark of a list and the figures of a promotion; `None` if no word is left.
pub(super) fn bare(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if is_heading(line) || line.starts_with("<!--") || line.starts_with("```") {
        return None;
    }
    let text = without_marks(line);
    let text = text.rfind(" [score=").filter(|_| text.ends_with(']')).map_or(text, |at| &text[..at]);
    (!words(text).is_empty()).then_some(text)
}

fn key_of_marker(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix(MARKER)?.strip_suffix(END_OF_MARKER)?.trim())
}

/// Appends a section of these facts to the long-term memory, under the day of promotion. `held` and `Known` parse the figures in its
/// brackets again. An empty file gets a title first. Without facts the text stays as it is.
pub fn with_facts(memory: &str, day: Day, facts: &[Fact<'_>]) -> String {
    let mut text = memory.to_owned();
    if facts.is_empty() {
        return text;
    }
    // A file with CRLF line ends keeps them: the new lines would be the only ones without.
    let windows = text.contains("\r\n");
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        text = format!("{TITLE}\n");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let mut section = format!("\n{SECTION}{day})\n\n");
    for fact in facts {
        let Fact { key, snippet, score, recalls, average, source, .. } = fact;
        let recovered = if fact.recovered { " recovered" } else { "" };
        let promoted = fact.promoted_at.map_or_else(String::new, |at| format!(" {PROMOTED}{at}"));
        let snippet = as_item(snippet);
        for also in fact.also {
            let _ = writeln!(section, "{MARKER}{also}{END_OF_MARKER}");
        }
        let _ = write!(
            section,
            "{MARKER}{key}{END_OF_MARKER}\n- {snippet} [score={score:.3} recalls={recalls} avg={average:.3} source={source}{recovered}{promoted}]\n",
        );
    }
    text + &if windows { section.replace('\n', "\r\n") } else { section }
}
