//! Deep sleep: an entry that passes the gates is found in its live note, written to long-term memory and marked as promoted (digest section 5). It
//! is promotion from short-term to long-term memory: idempotent by markers, at most `limit` entries a run (default 10; with the whole
//! memory that many new facts, known ones not counted) and besides them those that recovery is surest of, where health is low. A snippet
//! whose text is gone from its note isn't promoted. The note is read again before, because a deleted sentence must not come back. Golems
//! sleep by `promote` (markers alone), the tools for users' files by `promote_with` and the whole memory. Writing files is the caller's.

use super::block::without_blocks;
use super::health::{Recovery, health, health_of_memory, recover};
use super::known::{Known, WORDS_OF_FACT};
use super::live_note::{Part, joined, says_something, weight};
use super::long_term::{Fact, marked_keys, with_facts, without_said};
use super::rank::{Gate, Ranked, Ranking};
use super::relocate::{Found, relocate};
use super::signals::PhaseSignal;
use super::store::RecallStore;
use super::text::words;
use super::time::StoredInstant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A promoted entry: the outcome of the promotion of one fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// Its key in the store.
    pub key: String,
    /// Its score, or its confidence if recovery selected it.
    pub score: f64,
    /// The text in the live note.
    pub snippet: String,
    /// Path and lines of that text.
    pub evidence: String,
    /// Whether long-term memory had it already; only the store was updated then.
    pub reconciled: bool,
    /// Whether recovery selected it.
    pub recovered: bool,
}

/// The result of deep sleep (memory consolidation): the promotions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Promotion {
    /// The promoted entries, in order.
    pub applied: Vec<Applied>,
    /// Number of facts written.
    pub appended: u32,
    /// Number of facts that were in long-term memory already.
    pub reconciled_existing: u32,
    /// Keys of entries whose note is gone or doesn't have the text any more.
    pub stale: Vec<String>,
    /// Health of long-term memory after the promotions, and the result of recovery.
    pub recovery: Recovery,
}

/// The part of long-term memory that new facts are compared with (the scope of deduplication).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// The markers only, as in the original.
    Markers,
    /// The whole text, because a user may have written a fact by hand: a known fact isn't written again, health counts all facts, and promotions
    /// have a moment.
    WholeMemory,
}

/// Ranks the store and promotes the entries that pass (short-term to long-term promotion). Each snippet is searched in its live note
/// (`read_note` by path; `None` for a missing note), added to long-term memory unless its marker is there, and marked in the store. Recovery follows
/// if health is low. Returns the result and the new long-term memory. The caller should write that before the store: if it fails in between, the
/// markers prevent a second writing.
pub fn promote(
    store: &mut RecallStore,
    memory: &str,
    read_note: impl Fn(&str) -> Option<String>,
    ranking: &Ranking<'_>,
    phases: &BTreeMap<String, PhaseSignal>,
) -> (Promotion, String) {
    promote_with(Care::Markers, store, memory, read_note, ranking, phases)
}

/// Promotes as [`promote`] does, with a choice of the part of long-term memory that is compared (deduplication).
pub fn promote_with(
    care: Care,
    store: &mut RecallStore,
    memory: &str,
    read_note: impl Fn(&str) -> Option<String>,
    ranking: &Ranking<'_>,
    phases: &BTreeMap<String, PhaseSignal>,
) -> (Promotion, String) {
    // Entries beyond the limit are kept, because they move up when others are stale.
    let waits = |one: &Ranked| one.stopped_by.iter().all(|gate| *gate == Gate::Limit);
    let fresh = |one: &Ranked| waits(one) && store.entries[&one.key].promoted_at.is_none();
    let chosen: Vec<Ranked> = ranking.rank(store, phases).into_iter().filter(fresh).collect();
    let known = if care == Care::WholeMemory { Known::from_memory(memory) } else { Known::default() };
    let mut writer = Writer { care, store, read_note, ranking, known, done: Promotion::default() };
    let scored = chosen.iter().map(|one| (one.key.as_str(), one.score));
    let memory = writer.write(memory, scored, Some(ranking.config.limit));
    let health = match care {
        Care::Markers => health(writer.store, &memory, ranking.now),
        Care::WholeMemory => health_of_memory(writer.store, &memory, ranking.now),
    };
    let (recovery, rescued) = recover(writer.store, health, ranking.now, &ranking.config.recovery);
    let scored = rescued.iter().map(|one| (one.key.as_str(), one.confidence));
    let memory = writer.write(&memory, scored, None);
    writer.done.recovery = recovery;
    (writer.done, memory)
}

/// One deep sleep under way.
struct Writer<'a, Read> {
    /// What new facts are compared with.
    care: Care,
    /// The entries, which it marks as promoted.
    store: &'a mut RecallStore,
    /// The live note of a path.
    read_note: Read,
    /// Time, zone and thresholds.
    ranking: &'a Ranking<'a>,
    /// Sentences of long-term memory and of facts to be written; not asked with markers alone.
    known: Known,
    /// The result so far.
    done: Promotion,
}

/// The fewest words of a known sentence that is left out of a fact. Our choice, because shorter ones (`Status: done`) mean nothing without their
/// neighbours.
const WORDS_OF_PART: usize = 3;

/// A fact to be written.
struct New {
    /// Its index among the promoted entries.
    place: usize,
    /// The part of the snippet that is to be written.
    text: String,
    /// Path and lines of that part.
    evidence: String,
    /// Keys of facts that it replaces.
    also: Vec<String>,
}

impl<Read: Fn(&str) -> Option<String>> Writer<'_, Read> {
    /// Writes at most `limit` of the chosen entries; without a limit they are those of recovery. Returns the new long-term memory.
    fn write<'k>(
        &mut self,
        memory: &str,
        chosen: impl Iterator<Item = (&'k str, f64)>,
        limit: Option<u32>,
    ) -> String {
        let marked = marked_keys(memory);
        let (mut new, now): (Vec<New>, _) = (Vec::new(), self.ranking.now);
        let begun = self.done.applied.len();
        for (number, (key, score)) in chosen.enumerate() {
            // With whole memory only new facts count towards the limit. In the original stale and known ones count too, so that a few stale entries
            // could block all promotions.
            let used = if self.care == Care::Markers { number } else { new.len() };
            if limit.is_some_and(|limit| used >= limit as usize) {
                break;
            }
            let Some(found) = self.look_up(key) else {
                // Recovery may select an entry that was stale in the first pass.
                if !self.done.stale.iter().any(|known| known == key) {
                    self.done.stale.push(key.to_owned());
                }
                continue;
            };
            let place = self.done.applied.len();
            let fact = if marked.contains(key) {
                None
            } else {
                self.unsaid(&self.store.entries[key].path, &found, place)
            };
            let reconciled = fact.is_none();
            if let Some(mut fact) = fact {
                self.replaces(&mut new, &mut fact);
                self.known.add(&fact.text, &fact.evidence);
                new.push(fact);
            }
            self.apply(key, score, found, reconciled, limit.is_none());
        }
        let reconciled = self.done.applied[begun..].iter().filter(|one| one.reconciled).count() as u32;
        self.done.reconciled_existing += reconciled;
        self.done.appended += new.len() as u32;
        let promoted_at = (self.care == Care::WholeMemory).then_some(now);
        let mut memory = memory.to_owned();
        for fact in new.iter_mut().filter(|_| self.care == Care::WholeMemory) {
            let mut says = Known::default();
            says.add(&fact.text, &fact.evidence);
            let (kept, said) = without_said(&memory, |text| says.holds(text, "", WORDS_OF_FACT));
            fact.also.extend(said.into_iter().map(str::to_owned));
            memory = kept;
        }
        let facts = new.iter().map(|new| {
            let applied = &self.done.applied[new.place];
            let entry = &self.store.entries[&applied.key];
            Fact {
                key: &applied.key,
                also: &new.also,
                snippet: &new.text,
                score: applied.score,
                recalls: entry.recall_count,
                average: entry.average_score(),
                source: &new.evidence,
                recovered: limit.is_none(),
                promoted_at,
            }
        });
        let facts: Vec<Fact<'_>> = facts.collect();
        with_facts(&memory, self.ranking.zone.day(now), &facts)
    }

    fn look_up(&self, key: &str) -> Option<Found> {
        let entry = &self.store.entries[key];
        // Without the blocks of phases, because they quote sentences that the user may have deleted.
        let note = without_blocks(&(self.read_note)(&entry.path)?);
        relocate(&note, entry.start_line, entry.end_line, &entry.snippet)
    }

    /// The part of a fact that isn't in long-term memory yet; `None` when all of it is.
    fn unsaid(&self, path: &str, found: &Found, place: usize) -> Option<New> {
        let new = |text: &str, from: u32, to: u32| New {
            place,
            text: text.to_owned(),
            evidence: format!("{path}:{from}-{to}"),
            also: Vec::new(),
        };
        let whole = new(&found.text, found.start_line, found.end_line);
        if self.care == Care::Markers {
            return Some(whole);
        }
        let said = |part: &Part| {
            let at = format!("{path}:{0}-{0}", part.line);
            // Only whole parts are left out, never a phrase inside of a sentence.
            weight(&words(&part.text)) >= WORDS_OF_PART && self.known.holds(&part.text, &at, WORDS_OF_PART)
        };
        let parts: Vec<Part> = found.parts.iter().filter(|part| !said(part)).cloned().collect();
        // Tested with the whole text, because it has the heading above its parts.
        if self.known.holds(&found.text, &whole.evidence, WORDS_OF_FACT) {
            return None;
        }
        if found.parts.len() < 2 || parts.len() == found.parts.len() {
            return Some(whole);
        }
        if !says_something(&parts) {
            return None;
        }
        let (first, last) = (parts.first()?, parts.last()?);
        Some(new(&joined(&parts), first.line, last.line))
    }

    /// Removes new facts that a longer new fact contains. Their entries count as reconciled, and the longer fact gets their markers.
    fn replaces(&mut self, new: &mut Vec<New>, fact: &mut New) {
        if self.care == Care::Markers {
            return;
        }
        let mut says = Known::default();
        says.add(&fact.text, &fact.evidence);
        let done = &mut self.done.applied;
        new.retain_mut(|one| {
            let said = says.holds(&one.text, &one.evidence, WORDS_OF_FACT);
            if said {
                done[one.place].reconciled = true;
                fact.also.push(done[one.place].key.clone());
                fact.also.append(&mut one.also);
            }
            !said
        });
    }

    fn apply(&mut self, key: &str, score: f64, found: Found, reconciled: bool, recovered: bool) {
        let now = self.ranking.now;
        let entry = self.store.entries.get_mut(key).expect("a ranked or recovered entry is in this store");
        (entry.start_line, entry.end_line) = (found.start_line, found.end_line);
        entry.snippet.clone_from(&found.text);
        entry.promoted_at = Some(StoredInstant::At(now));
        let evidence = entry.evidence();
        let (key, snippet) = (key.to_owned(), found.text);
        self.done.applied.push(Applied { key, score, snippet, evidence, reconciled, recovered });
        self.store.updated_at = Some(now);
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

    /// An entry of six recalls with high scores on three days, the last one twelve hours ago.
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

    fn asleep(
        care: Care,
        store: &mut RecallStore,
        memory: &str,
        notes: impl Fn(&str) -> Option<String>,
        config: &DeepConfig,
    ) -> (Promotion, String) {
        let ranking = Ranking { now: now(), zone: &Zone::utc(), config, include_promoted: false };
        promote_with(care, store, memory, notes, &ranking, &BTreeMap::new())
    }

    fn sleep(store: &mut RecallStore, memory: &str) -> (Promotion, String) {
        // Recovery has tests of its own.
        let recovery = super::super::config::RecoveryConfig { enabled: false, ..Default::default() };
        asleep(Care::Markers, store, memory, note, &DeepConfig { recovery, ..DeepConfig::default() })
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
        assert_eq!(kept.promoted_at, Some(StoredInstant::At(now())));
        assert!(store.entries["memory:memory/2026-04-02.md:1:1"].promoted_at.is_none(), "stale");

        let (second, again) = sleep(&mut store, &memory);
        assert!(second.applied.is_empty() && again == memory, "a second apply gives 0");
    }

    /// An entry below the promotion score and above the recovery confidence is written with a remark, and a stale entry is listed once.
    #[test]
    fn low_health_recovers_entries_of_high_confidence() {
        let mut store = store();
        for entry in store.entries.values_mut() {
            entry.concept_tags = (0..6).map(|n| format!("tag{n}")).collect();
        }
        let strict = DeepConfig { min_score: 1.0, ..DeepConfig::default() };
        let (done, memory) = asleep(Care::Markers, &mut store, "", note, &strict);
        assert!(done.recovery.ran && done.recovery.health == 0.0);
        assert_eq!((done.applied.len(), done.stale.len()), (1, 1));
        assert!(done.applied[0].recovered && (done.applied[0].score - 0.9775).abs() < 1e-12);
        assert!(memory.contains("source=memory/2026-04-03.md:4-4 recovered]"), "{memory}");
        let (done, _) = asleep(Care::Markers, &mut store, &memory, note, &DeepConfig::default());
        assert_eq!((done.applied.len(), done.stale.len()), (0, 1), "ranked and recovered, and gone");
    }

    fn sleep_with_care(
        store: &mut RecallStore,
        memory: &str,
        notes: &[(&str, &str)],
        limit: u32,
    ) -> (Promotion, String) {
        let config = DeepConfig { limit, ..DeepConfig::default() };
        let read =
            |path: &str| notes.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        asleep(Care::WholeMemory, store, memory, read, &config)
    }

    const CHUNKS: &str = "# Thu\n\nRouter restarted at noon\nVLAN ten is for guests\nThe lease ends in June\nBo fixed the printer\n";

    /// Search chunks of one note overlap: every sentence is written once, and none is lost, in any order of the chunks.
    #[test]
    fn overlapping_chunks_are_written_once() {
        for order in [[(3, 6), (3, 4), (4, 4)], [(4, 4), (3, 4), (3, 6)], [(3, 4), (4, 6), (4, 4)]] {
            let mut store = RecallStore::default();
            for (place, (from, to)) in order.into_iter().enumerate() {
                let text = CHUNKS.lines().skip(from - 1).take(to - from + 1).collect::<Vec<_>>().join(" ");
                let mut entry = good("memory/2026-04-03.md", &text, 6);
                (entry.start_line, entry.end_line) = (from as u32, to as u32);
                // The first is the strongest.
                entry.recall_count += 3 - place as u32;
                entry.total_score = 0.95 * f64::from(entry.recall_count);
                store.entries.insert(RecallEntry::key(&entry.path, entry.start_line, entry.end_line), entry);
            }
            let notes = [("memory/2026-04-03.md", CHUNKS)];
            let (done, memory) = sleep_with_care(&mut store, "", &notes, 10);
            for sentence in CHUNKS.lines().skip(2) {
                assert_eq!(memory.matches(sentence).count(), 1, "{sentence}: {memory}");
            }
            assert_eq!((done.applied.len(), done.stale.len()), (3, 0));
            assert!(store.entries.values().all(|entry| entry.promoted_at.is_some()), "each is settled");
            let (again, same) = sleep_with_care(&mut store, &memory, &notes, 10);
            assert!(again.applied.is_empty() && same == memory);
        }
    }

    #[test]
    fn a_fact_written_by_hand_is_not_written_again() {
        let mut store = store();
        let (done, memory) = sleep_with_care(
            &mut store,
            "# Mine\n\n* VLAN ten is for guests.\n",
            &[("memory/2026-04-03.md", NOTE)],
            10,
        );
        assert_eq!((done.applied.len(), done.appended, done.reconciled_existing), (1, 0, 1));
        assert_eq!(memory, "# Mine\n\n* VLAN ten is for guests.\n");
    }

    /// A longer fact replaces a promoted one that it contains and gets its marker; a fact written by hand stays.
    #[test]
    fn a_longer_fact_replaces_the_one_that_it_contains() {
        let (mut store, note) = (store(), "VLAN ten is for guests and has no DNS\n");
        let (_, memory) =
            sleep_with_care(&mut store, "# Mine\n\n- by hand\n", &[("memory/2026-04-03.md", NOTE)], 10);
        let path = "memory/2026-04-04.md";
        store.entries.insert("longer".to_owned(), good(path, note.trim(), 6));
        let (done, memory) = sleep_with_care(&mut store, &memory, &[(path, note)], 10);
        assert_eq!((done.appended, memory.matches("VLAN ten is for guests").count()), (1, 1), "{memory}");
        let keys = marked_keys(&memory);
        assert!(keys.contains("longer") && keys.contains("memory:memory/2026-04-03.md:1:1"));
        assert!(memory.contains("- by hand"));
        assert_eq!(super::super::long_term::written(&memory).len(), 2);
        let (again, same) = sleep_with_care(&mut store, &memory, &[(path, note)], 10);
        assert!(again.applied.is_empty() && same == memory);
    }

    /// Of two entries one is stale, and the limit is one.
    #[test]
    fn a_stale_entry_does_not_count_towards_the_limit() {
        let mut store = store();
        let printer = store.entries.get_mut("memory:memory/2026-04-02.md:1:1").unwrap();
        (printer.recall_count, printer.total_score) = (10, 9.9);
        let (done, memory) = sleep_with_care(&mut store, "", &[("memory/2026-04-03.md", NOTE)], 1);
        assert_eq!((done.appended, done.stale.len()), (1, 1));
        assert!(memory.contains("promoted=2026-04-05T03:00:00.000Z]"), "{memory}");
    }

    /// The store was lost after long-term memory was written: the fact is not written twice.
    #[test]
    fn a_marked_entry_is_only_reconciled() {
        let (_, memory) = sleep(&mut store(), "");
        let mut restored = store();
        let (done, again) = sleep(&mut restored, &memory);
        assert_eq!((done.applied.len(), done.appended, done.reconciled_existing), (1, 0, 1));
        assert_eq!(again, memory);
        assert!(restored.entries["memory:memory/2026-04-03.md:1:1"].promoted_at.is_some());
    }
}
