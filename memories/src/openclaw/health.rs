//! Health of long-term memory, confidence in an entry, and recovery of entries when health is low. The document names the keys of
//! recovery and has no formula for health; the formula is the digest's proposal (section 6). Confidence is that of section 8; it also
//! orders the truths of REM sleep, and is that of the lessons a dying golem leaves. All of them are scores from 0 to 1, with ages in
//! days. Health falls when facts age, because an old memory may be untrue. Deep sleep asks for it after its promotions; below the
//! threshold (default .35) recovery writes what it is surest of and names the next for a review. Golems count marked facts alone
//! (`health`), users' files all facts (`health_of_memory`), which the status shows as well.

use super::config::RecoveryConfig;
use super::entry::{RecallEntry, unit};
use super::long_term::{held, marked_keys};
use super::store::RecallStore;
use super::time::Instant;
use morta_base::math;
use serde::{Deserialize, Serialize};

/// Number of facts from which their count doesn't raise health any more. Our choice, because the document defines no health: two full runs
/// of ten promotions reach it.
const ENOUGH_FACTS: f64 = 20.0;
/// Half-life of a fact's freshness, in days. Our choice: five fresh facts have a health of 0.55, and after 60 days of 0.35, the recovery threshold.
const FRESH_DAYS: f64 = 60.0;

/// Health score of long-term memory, 0 to 1: 0.6·min(1, L/20) + 0.4·(mean over the L live facts of 2^(−age/60 d)), the age counted from
/// promotion; 0 without facts. A fact is live when its entry is promoted and its marker is in long-term memory. One with an unreadable date
/// has age 0.
pub fn health(store: &RecallStore, memory: &str, now: Instant) -> f64 {
    let marked = marked_keys(memory);
    let live = store.entries.iter().filter(|(key, _)| marked.contains(key.as_str()));
    let ages: Vec<f64> = live
        .filter_map(|(_, entry)| entry.promoted_at.as_ref())
        .map(|stamp| stamp.instant().map_or(0.0, |promoted| now.days_since(promoted).max(0.0)))
        .collect();
    health_from_ages(&ages)
}

/// Health of a long-term memory that a user writes in: every fact is live, whether its entry is in the store or not. The age of a promoted
/// fact is that of its entry, or without one that of its own date. A fact written by hand has age 0, because its writer maintains the file.
pub fn health_of_memory(store: &RecallStore, memory: &str, now: Instant) -> f64 {
    let age = |promoted: Instant| now.days_since(promoted).max(0.0);
    let facts = held(memory).into_iter().map(|fact| {
        let entry = fact.key.and_then(|key| store.entries.get(key));
        let stamp = entry.and_then(|entry| entry.promoted_at.as_ref()?.instant());
        stamp.or(fact.promoted_at).map_or(0.0, age)
    });
    health_from_ages(&facts.collect::<Vec<_>>())
}

fn health_from_ages(ages_days: &[f64]) -> f64 {
    if ages_days.is_empty() {
        return 0.0;
    }
    let live = ages_days.len() as f64;
    let fresh: f64 = ages_days.iter().map(|age| math::half_life_decay(*age, FRESH_DAYS)).sum();
    0.6 * (live / ENOUGH_FACTS).min(1.0) + 0.4 * fresh / live
}

/// Confidence in an entry, 0 to 1: 0.45·average score + 0.25·min(1, ln(1+n)/ln 7) + 0.20·min(1, days/3) + 0.10·min(1, tags/6). The formula
/// is that of a later release of the original.
pub fn truth_confidence(entry: &RecallEntry) -> f64 {
    let recalls = unit(math::ln_1p(f64::from(entry.recall_count)) / math::ln(7.0));
    let days = unit(entry.recall_days.len() as f64 / 3.0);
    let tags = unit(entry.concept_tags.len() as f64 / 6.0);
    0.45 * entry.average_score() + 0.25 * recalls + 0.20 * days + 0.10 * tags
}

/// An entry that recovery selects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rescued {
    /// Its key in the store.
    pub key: String,
    /// Confidence in it, 0 to 1 ([`truth_confidence`]).
    pub confidence: f64,
}

/// The result of recovery: whether it ran, the health before it, and a review list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recovery {
    /// Health of long-term memory before it.
    pub health: f64,
    /// Whether recovery ran.
    pub ran: bool,
    /// Candidates for a review by the user: their confidence is high, but below that for writing without one.
    pub for_review: Vec<Rescued>,
}

/// Selects unpromoted entries of daily notes that were recalled lately and have enough confidence, the highest first (recovery by a
/// confidence threshold). Returns the result, and separately the entries to be written. It doesn't run when it is disabled or health is at
/// least the threshold.
pub fn recover(
    store: &RecallStore,
    health: f64,
    now: Instant,
    config: &RecoveryConfig,
) -> (Recovery, Vec<Rescued>) {
    if !config.enabled || health >= config.trigger_below_health {
        return (Recovery { health, ..Recovery::default() }, Vec::new());
    }
    let candidates = store.entries.iter().filter(|(_, entry)| {
        entry.promoted_at.is_none()
            && entry.note_day().is_some()
            && entry.recalled_within(config.lookback_days, now)
    });
    let rescued = |(key, entry): (&String, &RecallEntry)| Rescued {
        key: key.clone(),
        confidence: truth_confidence(entry),
    };
    let mut rescued: Vec<Rescued> = candidates.map(rescued).collect();
    rescued.retain(|one| one.confidence >= config.min_recovery_confidence);
    // Stable, so that equal ones keep the order of their keys, and the algorithm of the sort doesn't decide what is written.
    rescued.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    rescued.truncate(config.max_recovered_candidates as usize);
    let sure = rescued.partition_point(|one| one.confidence >= config.auto_write_min_confidence);
    let for_review = rescued.split_off(sure);
    (Recovery { health, ran: true, for_review }, rescued)
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, now};
    use super::super::long_term::{Fact, with_facts};
    use super::super::time::{StoredInstant, Zone};
    use super::*;

    #[test]
    fn the_health_vectors() {
        for (live, age, expected) in [(0, 0.0, 0.0), (5, 0.0, 0.55), (5, 60.0, 0.35), (2, 120.0, 0.16)] {
            let found = health_from_ages(&vec![age; live]);
            assert!((found - expected).abs() < 1e-12, "L = {live}, age {age} d: {found}");
        }
        assert!((health_from_ages(&[0.0; 40]) - 1.0).abs() < 1e-12);
    }

    fn promoted(memory: &mut String, store: &mut RecallStore, key: &str) {
        let mut fact = entry(1, 1.0, 1, &["04-01"], 1, 0.0);
        fact.promoted_at = Some(StoredInstant::At(now().days_earlier(60)));
        store.entries.insert(key.to_owned(), fact);
        let fact = Fact {
            key,
            also: &[],
            snippet: "a fact",
            score: 0.9,
            recalls: 1,
            average: 1.0,
            source: "memory/2026-04-03.md:1-1",
            recovered: false,
            promoted_at: None,
        };
        *memory = with_facts(memory, Zone::utc().day(now()), &[fact]);
    }

    #[test]
    fn facts_are_live_while_their_markers_are_there() {
        let (mut memory, mut store) = (String::new(), RecallStore::default());
        for number in 0..5 {
            promoted(&mut memory, &mut store, &format!("memory:memory/2026-04-03.md:{number}:1"));
        }
        assert!((health(&store, &memory, now()) - 0.35).abs() < 1e-12);
        let (recovery, _) =
            recover(&store, health(&store, &memory, now()), now(), &RecoveryConfig::default());
        assert!(!recovery.ran, ".35 is not below .35");
        assert_eq!(health(&store, "", now()), 0.0, "without markers there are no facts");
    }

    #[test]
    fn c35_to_c36_truth_confidence() {
        for (id, entry, expected) in [
            ("C35", entry(6, 5.7, 0, &["04-01", "04-02", "04-03"], 6, 0.0), 0.9775),
            ("C36", entry(2, 1.2, 0, &["04-01"], 3, 0.0), 0.527810425),
        ] {
            let found = truth_confidence(&entry);
            assert!((found - expected).abs() < 1e-9, "{id}: {found}, expected {expected}");
        }
        assert_eq!(truth_confidence(&entry(0, 0.0, 0, &[], 0, 0.0)), 0.0);
    }

    #[test]
    fn the_highest_confidence_is_written_and_the_next_is_for_review() {
        let days = ["04-01", "04-02", "04-03"];
        let mut store = RecallStore::default();
        let mut put = |key: &str, entry: RecallEntry| drop(store.entries.insert(key.to_owned(), entry));
        put("sure", entry(6, 5.7, 0, &days, 6, 0.0));
        put("b, fairly sure", entry(6, 5.4, 0, &days, 5, 0.0));
        put("a, fairly sure", entry(6, 5.4, 0, &days, 5, 0.0));
        put("unsure", entry(2, 1.2, 0, &days, 3, 0.0));
        put("long ago", entry(6, 6.0, 0, &days, 6, 31.0));
        let config = RecoveryConfig::default();
        let (recovery, written) = recover(&store, 0.0, now(), &config);
        let keys = |list: &[Rescued]| list.iter().map(|one| one.key.clone()).collect::<Vec<_>>();
        assert!(recovery.ran && recovery.health == 0.0);
        assert_eq!(keys(&written), ["sure"]);
        assert_eq!(keys(&recovery.for_review), ["a, fairly sure", "b, fairly sure"]);
        let few = RecoveryConfig { max_recovered_candidates: 2, ..config.clone() };
        assert_eq!(keys(&recover(&store, 0.0, now(), &few).0.for_review), ["a, fairly sure"]);
        let off = RecoveryConfig { enabled: false, ..config };
        assert_eq!(recover(&store, 0.0, now(), &off).1, []);
    }
}
