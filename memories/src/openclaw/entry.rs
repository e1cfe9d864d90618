//! One entry of the recall store: a snippet of a daily note, and how often it was found (digest section 2).

use super::tags::{MAX_TAGS, normalise};
use super::text::{note_day, query_hash};
use super::time::{Day, Instant, Stamp, Zone};
use serde::{Deserialize, Serialize};

/// Query hashes kept, the newest; diversity is full at five (digest section 2).
pub const MAX_QUERIES: usize = 32;
/// Recall days kept, the newest; consolidation is full at five (digest section 2).
pub const MAX_DAYS: usize = 16;

/// A snippet and its recalls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecallEntry {
    /// Note it is part of, relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, not before the first.
    pub end_line: u32,
    /// The text, in one line.
    pub snippet: String,
    /// Search results that hit it.
    pub recall_count: u32,
    /// Signals from daily notes: a later addition, looked at only when `dailySignals` is on.
    pub daily_count: u32,
    /// Sum of the results' scores, each 0 to 1.
    pub total_score: f64,
    /// The best of them.
    pub max_score: f64,
    /// When it was first found.
    pub first_recalled_at: Stamp,
    /// When it was last found.
    pub last_recalled_at: Stamp,
    /// Hashes of the distinct queries that found it, oldest first.
    pub query_hashes: Vec<String>,
    /// Distinct days it was found on, in order.
    pub recall_days: Vec<Day>,
    /// What it is about.
    pub concept_tags: Vec<String>,
    /// When it was written to long-term memory, if it was.
    pub promoted_at: Option<Stamp>,
}

impl RecallEntry {
    /// A snippet that was never found yet.
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
            first_recalled_at: Stamp::At(now),
            last_recalled_at: Stamp::At(now),
            query_hashes: Vec::new(),
            recall_days: Vec::new(),
            concept_tags: Vec::new(),
            promoted_at: None,
        }
    }

    /// The key of a snippet of a note.
    pub fn key(path: &str, start_line: u32, end_line: u32) -> String {
        format!("memory:{path}:{start_line}:{end_line}")
    }

    /// The day of its note; none when it is not of a daily note.
    pub fn note_day(&self) -> Option<Day> {
        note_day(&self.path)
    }

    /// Where it stands, as in `memory/2026-04-03.md:4-4`.
    pub fn evidence(&self) -> String {
        format!("{}:{}-{}", self.path, self.start_line, self.end_line)
    }

    /// Average score of the results that hit it, 0 to 1; 0 without any.
    pub fn average_score(&self) -> f64 {
        unit(if self.recall_count == 0 { 0.0 } else { self.total_score / f64::from(self.recall_count) })
    }

    /// Days since it was last found; 0 when that can't be read or lies ahead.
    pub fn age_days(&self, now: Instant) -> f64 {
        self.last_recalled_at.instant().map_or(0.0, |last| now.days_since(last).max(0.0))
    }

    /// Whether it was found within so many days of 24 hours.
    pub fn recalled_within(&self, days: u32, now: Instant) -> bool {
        self.last_recalled_at.instant().is_some_and(|last| last >= now.days_earlier(days))
    }

    /// One search result hits it. The score is cut to 0 to 1; what is no number counts as 0.
    pub fn recall(&mut self, query: &str, score: f64, now: Instant, zone: &Zone) {
        let score = unit(score);
        self.recall_count = self.recall_count.saturating_add(1);
        self.total_score += score;
        self.max_score = self.max_score.max(score);
        self.last_recalled_at = Stamp::At(now);
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

    /// Takes these as its tags: in their stored form, each once, at most eight.
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

/// Drops the first of the list until at most so many are left.
pub(super) fn keep_newest<T>(list: &mut Vec<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}

/// Cut to 0 to 1; what is no finite number is 0.
pub(super) fn unit(x: f64) -> f64 {
    if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn instant(text: &str) -> Instant {
        text.parse().unwrap()
    }

    /// Now, in the vectors of the digest.
    pub fn now() -> Instant {
        instant("2026-04-05T03:00:00Z")
    }

    /// An entry with these figures, last recalled so many days ago.
    pub fn entry(
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
    fn every_hit_counts_and_lists_are_cut() {
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
