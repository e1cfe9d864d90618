//! Deep sleep: what passes the gates is looked up in its live note, written to long-term memory and marked (digest section 5).

use super::block::without_blocks;
use super::health::{Recovery, recover};
use super::long_term::{Fact, marked_keys, with_facts};
use super::rank::{Ranked, Ranking};
use super::relocate::relocate;
use super::signals::PhaseSignal;
use super::store::RecallStore;
use super::time::Stamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that was promoted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// Its key in the store.
    pub key: String,
    /// Its score; its confidence, if it was recovered.
    pub score: f64,
    /// The text that was kept.
    pub snippet: String,
    /// Where that stands now.
    pub evidence: String,
    /// Whether its marker was there already, so that only the store had to learn of it.
    pub reconciled: bool,
    /// Whether it was written because long-term memory was thin.
    pub recovered: bool,
}

/// What deep sleep did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Promotion {
    /// What was promoted, in order.
    pub applied: Vec<Applied>,
    /// How many facts were written.
    pub appended: u32,
    /// How many were there already.
    pub reconciled_existing: u32,
    /// Keys whose text is no longer in its note, or whose note is gone.
    pub stale: Vec<String>,
    /// How healthy long-term memory was afterwards, and what was done about it.
    pub recovery: Recovery,
}

/// Ranks the store as it is now, and promotes what passes: the snippet is looked up in its live note (`read_note`, by path; none
/// when there is no such note), added to long-term memory unless its marker is there, and marked in the store. Then
/// recovery, if memory is thin. Returns what was done and the new long-term memory; the old one is not changed, so that a
/// caller can write it first and the store after it.
pub fn promote(
    store: &mut RecallStore,
    memory: &str,
    read_note: impl Fn(&str) -> Option<String>,
    ranking: &Ranking<'_>,
    phases: &BTreeMap<String, PhaseSignal>,
) -> (Promotion, String) {
    let fresh = |one: &Ranked| one.passes() && store.entries[&one.key].promoted_at.is_none();
    let chosen: Vec<Ranked> = ranking.rank(store, phases).into_iter().filter(fresh).collect();
    let mut writer = Writer { store, read_note, ranking, done: Promotion::default() };
    let scored = chosen.iter().map(|one| (one.key.as_str(), one.score));
    let memory = writer.write(memory, scored, false);
    let (recovery, rescued) = recover(writer.store, &memory, ranking.now, &ranking.config.recovery);
    let scored = rescued.iter().map(|one| (one.key.as_str(), one.confidence));
    let memory = writer.write(&memory, scored, true);
    writer.done.recovery = recovery;
    (writer.done, memory)
}

struct Writer<'a, Read> {
    store: &'a mut RecallStore,
    read_note: Read,
    ranking: &'a Ranking<'a>,
    done: Promotion,
}

impl<Read: Fn(&str) -> Option<String>> Writer<'_, Read> {
    fn write<'k>(
        &mut self,
        memory: &str,
        chosen: impl Iterator<Item = (&'k str, f64)>,
        recovered: bool,
    ) -> String {
        let known = marked_keys(memory);
        let (mut new, now) = (Vec::new(), self.ranking.now);
        for (key, score) in chosen {
            let entry = self
                .store
                .entries
                .get_mut(key)
                .expect("what is ranked or recovered is of this store, which nobody else holds");
            let note = (self.read_note)(&entry.path);
            // What phases have written quotes what may be deleted by now.
            let note = note.map(|note| without_blocks(&note));
            let found =
                note.and_then(|note| relocate(&note, entry.start_line, entry.end_line, &entry.snippet));
            let Some(found) = found else {
                // Recovery may think of what was stale already.
                if !self.done.stale.iter().any(|known| known == key) {
                    self.done.stale.push(key.to_owned());
                }
                continue;
            };
            (entry.start_line, entry.end_line) = (found.start_line, found.end_line);
            entry.snippet.clone_from(&found.text);
            entry.promoted_at = Some(Stamp::At(now));
            let reconciled = known.contains(key);
            if reconciled {
                self.done.reconciled_existing += 1;
            } else {
                self.done.appended += 1;
                new.push(self.done.applied.len());
            }
            let (key, evidence) = (key.to_owned(), entry.evidence());
            self.done.applied.push(Applied {
                key,
                score,
                snippet: found.text,
                evidence,
                reconciled,
                recovered,
            });
            self.store.updated_at = Some(now);
        }
        let fact = |place: usize| {
            let applied = &self.done.applied[place];
            let entry = &self.store.entries[&applied.key];
            Fact {
                key: &applied.key,
                snippet: &applied.snippet,
                score: applied.score,
                recalls: entry.recall_count,
                average: entry.average_score(),
                source: &applied.evidence,
                recovered,
            }
        };
        let facts: Vec<Fact<'_>> = new.into_iter().map(fact).collect();
        with_facts(memory, self.ranking.zone.day(now), &facts)
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::DeepConfig;
    use super::super::entry::RecallEntry;
    use super::super::entry::tests::{entry, now};
    use super::super::time::Zone;
    use super::*;

    const NOTE: &str = "# Friday\n\nRouter is new\nVLAN ten is for guests\n";

    /// Six recalls that answered well, on three days, the last twelve hours ago.
    fn good(path: &str, snippet: &str, tags: usize) -> RecallEntry {
        let mut entry = entry(6, 5.7, 5, &["04-02", "04-03", "04-04"], tags, 0.5);
        entry.path = path.to_owned();
        entry.snippet = snippet.to_owned();
        entry
    }

    fn store() -> RecallStore {
        let mut store = RecallStore::default();
        for (path, snippet, tags) in [
            ("memory/2026-04-03.md", "VLAN ten is for guests", 4),
            ("memory/2026-04-02.md", "The printer has moved", 3),
        ] {
            store.entries.insert(RecallEntry::key(path, 1, 1), good(path, snippet, tags));
        }
        store
    }

    fn note(path: &str) -> Option<String> {
        match path {
            "memory/2026-04-03.md" => Some(NOTE.to_owned()),
            "memory/2026-04-02.md" => Some("# Thursday\nNothing\n".to_owned()),
            _ => None,
        }
    }

    fn sleep(store: &mut RecallStore, memory: &str) -> (Promotion, String) {
        let config = DeepConfig {
            // Its own tests are elsewhere.
            recovery: super::super::config::RecoveryConfig { enabled: false, ..Default::default() },
            ..DeepConfig::default()
        };
        let zone = Zone::utc();
        let ranking = Ranking { now: now(), zone: &zone, config: &config, include_promoted: false };
        promote(store, memory, note, &ranking, &BTreeMap::new())
    }

    /// The digest's apply vector, with its two scores.
    #[test]
    fn the_apply_vector() {
        let mut store = store();
        let zone = Zone::utc();
        let config = DeepConfig::default();
        let ranking = Ranking { now: now(), zone: &zone, config: &config, include_promoted: false };
        let scores: Vec<f64> = ranking.rank(&store, &BTreeMap::new()).iter().map(|one| one.score).collect();
        assert!((scores[0] - 0.866_495).abs() < 1e-6 && (scores[1] - 0.856_495).abs() < 1e-6, "{scores:?}");

        let (first, memory) = sleep(&mut store, "");
        assert_eq!((first.applied.len(), first.appended, first.reconciled_existing), (1, 1, 0));
        assert_eq!(first.applied[0].evidence, "memory/2026-04-03.md:4-4");
        assert_eq!(first.stale, ["memory:memory/2026-04-02.md:1:1"]);
        assert!(memory.contains("[score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4]"));
        let kept = &store.entries["memory:memory/2026-04-03.md:1:1"];
        assert_eq!((kept.start_line, kept.end_line), (4, 4), "the stored line becomes 4");
        assert_eq!(kept.promoted_at, Some(Stamp::At(now())));
        assert!(store.entries["memory:memory/2026-04-02.md:1:1"].promoted_at.is_none(), "stale");

        let (second, again) = sleep(&mut store, &memory);
        assert!(second.applied.is_empty() && again == memory, "a second apply gives 0");
    }

    /// An entry too weak to be promoted and sure enough to be recovered is written, and says so; what is stale is so only once.
    #[test]
    fn a_thin_memory_recovers_what_is_sure() {
        let mut store = store();
        for entry in store.entries.values_mut() {
            entry.concept_tags = (0..6).map(|n| format!("tag{n}")).collect();
        }
        let config = DeepConfig { min_score: 1.0, ..DeepConfig::default() };
        let zone = Zone::utc();
        let ranking = Ranking { now: now(), zone: &zone, config: &config, include_promoted: false };
        let (done, memory) = promote(&mut store, "", note, &ranking, &BTreeMap::new());
        assert!(done.recovery.ran && done.recovery.health == 0.0);
        assert_eq!((done.applied.len(), done.stale.len()), (1, 1));
        assert!(done.applied[0].recovered && (done.applied[0].score - 0.9775).abs() < 1e-12);
        assert!(memory.contains("source=memory/2026-04-03.md:4-4 recovered]"), "{memory}");
        let lenient = DeepConfig::default();
        let ranking = Ranking { config: &lenient, ..ranking };
        let (done, _) = promote(&mut store, &memory, note, &ranking, &BTreeMap::new());
        assert_eq!((done.applied.len(), done.stale.len()), (0, 1), "ranked and recovered, and gone");
    }

    /// The store was lost after long-term memory was written: the fact is not written twice.
    #[test]
    fn what_is_marked_is_only_reconciled() {
        let (_, memory) = sleep(&mut store(), "");
        let mut restored = store();
        let (done, again) = sleep(&mut restored, &memory);
        assert_eq!((done.applied.len(), done.appended, done.reconciled_existing), (1, 0, 1));
        assert_eq!(again, memory);
        assert!(restored.entries["memory:memory/2026-04-03.md:1:1"].promoted_at.is_some());
    }
}
