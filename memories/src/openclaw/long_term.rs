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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_added_under_their_markers() {
        let day: Day = "2026-04-05".parse().unwrap();
        let fact = Fact {
            key: "memory:memory/2026-04-03.md:1:1",
            snippet: "VLAN ten is for guests",
            score: 0.866_495,
            recalls: 6,
            average: 0.95,
            source: "memory/2026-04-03.md:4-4",
            recovered: false,
        };
        let text = with_facts("", day, std::slice::from_ref(&fact));
        let expected = "# Long-Term Memory\n\n## Promoted From Short-Term Memory (2026-04-05)\n\n\
            <!-- openclaw-memory-promotion:memory:memory/2026-04-03.md:1:1 -->\n\
            - VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4]\n";
        assert_eq!(text, expected);
        assert_eq!(marked_keys(&text).into_iter().collect::<Vec<_>>(), [fact.key]);
        let line = "VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4]";
        assert_eq!(written(&text), [Written { key: fact.key, day: "2026-04-05", line }]);
        assert_eq!(written("- by hand\n"), []);
        let again = with_facts("Kept by hand", day, &[Fact { recovered: true, ..fact }]);
        assert!(again.starts_with("Kept by hand\n\n## ") && again.ends_with("4-4 recovered]\n"), "{again}");
        assert_eq!(with_facts("as it is", day, &[]), "as it is");
    }
}
