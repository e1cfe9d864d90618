//! REM sleep: themes, that is frequent tags of entries that were recalled lately (topic extraction by tag frequency; digest section 8). By
//! default a theme is one tag; `themes = "clusters"`, which the commands on users' files set unless a flag says otherwise, makes it tag
//! clustering by co-occurrence (connected components). Strengths and confidence are 0 to 1. Numbers and paths are no themes on users' notes
//! (`rem_of`), because every note has them; a golem's tags are all counted (`rem`). On users' files themes become a block in the daily
//! note, a report, or both (`storage`); a golem takes those whose tags are all circumstances of a decision for beliefs until its next REM
//! sleep. No entry is changed.

use super::config::{RemConfig, Themes};
use super::entry::RecallEntry;
use super::health::truth_confidence;
use super::light::{Among, dedupe};
use super::sentence::as_item;
use super::store::RecallStore;
use super::time::Instant;
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The most references of a theme (digest section 8).
const REFERENCES: usize = 3;
/// Jaccard similarity from which two truths are duplicates (the original's).
const SAME_TRUTH: f64 = 0.88;
/// The least confidence of a truth (the original's).
const LEAST_TRUTH: f64 = 0.45;
/// The fewest entries of a theme in users' notes. Our choice, because a tag of one entry isn't repeated.
const LEAST_MEMORIES: usize = 2;

/// Words for speakers and figures in transcripts, citations and candidates.
const STRUCTURE: [&str; 26] = [
    "assistant", "user", "system", "tool", "toolresult", "toolcall", "human", "agent", "role", "message",
    "candidate", "confidence", "evidence", "recalls", "status", "staged", "score", "source", "theme",
    "reflection", "session", "session-corpus", "memory", "memory.md", "main", "null",
];

/// Whether a tag isn't a subject: a number, a date, a range of lines, a path, a file name or a role in a conversation (a stop-word filter).
/// Such tags are frequent in every store, so they would displace the themes.
pub fn is_noise(tag: &str) -> bool {
    let letters = tag.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_file =
        tag.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && FILES.contains(&ending));
    letters == 0 || tag.contains(['/', '\\']) || is_file || is_quantity(tag) || STRUCTURE.contains(&tag)
}

/// Extensions of file names that occur in notes.
const FILES: [&str; 24] = [
    "md", "txt", "json", "jsonl", "yaml", "yml", "toml", "csv", "log", "py", "js", "ts", "tsx", "rs", "go",
    "sh", "html", "css", "pdf", "png", "jpg", "sqlite", "db", "xml",
];

/// Whether a tag is a figure with a unit, a moment, a hexadecimal number or a version: `12ms`, `2026-04-03t10`, `0x1f`, `v2`.
fn is_quantity(tag: &str) -> bool {
    let letters = tag.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = tag.chars().filter(char::is_ascii_digit).count();
    tag.starts_with(|letter: char| letter.is_ascii_digit()) && digits >= letters
        || tag
            .strip_prefix('v')
            .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()) && letters == 1)
}

/// A theme: a tag, or a cluster of tags, that many entries have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Theme {
    /// The tag, or the tags that occur together, in order.
    pub tags: Vec<String>,
    /// Number of entries that have it, or one of them.
    pub count: u32,
    /// Strength, 0 to 1.
    pub strength: f64,
    /// Keys of these entries, in order.
    pub keys: Vec<String>,
    /// Paths and lines of the first three.
    pub evidence: Vec<String>,
}

/// An entry of high confidence, which counts as a lasting truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Truth {
    /// Its key.
    pub key: String,
    /// Its text.
    pub snippet: String,
    /// Confidence in it, 0 to 1 ([`truth_confidence`]).
    pub confidence: f64,
    /// Its path and lines.
    pub evidence: String,
}

/// The result of REM sleep: themes and insights of highest confidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    /// Number of entries that were recalled lately.
    pub traces: u32,
    /// Themes, the strongest first.
    pub themes: Vec<Theme>,
    /// Entries of the highest confidence; empty unless `truths` is on.
    pub truths: Vec<Truth>,
}

type Traces<'a> = [(&'a str, &'a RecallEntry)];
type Carriers<'a> = BTreeMap<&'a str, BTreeSet<usize>>;

/// Finds the themes of entries that were recalled lately, promoted or not, in the order of keys (theme extraction). Every tag counts, and a tag of a
/// single entry can be a theme, as in the original. A simulation needs no filter, because it supplies its tags itself.
pub fn rem(store: &RecallStore, now: Instant, config: &RemConfig) -> Reflection {
    let entries = store.entries.iter().map(|(key, entry)| (key.as_str(), entry));
    let traces = recent(entries, now, config);
    let themes = match config.themes {
        Themes::Tags => tag_themes(&carriers(&traces), &traces),
        Themes::Clusters => cluster_themes(&carriers(&traces), &traces, config.min_pattern_strength),
    };
    reflection(themes, &traces, config, Among::Note)
}

/// Extracts themes as [`rem`] does, from users' own notes, in the caller's order. A theme has at least two entries, and numbers, paths and
/// roles aren't themes ([`is_noise`]). With clusters, a frequent tag outside of all clusters is a theme by itself.
pub fn rem_of<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a RecallEntry)>,
    now: Instant,
    config: &RemConfig,
) -> Reflection {
    let traces = recent(entries.into_iter(), now, config);
    let mut carriers = carriers(&traces);
    carriers.retain(|tag, carried_by| carried_by.len() >= LEAST_MEMORIES && !is_noise(tag));
    let mut themes = tag_themes(&carriers, &traces);
    if config.themes == Themes::Clusters {
        let clusters = cluster_themes(&carriers, &traces, config.min_pattern_strength);
        themes.retain(|single| !clusters.iter().any(|cluster| cluster.tags.contains(&single.tags[0])));
        themes.extend(clusters);
    }
    reflection(themes, &traces, config, Among::Notes)
}

fn recent<'a>(
    entries: impl Iterator<Item = (&'a str, &'a RecallEntry)>,
    now: Instant,
    config: &RemConfig,
) -> Vec<(&'a str, &'a RecallEntry)> {
    entries.filter(|(_, entry)| entry.recalled_within(config.lookback_days, now)).collect()
}

fn reflection(mut themes: Vec<Theme>, traces: &Traces<'_>, config: &RemConfig, among: Among) -> Reflection {
    themes.retain(|theme| theme.strength >= config.min_pattern_strength);
    themes.sort_by(|a, b| {
        let count = b.count.cmp(&a.count);
        b.strength.total_cmp(&a.strength).then(count).then_with(|| a.tags.cmp(&b.tags))
    });
    themes.truncate(config.limit as usize);
    let truths = if config.truths { truths(traces, config.limit, among) } else { Vec::new() };
    Reflection { traces: traces.len() as u32, themes, truths }
}

/// Strength of a tag that `count` of N entries have: min(1, 2·count/max(1, N)). The default threshold of 0.75 needs 37.5 % of them.
fn strength(count: usize, traces: usize) -> f64 {
    (2.0 * count as f64 / traces.max(1) as f64).min(1.0)
}

/// The indices of the entries that have each tag.
fn carriers<'a>(traces: &Traces<'a>) -> Carriers<'a> {
    let mut carriers = Carriers::new();
    for (place, (_, entry)) in traces.iter().enumerate() {
        for tag in &entry.concept_tags {
            carriers.entry(tag).or_default().insert(place);
        }
    }
    carriers
}

fn theme(tags: Vec<String>, carried_by: &BTreeSet<usize>, strength: f64, traces: &Traces<'_>) -> Theme {
    let evidence = carried_by.iter().take(REFERENCES).map(|place| traces[*place].1.evidence()).collect();
    let keys = carried_by.iter().map(|place| traces[*place].0.to_owned()).collect();
    Theme { tags, count: carried_by.len() as u32, strength, keys, evidence }
}

fn tag_themes(carriers: &Carriers<'_>, traces: &Traces<'_>) -> Vec<Theme> {
    let of_tag = |(tag, carried_by): (&&str, &BTreeSet<usize>)| {
        theme(vec![(*tag).to_owned()], carried_by, strength(carried_by.len(), traces.len()), traces)
    };
    carriers.iter().map(of_tag).collect()
}

/// Themes of clusters. Two tags are linked when the entries with both are at least the share `least` of those with either. A theme is a
/// connected component of these links, and its strength is the mean share of its links. The rule is ours, because the document doesn't
/// define clusters.
fn cluster_themes(carriers: &Carriers<'_>, traces: &Traces<'_>, least: f64) -> Vec<Theme> {
    let carriers: Vec<(&str, &BTreeSet<usize>)> =
        carriers.iter().map(|(tag, carried_by)| (*tag, carried_by)).collect();
    let mut component: Vec<usize> = (0..carriers.len()).collect();
    let mut links: Vec<(usize, f64)> = Vec::new();
    for a in 0..carriers.len() {
        for b in a + 1..carriers.len() {
            let shared = carriers[a].1.intersection(carriers[b].1).count();
            let share = shared as f64 / (carriers[a].1.len() + carriers[b].1.len() - shared) as f64;
            if shared == 0 || share < least {
                continue;
            }
            links.push((a, share));
            let (low, high) = (component[a].min(component[b]), component[a].max(component[b]));
            component.iter_mut().filter(|one| **one == high).for_each(|one| *one = low);
        }
    }
    let roots: BTreeSet<usize> = links.iter().map(|(a, _)| component[*a]).collect();
    let of_root = |root: usize| {
        let members = (0..carriers.len()).filter(|place| component[*place] == root);
        let (tags, sets): (Vec<String>, Vec<&BTreeSet<usize>>) =
            members.map(|place| (carriers[place].0.to_owned(), carriers[place].1)).unzip();
        let carried_by = sets.into_iter().flatten().copied().collect();
        let shares: Vec<f64> =
            links.iter().filter(|(a, _)| component[*a] == root).map(|(_, share)| *share).collect();
        theme(tags, &carried_by, mean(&shares).expect("a component has links"), traces)
    };
    roots.into_iter().map(of_root).collect()
}

/// The entries of the highest confidence, without duplicates: at most three, and at least one if the limit is 0 (the rule of a later release).
fn truths(traces: &Traces<'_>, limit: u32, among: Among) -> Vec<Truth> {
    let truth = |candidate: super::light::StagedCandidate| Truth {
        confidence: truth_confidence(&candidate.entry),
        evidence: candidate.entry.evidence(),
        snippet: candidate.entry.snippet,
        key: candidate.key,
    };
    let mut truths: Vec<Truth> = dedupe(traces.to_vec(), SAME_TRUTH, among).into_iter().map(truth).collect();
    truths.retain(|truth| truth.confidence >= LEAST_TRUTH);
    truths.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| a.key.cmp(&b.key)));
    truths.truncate(limit.clamp(1, 3) as usize);
    truths
}

/// Describes a theme in a note: its days, the number of its queries, and its best entry. The content is ours, because the document asks for
/// a reflection without a rule.
pub fn note(theme: &Theme, store: &RecallStore) -> String {
    let entries: Vec<&RecallEntry> = theme.keys.iter().filter_map(|key| store.entries.get(key)).collect();
    let days: BTreeSet<_> = entries.iter().flat_map(|entry| &entry.recall_days).collect();
    let queries: BTreeSet<_> = entries.iter().flat_map(|entry| &entry.query_hashes).collect();
    let recalls: u32 = entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.recall_count));
    let verb = if theme.tags.len() > 1 { "come up together" } else { "comes up" };
    let mut text = format!("{} {verb}", theme.tags.join(", "));
    match (days.first(), days.last()) {
        (Some(first), Some(last)) if first != last => {
            text += &format!(" on {} days from {first} to {last}", days.len());
        }
        (Some(first), _) => text += &format!(" on {first}"),
        _ => {}
    }
    text += &format!("; {recalls} recalls by {} questions", queries.len());
    let promoted = entries.iter().filter(|entry| entry.promoted_at.is_some()).count();
    if promoted > 0 {
        text += &format!("; {promoted} of them kept for good");
    }
    // The first of equal ones: `max_by` would take the last, and an entry that is no better would displace an older one.
    let mut best: Option<&RecallEntry> = None;
    for entry in entries {
        if best.is_none_or(|best| entry.average_score() > best.average_score()) {
            best = Some(entry);
        }
    }
    best.map_or(text.clone(), |best| format!("{text}; above all: {}", as_item(&best.snippet)))
}

/// Writes the body of the Markdown block in the daily note.
pub fn body(reflection: &Reflection, store: &RecallStore) -> Vec<String> {
    let mut lines = Vec::new();
    for theme in &reflection.themes {
        let tags = theme.tags.join("`, `");
        lines.push(format!("- Theme: `{tags}` in {} of {} memories", theme.count, reflection.traces));
        lines.push(format!("  - confidence: {:.2}", theme.strength));
        lines.push(format!("  - evidence: {}", theme.evidence.join(", ")));
        lines.push(format!("  - note: {}", note(theme, store)));
    }
    for truth in &reflection.truths {
        lines.push(format!(
            "- Likely true: {} [confidence={:.2} evidence={}]",
            as_item(&truth.snippet),
            truth.confidence,
            truth.evidence
        ));
    }
    if lines.is_empty() {
        lines.push("- No theme stands out.".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{entry, now};
    use super::*;

    /// A store of entries with these tags.
    fn traces(tags: &[&[&str]]) -> RecallStore {
        let mut store = RecallStore::default();
        for (place, tags) in tags.iter().enumerate() {
            let mut trace = entry(2, 1.2, 1, &["04-04"], 0, 0.0);
            trace.tag(tags.iter().copied());
            trace.snippet = format!("trace {place}");
            (trace.start_line, trace.end_line) = (place as u32 + 1, place as u32 + 1);
            store.entries.insert(format!("k{place}"), trace);
        }
        store
    }

    #[test]
    fn c31_to_c34_rem_strength() {
        for (id, count, of, expected) in
            [("C31", 3, 8, 0.75), ("C32", 2, 8, 0.5), ("C33", 4, 6, 1.0), ("C34", 1, 1, 1.0)]
        {
            let tags: Vec<&[&str]> = (0..of).map(|n| if n < count { &["vlan"][..] } else { &[] }).collect();
            let config = RemConfig { min_pattern_strength: 0.0, ..RemConfig::default() };
            let found = rem(&traces(&tags), now(), &config);
            assert_eq!(found.themes[0].strength, expected, "{id}");
            let usual = rem(&traces(&tags), now(), &RemConfig::default());
            assert_eq!(usual.themes.len(), usize::from(expected >= 0.75), "{id} against .75");
        }
        assert_eq!(strength(0, 0), 0.0);
    }

    #[test]
    fn the_strongest_themes_come_first_and_name_their_evidence() {
        let mut store = traces(&[&["b", "a"], &["b", "a"], &["b"], &["b"], &["c"], &["c"]]);
        store.entries.get_mut("k5").unwrap().last_recalled_at =
            super::super::time::StoredInstant::At(now().days_earlier(8));
        let found = rem(&store, now(), &RemConfig::default());
        // Five traces: b in four of them, a in two.
        let themes: Vec<(&str, u32, f64)> =
            found.themes.iter().map(|theme| (theme.tags[0].as_str(), theme.count, theme.strength)).collect();
        assert_eq!(themes, [("b", 4, 1.0), ("a", 2, 0.8)]);
        assert_eq!(found.themes[0].evidence.len(), 3);
        assert_eq!(body(&found, &store).len(), 8);
        let said = "  - note: b comes up on 2026-04-04; 8 recalls by 1 questions; above all: trace 0";
        assert_eq!(body(&found, &store)[3], said);
        assert_eq!(body(&Reflection::default(), &store).len(), 1);
        let one = RemConfig { limit: 1, ..RemConfig::default() };
        assert_eq!(rem(&store, now(), &one).themes.len(), 1);
    }

    /// a and b always occur together, c with them in one entry of three: a, b and c are a cluster at 0.25, only a and b at 0.75.
    #[test]
    fn clusters_are_tags_that_occur_together() {
        let store = traces(&[&["a", "b", "c"], &["a", "b"], &["c"], &["d"]]);
        let config = RemConfig { themes: Themes::Clusters, ..RemConfig::default() };
        let found = rem(&store, now(), &config).themes;
        assert_eq!((found.len(), found[0].tags.join(" "), found[0].strength), (1, "a b".to_owned(), 1.0));
        let loose = RemConfig { min_pattern_strength: 0.25, ..config };
        let found = rem(&store, now(), &loose).themes;
        assert_eq!((found.len(), found[0].tags.join(" "), found[0].count), (1, "a b c".to_owned(), 3));
        assert!((found[0].strength - (1.0 + 1.0 / 3.0 + 1.0 / 3.0) / 3.0).abs() < 1e-12);
    }

    /// A tag of half of the entries is a theme; a tag of a single entry isn't, and neither are lines, paths and roles.
    #[test]
    fn themes_of_notes_are_subjects_of_two_memories_at_least() {
        let store = traces(&[
            &["shared", "a0", "assistant"],
            &["shared", "a1", "28-31", "assistant"],
            &["c", "d", "notes.md", "28-31"],
            &["c", "d", "memory/2026-04-12.md"],
        ]);
        let themes = |kind| {
            let config = RemConfig { themes: kind, ..RemConfig::default() };
            let entries = store.entries.iter().map(|(key, entry)| (key.as_str(), entry));
            let found = rem_of(entries, now(), &config).themes;
            found.into_iter().map(|theme| (theme.tags.join(" "), theme.count)).collect::<Vec<_>>()
        };
        let named = |tags: &str| (tags.to_owned(), 2);
        assert_eq!(themes(Themes::Tags), [named("c"), named("d"), named("shared")]);
        assert_eq!(themes(Themes::Clusters), [named("c d"), named("shared")]);
        for noise in
            ["28-31", "12345", "0.85", "11:18", "12ms", "v2", "src/main.rs", "notes.md", "user", "2026-04-12"]
        {
            assert!(is_noise(noise), "{noise}");
        }
        for subject in ["vlan-10", "postgres", "备份", "node.js-port", "s3", "eth0.20", "3d-printer"] {
            assert!(!is_noise(subject), "{subject}");
        }
    }

    #[test]
    fn truths_are_empty_unless_switched_on() {
        let mut store = traces(&[&["a", "b", "c"]]);
        assert!(rem(&store, now(), &RemConfig::default()).truths.is_empty());
        store.entries.get_mut("k0").unwrap().snippet = "the same".to_owned();
        let mut twin = store.entries["k0"].clone();
        twin.recall_count = 1;
        store.entries.insert("k1".to_owned(), twin);
        let config = RemConfig { truths: true, ..RemConfig::default() };
        let found = rem(&store, now(), &config).truths;
        assert_eq!((found.len(), found[0].key.as_str()), (1, "k0"));
        assert!((found[0].confidence - 0.527_810_425).abs() < 1e-9);
    }
}
