//! REM sleep: what keeps coming up (digest section 8).

use super::config::{RemConfig, Themes};
use super::entry::RecallEntry;
use super::health::truth_confidence;
use super::light::dedupe;
use super::store::RecallStore;
use super::time::Instant;
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// References that a theme names.
const REFERENCES: usize = 3;
/// Jaccard similarity from which two truths are one (the original's, as is the next).
const SAME_TRUTH: f64 = 0.88;
/// Least confidence of a truth.
const LEAST_TRUTH: f64 = 0.45;

/// Something that keeps coming up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Theme {
    /// The tag, or the tags that occur together, in order.
    pub tags: Vec<String>,
    /// Traces that carry it, or one of them.
    pub count: u32,
    /// How strong it is, 0 to 1.
    pub strength: f64,
    /// Keys of these traces, in order.
    pub keys: Vec<String>,
    /// Where the first three of them stand.
    pub evidence: Vec<String>,
}

/// An entry that is surely true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Truth {
    /// Its key.
    pub key: String,
    /// Its text.
    pub snippet: String,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Where it stands.
    pub evidence: String,
}

/// What REM sleep notices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    /// Traces looked at.
    pub traces: u32,
    /// Themes, the strongest first.
    pub themes: Vec<Theme>,
    /// What it is surest of; only when asked for.
    pub truths: Vec<Truth>,
}

type Traces<'a> = [(&'a str, &'a RecallEntry)];

/// Reflects on what was found lately, promoted or not, in the order of keys.
pub fn rem(store: &RecallStore, now: Instant, config: &RemConfig) -> Reflection {
    rem_of(store.entries.iter().map(|(key, entry)| (key.as_str(), entry)), now, config)
}

/// The same of entries in an order of their own.
pub fn rem_of<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a RecallEntry)>,
    now: Instant,
    config: &RemConfig,
) -> Reflection {
    let recent = entries.into_iter().filter(|(_, entry)| entry.recalled_within(config.lookback_days, now));
    let traces: Vec<(&str, &RecallEntry)> = recent.collect();
    let mut themes = match config.themes {
        Themes::Tags => themes_of_tags(&traces),
        Themes::Clusters => themes_of_clusters(&traces, config.min_pattern_strength),
    };
    themes.retain(|theme| theme.strength >= config.min_pattern_strength);
    themes.sort_by(|a, b| {
        let count = b.count.cmp(&a.count);
        b.strength.total_cmp(&a.strength).then(count).then_with(|| a.tags.cmp(&b.tags))
    });
    themes.truncate(config.limit as usize);
    let truths = if config.truths { truths(&traces, config.limit) } else { Vec::new() };
    Reflection { traces: traces.len() as u32, themes, truths }
}

/// min(1, 2·count/max(1, N)) of the traces carry it: .75 takes 37.5 % of them.
fn strength(count: usize, traces: usize) -> f64 {
    (2.0 * count as f64 / traces.max(1) as f64).min(1.0)
}

/// Which traces carry each tag.
fn carriers<'a>(traces: &Traces<'a>) -> BTreeMap<&'a str, BTreeSet<usize>> {
    let mut carriers: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
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

fn themes_of_tags(traces: &Traces<'_>) -> Vec<Theme> {
    let of_tag = |(tag, carried_by): (&str, BTreeSet<usize>)| {
        theme(vec![tag.to_owned()], &carried_by, strength(carried_by.len(), traces.len()), traces)
    };
    carriers(traces).into_iter().map(of_tag).collect()
}

/// Tags are linked when the traces that carry both are at least this share of those that carry either. A theme is what hangs
/// together by links; its strength is the mean share of these.
fn themes_of_clusters(traces: &Traces<'_>, least: f64) -> Vec<Theme> {
    let carriers: Vec<(&str, BTreeSet<usize>)> = carriers(traces).into_iter().collect();
    let mut component: Vec<usize> = (0..carriers.len()).collect();
    let mut links: Vec<(usize, f64)> = Vec::new();
    for a in 0..carriers.len() {
        for b in a + 1..carriers.len() {
            let shared = carriers[a].1.intersection(&carriers[b].1).count();
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
            members.map(|place| (carriers[place].0.to_owned(), &carriers[place].1)).unzip();
        let carried_by = sets.into_iter().flatten().copied().collect();
        let shares: Vec<f64> =
            links.iter().filter(|(a, _)| component[*a] == root).map(|(_, share)| *share).collect();
        theme(tags, &carried_by, mean(&shares).expect("a component has links"), traces)
    };
    roots.into_iter().map(of_root).collect()
}

/// The entries it is surest of, of each text one: at most three.
fn truths(traces: &Traces<'_>, limit: u32) -> Vec<Truth> {
    let truth = |candidate: super::light::Candidate| Truth {
        confidence: truth_confidence(&candidate.entry),
        evidence: candidate.entry.evidence(),
        snippet: candidate.entry.snippet,
        key: candidate.key,
    };
    let mut truths: Vec<Truth> = dedupe(traces.to_vec(), SAME_TRUTH).into_iter().map(truth).collect();
    truths.retain(|truth| truth.confidence >= LEAST_TRUTH);
    truths.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then_with(|| a.key.cmp(&b.key)));
    truths.truncate(limit.clamp(1, 3) as usize);
    truths
}

/// What there is to say of a theme: on which days it came up, in how many questions, and what was found best. (The document wants a reflection
/// and doesn't say of what.)
pub fn note(theme: &Theme, store: &RecallStore) -> String {
    let entries: Vec<&RecallEntry> = theme.keys.iter().filter_map(|key| store.entries.get(key)).collect();
    let days: BTreeSet<_> = entries.iter().flat_map(|entry| &entry.recall_days).collect();
    let queries: BTreeSet<_> = entries.iter().flat_map(|entry| &entry.query_hashes).collect();
    let recalls: u32 = entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.recall_count));
    let come_up = if theme.tags.len() > 1 { "come up together" } else { "comes up" };
    let mut said = format!("{} {come_up}", theme.tags.join(", "));
    match (days.first(), days.last()) {
        (Some(first), Some(last)) if first != last => {
            said += &format!(" on {} days from {first} to {last}", days.len());
        }
        (Some(first), _) => said += &format!(" on {first}"),
        _ => {}
    }
    said += &format!("; {recalls} recalls by {} questions", queries.len());
    let promoted = entries.iter().filter(|entry| entry.promoted_at.is_some()).count();
    if promoted > 0 {
        said += &format!("; {promoted} of them kept for good");
    }
    // Of equals the first, so that the order of entries decides.
    let mut best: Option<&RecallEntry> = None;
    for entry in entries {
        if best.is_none_or(|best| entry.average_score() > best.average_score()) {
            best = Some(entry);
        }
    }
    best.map_or(said.clone(), |best| format!("{said}; above all: {}", best.snippet))
}

/// The body of the block that goes into the daily note.
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
            truth.snippet, truth.confidence, truth.evidence
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

    /// A store of traces with these tags.
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
            super::super::time::Stamp::At(now().days_earlier(8));
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

    /// a and b are always together, c is with them in one trace of three: a, b, c hang together at .25, only a and b at .75.
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

    #[test]
    fn truths_are_named_only_when_asked_for() {
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
