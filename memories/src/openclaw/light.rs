//! Light sleep: stages the entries that were recalled lately, deduplicated, the best first (digest section 7). It is deduplication by
//! Jaccard similarity, 0 to 1, and single-linkage clustering; it changes no entry of the store. In the default order, by score, duplicates
//! are merged before the cut, because they would otherwise take several places; in the original's, by recency, the cut comes first. REM
//! sleep takes `dedupe` from here for its lasting truths. On users' files the candidates become a block in the daily note, a report, or
//! both (`storage`); for a golem each is a hit that raises its later score, where `light_boost` is above 0.

use super::config::{LightConfig, LightOrder};
use super::entry::RecallEntry;
use super::sentence::as_item;
use super::store::RecallStore;
use super::text::Comparable;
use super::time::Instant;
use serde::{Deserialize, Serialize};

/// A staged entry: a candidate in the staging area, with its duplicates and its cluster number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StagedCandidate {
    /// Key of the entry.
    pub key: String,
    /// The entry, merged with its duplicates.
    pub entry: RecallEntry,
    /// Keys of its duplicates.
    pub duplicates: Vec<String>,
    /// Number of its group, from 0: similar candidates share one. Only for display.
    pub group: u32,
}

/// The range in which duplicates are searched (the scope of deduplication).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The entries of one note, as in the original.
    Note,
    /// The entries of all notes, because a user may write the same sentence on two days.
    Notes,
}

/// Stages the candidates of light sleep from a store, in order, without duplicates. Of duplicates in a note the first by key is kept.
pub fn light(store: &RecallStore, now: Instant, config: &LightConfig) -> Vec<StagedCandidate> {
    light_of(store.entries.iter().map(|(key, entry)| (key.as_str(), entry)), now, config, Among::Note)
}

/// Stages candidates as [`light`] does, from entries in the caller's order: of duplicates the first is kept.
pub fn light_of<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a RecallEntry)>,
    now: Instant,
    config: &LightConfig,
    among: Among,
) -> Vec<StagedCandidate> {
    let recent = entries.into_iter().filter(|(_, entry)| entry.recalled_within(config.lookback_days, now));
    let mut recent: Vec<(&str, &RecallEntry)> = recent.collect();
    let limit = config.limit as usize;
    let mut candidates = match config.order {
        LightOrder::Score => {
            let mut candidates = dedupe(recent, config.dedupe_similarity, among);
            candidates.sort_by(|a, b| {
                let score = b.entry.average_score().total_cmp(&a.entry.average_score());
                score.then_with(|| last(&b.entry).cmp(&last(&a.entry))).then_with(|| a.key.cmp(&b.key))
            });
            candidates.truncate(limit);
            candidates
        }
        LightOrder::Recency => {
            recent.sort_by(|(a, x), (b, y)| {
                let recalls = y.recall_count.cmp(&x.recall_count);
                last(y).cmp(&last(x)).then(recalls).then_with(|| a.cmp(b))
            });
            recent.truncate(limit);
            dedupe(recent, config.dedupe_similarity, among)
        }
    };
    group(&mut candidates, config.cluster_similarity);
    candidates
}

fn last(entry: &RecallEntry) -> Option<Instant> {
    entry.last_recalled_at.instant()
}

/// Merges each entry into the first kept one with at least this similarity (near-duplicate merging). It is compared with the kept entry's own
/// snippet, as in the original. REM sleep makes its lasting truths by it too, at a similarity of its own.
pub fn dedupe(entries: Vec<(&str, &RecallEntry)>, similarity: f64, among: Among) -> Vec<StagedCandidate> {
    let mut kept: Vec<(Comparable, StagedCandidate)> = Vec::new();
    for (key, entry) in entries {
        let text = Comparable::new(&entry.snippet);
        let same = kept.iter_mut().find(|(known, candidate)| {
            (among == Among::Notes || candidate.entry.path == entry.path)
                && known.jaccard(&text) >= similarity
        });
        match same {
            Some((_, candidate)) => {
                merge(&mut candidate.entry, entry);
                candidate.duplicates.push(key.to_owned());
            }
            None => {
                let (key, entry) = (key.to_owned(), entry.clone());
                kept.push((text, StagedCandidate { key, entry, duplicates: Vec::new(), group: 0 }));
            }
        }
    }
    kept.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Merges an entry into a kept one, as in the original. Counts and scores become the larger of the two instead of their sum, so that
/// the average may exceed both. Lists are united.
fn merge(kept: &mut RecallEntry, other: &RecallEntry) {
    kept.recall_count = kept.recall_count.max(other.recall_count);
    kept.total_score = kept.total_score.max(other.total_score);
    kept.max_score = kept.max_score.max(other.max_score);
    unite(&mut kept.query_hashes, &other.query_hashes);
    unite(&mut kept.concept_tags, &other.concept_tags);
    unite(&mut kept.recall_days, &other.recall_days);
    kept.recall_days.sort_unstable();
    if last(other) > last(kept) {
        kept.last_recalled_at = other.last_recalled_at.clone();
    }
}

fn unite<T: PartialEq + Clone>(list: &mut Vec<T>, other: &[T]) {
    for item in other {
        if !list.contains(item) {
            list.push(item.clone());
        }
    }
}

/// Groups candidates by single linkage: a candidate is in a group if it is similar to one of its members. Groups are numbered by their first
/// candidate. The rule is ours, because the document asks for clusters and has none.
fn group(candidates: &mut [StagedCandidate], similarity: f64) {
    let texts: Vec<Comparable> = candidates.iter().map(|one| Comparable::new(&one.entry.snippet)).collect();
    let mut groups: Vec<usize> = (0..candidates.len()).collect();
    for a in 0..texts.len() {
        for b in a + 1..texts.len() {
            let (one, other) = (groups[a], groups[b]);
            if one != other && texts[a].jaccard(&texts[b]) >= similarity {
                let (low, high) = (one.min(other), one.max(other));
                groups.iter_mut().filter(|group| **group == high).for_each(|group| *group = low);
            }
        }
    }
    let mut numbers: Vec<usize> = Vec::new();
    for (candidate, first) in candidates.iter_mut().zip(groups) {
        let known = numbers.iter().position(|number| *number == first);
        candidate.group = known.unwrap_or_else(|| {
            numbers.push(first);
            numbers.len() - 1
        }) as u32;
    }
}

/// The most other members of its cluster that a candidate's line names. Our choice, so that the line stays short.
const NAMED: usize = 3;

/// Writes the body of the Markdown block in the daily note: five lines a candidate, and a sixth with its cluster if that has other members.
/// `block` recognises candidates outside of markers by the beginnings of these lines.
pub fn body(candidates: &[StagedCandidate]) -> Vec<String> {
    if candidates.is_empty() {
        return vec!["- Nothing notable.".to_owned()];
    }
    let lines = |candidate: &StagedCandidate| {
        let entry = &candidate.entry;
        let mut lines = vec![
            format!("- Candidate: {}", as_item(&entry.snippet)),
            format!("  - confidence: {:.2}", entry.average_score()),
            format!("  - evidence: {}", entry.evidence()),
            format!("  - recalls: {}", entry.recall_count),
            "  - status: staged".to_owned(),
        ];
        let others = candidates.iter().filter(|one| one.group == candidate.group && one.key != candidate.key);
        let others: Vec<String> = others.map(|one| one.entry.evidence()).collect();
        if !others.is_empty() {
            let more = others.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let named = others[..others.len().min(NAMED)].join(", ");
            lines.push(format!("  - cluster: {}, with {named}{more}", candidate.group + 1));
        }
        lines
    };
    candidates.iter().flat_map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, now};
    use super::*;

    fn put(store: &mut RecallStore, line: u32, snippet: &str, recalls: u32, total: f64, age: f64) {
        let mut new = entry(recalls, total, 1, &["04-04"], 0, age);
        (new.start_line, new.end_line) = (line, line);
        new.snippet = snippet.to_owned();
        new.query_hashes = vec![format!("{line}")];
        store.entries.insert(format!("k{line}"), new);
    }

    fn keys(candidates: &[StagedCandidate]) -> Vec<&str> {
        candidates.iter().map(|one| one.key.as_str()).collect()
    }

    fn some() -> RecallStore {
        let mut store = RecallStore::default();
        put(&mut store, 1, "router vlan ten", 4, 2.0, 1.0);
        put(&mut store, 2, "Router VLAN ten!", 2, 1.8, 0.5);
        put(&mut store, 3, "router vlan eleven", 3, 2.7, 0.1);
        put(&mut store, 4, "backups at three", 5, 2.0, 0.0);
        put(&mut store, 5, "two days and an hour ago", 5, 5.0, 2.05);
        store
    }

    #[test]
    fn duplicates_are_merged_and_the_best_come_first() {
        let staged = light(&some(), now(), &LightConfig::default());
        assert_eq!(keys(&staged), ["k3", "k1", "k4"], "k5 is too old");
        let merged = &staged[1];
        assert_eq!((merged.entry.recall_count, merged.entry.total_score), (4, 2.0), "maxima, not sums");
        assert_eq!((merged.duplicates.join(" "), merged.entry.query_hashes.len()), ("k2".to_owned(), 2));
        assert_eq!(merged.entry.age_days(now()), 0.5, "the later recall");
        let groups: Vec<u32> = staged.iter().map(|one| one.group).collect();
        assert_eq!(groups, [0, 0, 1], "2 of 4 words are shared");
        let few = LightConfig { limit: 1, ..LightConfig::default() };
        assert_eq!(keys(&light(&some(), now(), &few)), ["k3"]);
    }

    /// The original cuts to the limit before it deduplicates, so a duplicate can displace another candidate.
    #[test]
    fn the_other_order_goes_by_recency_and_cuts_first() {
        let config = LightConfig { order: LightOrder::Recency, limit: 4, ..LightConfig::default() };
        assert_eq!(keys(&light(&some(), now(), &config)), ["k4", "k3", "k2"]);
        let three = LightConfig { limit: 3, ..config };
        assert_eq!(light(&some(), now(), &three)[2].duplicates, Vec::<String>::new());
    }

    #[test]
    fn duplicates_in_other_notes_are_found_among_notes_only() {
        let mut store = some();
        store.entries.get_mut("k2").unwrap().path = "memory/2026-04-04.md".to_owned();
        assert_eq!(light(&store, now(), &LightConfig::default()).len(), 4);
        let entries = store.entries.iter().map(|(key, entry)| (key.as_str(), entry));
        assert_eq!(light_of(entries, now(), &LightConfig::default(), Among::Notes).len(), 3);
    }

    /// The router's two sentences share two words of four.
    #[test]
    fn a_candidate_is_five_lines_and_its_cluster() {
        let staged = light(&some(), now(), &LightConfig::default());
        let body = body(&staged);
        let first = [
            "- Candidate: router vlan eleven",
            "  - confidence: 0.90",
            "  - evidence: memory/2026-04-03.md:3-3",
            "  - recalls: 3",
            "  - status: staged",
        ];
        assert_eq!((&body[..5], body.len()), (&first.map(str::to_owned)[..], 17));
        assert_eq!(body[5], "  - cluster: 1, with memory/2026-04-03.md:1-1");
        assert_eq!(body[11], "  - cluster: 1, with memory/2026-04-03.md:3-3");
        assert_eq!(super::body(&[]).len(), 1);
    }
}
