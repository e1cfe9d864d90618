//! Deep ranking: scores, gates, order and limit (digest section 4). It is weighted scoring with thresholds: scores are 0 to 1 before a
//! boost, ages are days. Stopped entries are ranked too, because a user asks what is missing to them. Gates decide eligibility, and each
//! failed one is a rejection reason; deep sleep promotes entries that pass; on users' files those beyond the limit move up where earlier
//! ones turn out stale. The phases' map may be empty, and then no score has a boost.

use super::config::{AgeMeasure, DeepConfig};
use super::entry::{RecallEntry, unit};
use super::signals::{PhaseSignal, Signals, distinct_queries, signal_count};
use super::store::RecallStore;
use super::time::{Instant, Zone};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

morta_base::words! {
    /// A gate that stops an entry from being promoted (threshold, reason for exclusion), in the order of testing.
    pub enum Gate {
        /// The entry isn't of a daily note.
        NotShortTerm = "not_short_term",
        /// The entry was promoted before.
        Promoted = "promoted",
        /// The entry has no recalls.
        NoRecall = "no_recall",
        /// The entry has fewer than `min_recall_count` recalls.
        RecallCount = "recall_count",
        /// The entry was found by fewer than `min_unique_queries` queries.
        UniqueQueries = "unique_queries",
        /// The entry is older than `max_age_days`.
        Age = "age",
        /// The entry's score is below `min_score`.
        Score = "score",
        /// The entry passed, but `limit` others rank higher.
        Limit = "limit",
        /// The entry passed, but its note doesn't have its text any more. Ranking doesn't know this, because it doesn't read the notes.
        Stale = "stale",
        /// The entry passed, but its note can't be read.
        Unreadable = "unreadable",
    }
}

/// A ranked entry with its score, broken down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Its key in the store.
    pub key: String,
    /// Its score, 0 to 1.
    pub score: f64,
    /// The signals of the score.
    pub signals: Signals,
    /// The part of the score from light and REM sleep; 0 unless it is switched on.
    pub phase_boost: f64,
    /// Number of recalls; with `daily_signals`, signals from daily notes too.
    pub recalls: u32,
    /// Number of distinct queries that found it; with `daily_signals`, of recall days if those are more.
    pub unique_queries: u32,
    /// Its age in days, by the measure of the age gate.
    pub age_days: f64,
    /// Every gate that it fails, in order; empty if it may be promoted.
    pub stopped_by: Vec<Gate>,
}

impl Ranked {
    /// Whether it passes all gates, i.e. reaches every threshold, and so is eligible.
    pub fn passes(&self) -> bool {
        self.stopped_by.is_empty()
    }
}

/// The inputs of a ranking besides the store: moment, zone, thresholds (ranking parameters).
#[derive(Clone, Copy, Debug)]
pub struct Ranking<'a> {
    /// The present moment, from which ages are counted.
    pub now: Instant,
    /// The time zone in which days are counted.
    pub zone: &'a Zone,
    /// Thresholds and weights.
    pub config: &'a DeepConfig,
    /// Whether promoted entries may pass again, in a ranking that is only shown: deep sleep promotes none a second time.
    pub include_promoted: bool,
}

impl Ranking<'_> {
    /// Ranks every entry: first those that pass, at most `limit` of them, then the others (top-k). Both are in the order of falling score,
    /// falling recalls, path and key; the key is ours, because the original leaves the last ties open.
    pub fn rank(&self, store: &RecallStore, phases: &BTreeMap<String, PhaseSignal>) -> Vec<Ranked> {
        let mut ranked: Vec<(Ranked, &RecallEntry)> = store
            .entries
            .iter()
            .map(|(key, entry)| (self.ranked(key, entry, phases.get(key)), entry))
            .collect();
        ranked.sort_by(|(a, x), (b, y)| {
            let rest = || y.recall_count.cmp(&x.recall_count).then_with(|| x.path.cmp(&y.path));
            let order = b.score.total_cmp(&a.score).then_with(rest);
            b.passes().cmp(&a.passes()).then(order).then_with(|| a.key.cmp(&b.key))
        });
        let passing = ranked.iter().filter(|(one, _)| one.passes()).count();
        let mut ranked: Vec<Ranked> = ranked.into_iter().map(|(one, _)| one).collect();
        let cut = (self.config.limit as usize).min(passing);
        ranked[cut..passing].iter_mut().for_each(|one| one.stopped_by.push(Gate::Limit));
        ranked
    }

    fn ranked(&self, key: &str, entry: &RecallEntry, phase: Option<&PhaseSignal>) -> Ranked {
        let config = self.config;
        let signals = Signals::of(entry, self.now, config);
        let phase_boost = phase.map_or(0.0, |phase| phase.boost(self.now, config));
        let sum = signals.score(&config.weights) + phase_boost;
        let mut ranked = Ranked {
            key: key.to_owned(),
            score: unit(sum),
            signals,
            phase_boost,
            recalls: signal_count(entry, config),
            unique_queries: distinct_queries(entry, config),
            age_days: self.age_days(entry),
            stopped_by: Vec::new(),
        };
        ranked.stopped_by = self.gates(entry, &ranked, sum);
        ranked
    }

    /// The gates that an entry fails. The score gate tests the sum before it is clamped to 1, as in the original.
    fn gates(&self, entry: &RecallEntry, ranked: &Ranked, sum: f64) -> Vec<Gate> {
        let config = self.config;
        let fails = [
            (Gate::NotShortTerm, entry.note_day().is_none()),
            (Gate::Promoted, entry.promoted_at.is_some() && !self.include_promoted),
            (Gate::NoRecall, ranked.recalls == 0),
            (Gate::RecallCount, ranked.recalls < config.min_recall_count),
            (Gate::UniqueQueries, ranked.unique_queries < config.min_unique_queries),
            (Gate::Age, ranked.age_days > f64::from(config.age_limit_days())),
            (Gate::Score, sum < config.min_score),
        ];
        fails.into_iter().filter_map(|(gate, fails)| fails.then_some(gate)).collect()
    }

    /// Age in days, since the day of the note or since the last recall. The document measures the first, the original the second.
    fn age_days(&self, entry: &RecallEntry) -> f64 {
        match (self.config.age_measure, entry.note_day()) {
            (AgeMeasure::Note, Some(day)) => f64::from((self.zone.day(self.now).0 - day.0).max(0)),
            _ => entry.age_days(self.now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, instant, now};
    use super::*;

    fn rank(entries: Vec<RecallEntry>, config: &DeepConfig, now: Instant) -> Vec<Ranked> {
        let mut store = RecallStore::default();
        for (number, entry) in entries.into_iter().enumerate() {
            store.entries.insert(format!("k{number}"), entry);
        }
        let zone = Zone::utc();
        Ranking { now, zone: &zone, config, include_promoted: false }.rank(&store, &BTreeMap::new())
    }

    fn strong() -> RecallEntry {
        entry(30, 30.0, 9, &["03-26", "03-28", "03-30", "04-01", "04-05"], 8, 0.0)
    }

    /// The entry of C24 against the seed's threshold.
    #[test]
    fn c26_gate() {
        let ranked = rank(vec![entry(3, 2.1, 3, &["04-01"], 2, 10.0)], &DeepConfig::default(), now());
        assert_eq!(ranked[0].stopped_by, [Gate::Score], "C26");
        let config = DeepConfig { min_score: ranked[0].score, ..DeepConfig::default() };
        let same = rank(vec![entry(3, 2.1, 3, &["04-01"], 2, 10.0)], &config, now());
        assert!(same[0].passes(), "gates are inclusive");
    }

    #[test]
    fn every_gate_stops_an_entry() {
        let weak = entry(0, 0.0, 0, &[], 0, 0.0);
        let mut promoted = strong();
        promoted.promoted_at = Some(promoted.last_recalled_at.clone());
        let mut elsewhere = strong();
        elsewhere.path = "notes/2026-04-03.md".to_owned();
        let mut few = strong();
        few.query_hashes.truncate(2);
        few.recall_count = 2;
        let ranked = rank(vec![weak, promoted, elsewhere, few], &DeepConfig::default(), now());
        let gates = |key: &str| ranked.iter().find(|one| one.key == key).unwrap().stopped_by.clone();
        assert_eq!(gates("k0"), [Gate::NoRecall, Gate::RecallCount, Gate::UniqueQueries, Gate::Score]);
        assert_eq!(gates("k1"), [Gate::Promoted]);
        assert_eq!(gates("k2"), [Gate::NotShortTerm]);
        assert_eq!(gates("k3")[..2], [Gate::RecallCount, Gate::UniqueQueries]);
    }

    /// The note is of 3 April; 30 days later it may be promoted, 31 days later it may not, however lately it was found.
    #[test]
    fn age_is_that_of_the_note_or_of_the_last_recall() {
        let mut found = strong();
        found.last_recalled_at = super::super::time::StoredInstant::read("2026-05-04T00:00:00Z");
        let (seed, recall) =
            (DeepConfig::default(), DeepConfig { age_measure: AgeMeasure::Recall, ..DeepConfig::default() });
        let at = |text, config| rank(vec![found.clone()], config, instant(text))[0].stopped_by.clone();
        assert!(at("2026-05-03T23:00:00Z", &seed).is_empty());
        assert_eq!(at("2026-05-04T01:00:00Z", &seed), [Gate::Age]);
        assert!(at("2026-05-04T01:00:00Z", &recall).is_empty());
        assert_eq!(at("2026-06-04T01:00:00Z", &recall)[0], Gate::Age);
        let unset = DeepConfig { max_age_days: 0, ..DeepConfig::default() };
        assert_eq!(at("2026-05-04T01:00:00Z", &unset), [Gate::Age], "0 stands for the usual 30");
    }

    #[test]
    fn ties_go_by_recalls_and_path_and_the_limit_cuts() {
        let mut late = strong();
        late.path = "memory/2026-04-04.md".to_owned();
        let mut often = late.clone();
        often.recall_count = 40;
        often.total_score = 40.0;
        let config = DeepConfig { limit: 2, ..DeepConfig::default() };
        let ranked = rank(vec![late, strong(), often], &config, now());
        let keys: Vec<&str> = ranked.iter().map(|one| one.key.as_str()).collect();
        assert_eq!(keys, ["k2", "k1", "k0"]);
        assert_eq!(ranked[2].stopped_by, [Gate::Limit]);
    }
}
