//! The recall store: an entry for each snippet that searches have found. It is short-term memory as usage statistics of search hits (query log);
//! scores are 0 to 1, instants milliseconds. Only hits in daily notes count, as in the original, so that long-term memory isn't promoted
//! into itself. Golems record the notes that advised a trade once it is over, at the moment of its decision; searches of users' agents are
//! read from a log, or taken from a call of the server. The number of entries isn't bounded here: promotion marks an entry, and none is
//! removed.

use super::entry::RecallEntry;
use super::tags::concept_tags;
use super::text::{collapse, normalise_path};
use super::time::{Instant, Zone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The recall store (memory store): all entries, by key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecallStore {
    /// The moment of the last change; `None` for a new store.
    pub updated_at: Option<Instant>,
    /// The entries: snippets of notes that searches hit.
    pub entries: BTreeMap<String, RecallEntry>,
}

/// One result (hit) of a memory search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit<'a> {
    /// Path of the note, as the search names it.
    pub path: &'a str,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, not before the first.
    pub end_line: u32,
    /// Score of the result; clamped to 0 to 1.
    pub score: f64,
    /// The text; an empty one keeps the known text.
    pub snippet: &'a str,
    /// Concept tags; `None` to derive them from the text.
    pub tags: Option<&'a [String]>,
}

impl RecallStore {
    /// Records a search: every hit of a daily note counts once; other hits are ignored. An empty query records nothing. Returns the number
    /// of recorded hits.
    pub fn record(&mut self, query: &str, hits: &[SearchHit<'_>], now: Instant, zone: &Zone) -> u32 {
        if query.trim().is_empty() {
            return 0;
        }
        let mut recorded = 0;
        for hit in hits {
            let path = normalise_path(hit.path);
            if super::text::note_day(&path).is_none() || hit.start_line == 0 || hit.end_line < hit.start_line
            {
                continue;
            }
            let key = RecallEntry::key(&path, hit.start_line, hit.end_line);
            let new = || RecallEntry::new(path, hit.start_line, hit.end_line, now);
            let entry = self.entries.entry(key).or_insert_with(new);
            entry.recall(query, hit.score, now, zone);
            let snippet = collapse(hit.snippet);
            if !snippet.is_empty() && snippet != entry.snippet {
                entry.snippet = snippet;
                entry.concept_tags.clear();
            }
            if entry.concept_tags.is_empty() {
                match hit.tags {
                    Some(tags) => entry.tag(tags.iter().map(String::as_str)),
                    None => entry.concept_tags = concept_tags(&entry.path, &entry.snippet),
                }
            }
            recorded += 1;
        }
        if recorded > 0 {
            self.updated_at = Some(now);
        }
        recorded
    }

    /// The latest instant in the store: of a recall, a promotion or a change (the most recent timestamp). The tools take it for the present
    /// where no `--now` is given, so that an answer doesn't depend on the system clock.
    pub fn latest(&self) -> Option<Instant> {
        let entry_latest = |entry: &RecallEntry| {
            let promoted = entry.promoted_at.as_ref().and_then(|stamp| stamp.instant());
            entry.last_recalled_at.instant().max(promoted)
        };
        self.entries.values().filter_map(entry_latest).chain(self.updated_at).max()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::now;
    use super::*;

    fn hit<'a>(path: &'a str, score: f64, snippet: &'a str) -> SearchHit<'a> {
        SearchHit { path, start_line: 3, end_line: 4, score, snippet, tags: None }
    }

    #[test]
    fn a_search_records_its_hits_of_daily_notes() {
        let mut store = RecallStore::default();
        let hits = [
            hit("./memory/2026-04-03.md", 0.9, "  Router\n VLAN ten "),
            hit("MEMORY.md", 1.0, "not short-term"),
            SearchHit { start_line: 0, ..hit("2026-04-03.md", 1.0, "no such line") },
        ];
        assert_eq!(store.record("vlan", &hits, now(), &Zone::utc()), 1);
        assert_eq!(store.record("VLAN ", &[hit("memory/2026-04-03.md", 0.5, " ")], now(), &Zone::utc()), 1);
        assert_eq!(store.record("  ", &hits, now(), &Zone::utc()), 0, "an empty query records nothing");
        let entry = &store.entries["memory:memory/2026-04-03.md:3:4"];
        assert_eq!((entry.recall_count, entry.total_score, entry.query_hashes.len()), (2, 1.4, 1));
        assert_eq!(entry.snippet, "Router VLAN ten", "an empty snippet keeps the old one");
        assert_eq!(entry.concept_tags, ["router", "vlan", "ten"]);
        assert_eq!(store.latest(), Some(now()));
    }
}
