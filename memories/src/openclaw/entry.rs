//! One entry of the recall store: a snippet of a daily note, and the counts of its recalls (digest section 2). It is a record with usage
//! statistics: recall count, distinct queries, recency. Scores are 0 to 1, ages days. Queries are kept as hashes, as in the original's
//! files, because only their number counts. Searches fill it (for a golem, the trades that a note advised); for light and REM sleep the
//! tools also make entries without recalls from transcript lines, in memory only. The three sleep phases read it, and deep sleep alone sets
//! its moment of promotion, with the lines and the text that it found in the live note.

use super::tags::{MAX_TAGS, normalise};
use super::text::{note_day, query_hash};
use super::time::{Day, Instant, StoredInstant, Zone};
use serde::{Deserialize, Serialize};

/// The number of query hashes kept, the newest ones (digest section 2). The diversity signal is 1 from five on. It is also the upper limit
/// of the key `min_unique_queries`.
pub const MAX_QUERIES: usize = 32;
/// The number of recall days kept, the newest ones (digest section 2). The consolidation signal is 1 from five on.
pub const MAX_DAYS: usize = 16;

/// A snippet of a note with the statistics of its recalls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecallEntry {
    /// Path of its note, relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, not before the first.
    pub end_line: u32,
    /// The text, in one line.
    pub snippet: String,
    /// Number of search results that hit it; repeats of one query count.
    pub recall_count: u32,
    /// Number of signals from daily notes: a later addition, used only when `dailySignals` is on.
    pub daily_count: u32,
    /// Sum of the results' scores, each 0 to 1.
    pub total_score: f64,
    /// The highest of these scores, 0 to 1.
    pub max_score: f64,
    /// The moment of the first recall.
    pub first_recalled_at: StoredInstant,
    /// The moment of the last recall.
    pub last_recalled_at: StoredInstant,
    /// Hashes of the distinct queries that found it, oldest first.
    pub query_hashes: Vec<String>,
    /// Distinct days of recalls, in order.
    pub recall_days: Vec<Day>,
    /// Concept tags of the snippet.
    pub concept_tags: Vec<String>,
    /// The moment of its promotion to long-term memory; `None` if it wasn't promoted.
    pub promoted_at: Option<StoredInstant>,
}

impl RecallEntry {
    /// Makes an entry without recalls, with default values.
    pub fn new(path: String, start_line: u32, end_line: u32, now: Instant) -> Self {
        Self {
            path,
            start_line,
            end_line,
            snippet: String::new(),
            recall_count: 0,
            daily_count: 0,
            total_score: 0.0,
            max_score: 0.0,
            first_recalled_at: StoredInstant::At(now),
            last_recalled_at: StoredInstant::At(now),
            query_hashes: Vec::new(),
            recall_days: Vec::new(),
            concept_tags: Vec::new(),
            promoted_at: None,
        }
    }

    /// The key of an entry for a snippet of a note: path and lines (composite key).
    pub fn key(path: &str, start_line: u32, end_line: u32) -> String {
        format!("memory:{path}:{start_line}:{end_line}")
    }

    /// Parses the day (date) of its note from the path; `None` when that isn't a daily note.
    pub fn note_day(&self) -> Option<Day> {
        note_day(&self.path)
    }

    /// Its path and lines, as in `memory/2026-04-03.md:4-4` (a source reference).
    pub fn evidence(&self) -> String {
        format!("{}:{}-{}", self.path, self.start_line, self.end_line)
    }

    /// Average score (mean score) of its recalls in searches, 0 to 1; 0 without any. Clamped, because after a merge of duplicates the sum may
    /// exceed the count.
    pub fn average_score(&self) -> f64 {
        unit(if self.recall_count == 0 { 0.0 } else { self.total_score / f64::from(self.recall_count) })
    }

    /// Recency: days since the last recall; 0 when that moment is unreadable or in the future, as in the original.
    pub fn age_days(&self, now: Instant) -> f64 {
        self.last_recalled_at.instant().map_or(0.0, |last| now.days_since(last).max(0.0))
    }

    /// Whether the last recall is within `days` of 24 hours; false for an unreadable moment (recency filter by a time window). Light sleep,
    /// REM sleep and recovery choose by it; a golem reckons the price of light and REM sleep by how many entries there are.
    pub fn recalled_within(&self, days: u32, now: Instant) -> bool {
        self.last_recalled_at.instant().is_some_and(|last| last >= now.days_earlier(days))
    }

    /// Records a search result that hits it: increments the hit count and the access statistics (recall statistics). The score is clamped
    /// to 0 to 1; NaN and infinities count as 0.
    pub fn recall(&mut self, query: &str, score: f64, now: Instant, zone: &Zone) {
        let score = unit(score);
        self.recall_count = self.recall_count.saturating_add(1);
        self.total_score += score;
        self.max_score = self.max_score.max(score);
        self.last_recalled_at = StoredInstant::At(now);
        let hash = query_hash(query);
        if !self.query_hashes.contains(&hash) {
            self.query_hashes.push(hash);
            keep_newest(&mut self.query_hashes, MAX_QUERIES);
        }
        let day = zone.day(now);
        if let Err(place) = self.recall_days.binary_search(&day) {
            self.recall_days.insert(place, day);
            keep_newest(&mut self.recall_days, MAX_DAYS);
        }
    }

    /// Replaces the tags (keywords): they are normalised, distinct, and at most eight.
    pub fn tag<'a>(&mut self, tags: impl IntoIterator<Item = &'a str>) {
        self.concept_tags.clear();
        for tag in tags {
            let tag = normalise(tag);
            if self.concept_tags.len() < MAX_TAGS && !tag.is_empty() && !self.concept_tags.contains(&tag) {
                self.concept_tags.push(tag);
            }
        }
    }
}

/// Removes the first elements of a list until at most `most` are left.
pub(super) fn keep_newest<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}

/// Clamps a number to 0 to 1; NaN and infinities become 0.
pub(super) fn unit(x: f64) -> f64 {
    if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A timestamp from a text, for tests (RFC 3339 parsing, test helper).
    pub(crate) fn instant(text: &str) -> Instant {
        text.parse().unwrap()
    }

    /// The present moment of the digest's vectors (a fixed clock).
    pub(crate) fn now() -> Instant {
        instant("2026-04-05T03:00:00Z")
    }

    /// An entry with these figures and its last recall `age` days ago (a test fixture).
    pub(crate) fn entry(
        recalls: u32,
        total: f64,
        queries: usize,
        days: &[&str],
        tags: usize,
        age: f64,
    ) -> RecallEntry {
        let last = Instant(now().0 - (age * super::super::time::DAY_MS as f64) as i64);
        let mut entry = RecallEntry::new("memory/2026-04-03.md".to_owned(), 1, 1, last);
        entry.snippet = "The router has a VLAN of its own".to_owned();
        entry.recall_count = recalls;
        entry.total_score = total;
        entry.query_hashes = (0..queries).map(|n| format!("{n:012x}")).collect();
        entry.recall_days = days.iter().map(|day| format!("2026-{day}").parse().unwrap()).collect();
        entry.concept_tags = (0..tags).map(|n| format!("tag{n}")).collect();
        entry
    }

    #[test]
    fn every_hit_counts_and_lists_keep_the_newest() {
        let mut entry = RecallEntry::new("2026-04-03.md".to_owned(), 1, 1, now());
        for n in 0..40_i64 {
            let query = format!("query {n}");
            entry.recall(&query, 2.0, Instant(now().0 + n * super::super::time::DAY_MS), &Zone::utc());
            entry.recall(&query.to_uppercase(), f64::NAN, now(), &Zone::utc());
        }
        assert_eq!((entry.recall_count, entry.total_score, entry.max_score), (80, 40.0, 1.0));
        assert_eq!((entry.query_hashes.len(), entry.recall_days.len()), (MAX_QUERIES, MAX_DAYS));
        assert_eq!(entry.recall_days.last().unwrap().to_string(), "2026-05-14");
        assert_eq!(entry.query_hashes.last(), Some(&query_hash("query 39")));
        assert_eq!(entry.average_score(), 0.5);
    }

    #[test]
    fn tags_are_stored_once_and_in_lower_case() {
        let mut entry = RecallEntry::new("2026-04-03.md".to_owned(), 1, 1, now());
        entry.tag(["Range_Bound", "range-bound", "", "A", "b", "c", "d", "e", "f", "g", "h"]);
        assert_eq!(entry.concept_tags, ["range-bound", "a", "b", "c", "d", "e", "f", "g"]);
    }
}
