//! The two spellings of a key: `batch_size` is Morta's, `batchSize` the specs'. Files and flags may use either; a tree keeps the one it was
//! written in, so that mistakes are reported in the reader's words, and loses it on the way to the types. It converts camelCase to
//! snake_case; `rewritten` serves `morta validate --fix` and the keys of `morta score`. Checks of sweep files, and of the ranges of
//! `morta sensitivity`, compare keys by `same_path`, so that one key in two spellings isn't taken for two.

use super::tree::{Node, Origin, Value, keys_at_offsets};
use crate::run::scenario_schema::{self, SchemaTable, Shape};
use morta_engine::world::Scenario;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use std::borrow::Cow;

type Schema = &'static Json;

/// Converts a key from camelCase to Morta's spelling, snake_case.
pub fn snake_case(key: &str) -> Cow<'_, str> {
    if !key.contains(|c: char| c.is_ascii_uppercase()) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(letters(key).collect())
}

/// The letters of that spelling.
fn letters(key: &str) -> impl Iterator<Item = char> + '_ {
    key.chars()
        .flat_map(|c| c.is_ascii_uppercase().then_some('_').into_iter().chain([c.to_ascii_lowercase()]))
}

/// Whether two words spell the same key (key equality).
pub(crate) fn same_key(a: &str, b: &str) -> bool {
    // Letter by letter: a key of a hundred thousand is held against thousands, and differs from them at the first.
    a == b || letters(a).eq(letters(b))
}

/// Whether two dotted paths lead to the same key (path equality).
pub(crate) fn same_path(a: &str, b: &str) -> bool {
    let (a, b) = (a.split('.'), b.split('.'));
    a.clone().count() == b.clone().count() && a.zip(b).all(|(a, b)| same_key(a, b))
}

/// Looks up the key of a table that a word spells. The exact spelling is tried before snake_case, so that in a table that holds both
/// spellings each word leads to its own entry.
pub fn known(table: &SchemaTable, word: &str) -> Option<(&'static str, Schema)> {
    let find = |key: &str| table.keys.iter().find(|(known, _)| *known == key).copied();
    find(word).or_else(|| find(&snake_case(word)))
}

/// Converts the keys of a tree to Morta's canonical spelling, the only one that types know: it belongs before `Node::into_json`.
pub fn canonical(mut tree: Node, schema: Schema) -> Node {
    walk(&mut tree, schema, &mut |_, _, _| ());
    tree
}

/// Reads a scenario that was resolved before (deserialization of old manifests). Both spellings are read, because manifests of earlier
/// versions have camelCase.
///
/// # Errors
/// When it isn't a scenario.
pub fn scenario<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scenario, D::Error> {
    let mut json = Json::deserialize(deserializer)?;
    walk(&mut json, scenario_schema::root(), &mut |_, _, _| ());
    Scenario::from_value(json).map_err(serde::de::Error::custom)
}

/// Rewrites all keys of a TOML text to Morta's spelling, and counts those that were rewritten. All other bytes stay, because the file is
/// its author's. `None` when the text isn't TOML.
pub fn rewritten(text: &str, schema: Schema) -> Option<(String, usize)> {
    let (mut text, mut count) = (text.to_owned(), 0);
    // A table that several headers name is found at the first of them; the next round finds the next.
    loop {
        let mut tree = keys_at_offsets(&text)?;
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        walk(&mut tree, schema, &mut |node: &Node, word, key| {
            if let Origin::Line(offset) = node.origin {
                found.push((offset, word.len(), key));
            }
        });
        found.sort_unstable();
        found.dedup();
        let before = count;
        for (offset, length, key) in found.into_iter().rev() {
            let quoted = usize::from(text[offset..].starts_with(['"', '\'']));
            text.replace_range(offset + quoted..offset + quoted + length, key);
            count += 1;
        }
        if count == before {
            return Some((text, count));
        }
    }
}

/// A tree of tables, lists and values.
trait Keyed: Sized {
    /// The text under a key.
    fn text(&self, key: &str) -> Option<&str>;
    /// Gives every key of a table the name that is returned for it and its value.
    fn rename(&mut self, name: &mut dyn FnMut(&str, &mut Self) -> Option<&'static str>);
    /// Visits the entries of a list, or the values of a table.
    fn each(&mut self, visit: &mut dyn FnMut(&mut Self));
}

/// Renames keys in all tables; `on_alias` is called for each that had another spelling, with its value, that spelling and Morta's.
fn walk<T: Keyed>(tree: &mut T, schema: Schema, on_alias: &mut dyn FnMut(&T, &str, &'static str)) {
    match scenario_schema::shape(schema) {
        Shape::Table(table) => walk_table(tree, &table, on_alias),
        Shape::Tagged(tag, kinds) => {
            let kind = tree.text(tag);
            if let Some((_, table)) = kinds.iter().find(|(name, _)| Some(*name) == kind) {
                walk_table(tree, table, on_alias);
            }
        }
        Shape::List(item, ..) | Shape::Map(item) => tree.each(&mut |entry| walk(entry, item, on_alias)),
        Shape::Bool
        | Shape::Integer(..)
        | Shape::Number(_)
        | Shape::Amount
        | Shape::Text
        | Shape::OneOf(_)
        | Shape::Registered(_)
        | Shape::Any => {}
    }
}

fn walk_table<T: Keyed>(tree: &mut T, table: &SchemaTable, on_alias: &mut dyn FnMut(&T, &str, &'static str)) {
    tree.rename(&mut |word, value| {
        let (key, schema) = known(table, word)?;
        if key != word {
            on_alias(value, word, key);
        }
        walk(value, schema, on_alias);
        Some(key)
    });
}

impl Keyed for Node {
    fn text(&self, key: &str) -> Option<&str> {
        match &self.child(key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn rename(&mut self, name: &mut dyn FnMut(&str, &mut Self) -> Option<&'static str>) {
        let Value::Table(entries) = &mut self.value else { return };
        for (word, node) in entries {
            if let Some(key) = name(word, node) {
                *word = key.to_owned();
            }
        }
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        match &mut self.value {
            Value::List(nodes) => nodes.iter_mut().for_each(visit),
            Value::Table(entries) => entries.iter_mut().for_each(|(_, node)| visit(node)),
            Value::Bool(_) | Value::Integer(_) | Value::Float(_) | Value::Text(_) | Value::Time(_) => {}
        }
    }
}

impl Keyed for Json {
    fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    fn rename(&mut self, name: &mut dyn FnMut(&str, &mut Self) -> Option<&'static str>) {
        let Json::Object(entries) = self else { return };
        let renamed = |(word, mut value): (String, Json)| {
            let key = name(&word, &mut value);
            (key.map_or(word, str::to_owned), value)
        };
        *entries = std::mem::take(entries).into_iter().map(renamed).collect();
    }

    fn each(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        match self {
            Json::Array(entries) => entries.iter_mut().for_each(visit),
            Json::Object(entries) => entries.values_mut().for_each(visit),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_key() {
        for (word, key) in [
            ("batchSize", "batch_size"),
            ("batch_size", "batch_size"),
            ("ratePerR", "rate_per_r"),
            ("fee_bps", "fee_bps"),
        ] {
            assert_eq!(snake_case(word), key);
            assert!(same_key(word, key));
        }
        assert!(!same_key("batchSize", "batchsize"));
    }

    /// Comments, order, quotes and spaces stay; so do texts that look like keys.
    #[test]
    fn a_file_is_rewritten_key_by_key() {
        let text = "# batchSize matters\nname = 'batchSize'\n[dream]  # minEpisodes\n  minEpisodes = 5 # few\n\
            replay = { batchSize = 7, gainWeights.regret = 0.5 }\n[dream.wakeInterrupts]\nenabled = true\n\
            [[dream.wakeInterrupts.marketThresholds]]\nasset = 'A'\n\"changePercent\" = 3\nwindow = '5m'\n\
            [[dream.wakeInterrupts.marketThresholds]]\nasset = 'B'\nchangePercent = 3\nwindow = '5m'\n";
        let expected = "# batchSize matters\nname = 'batchSize'\n[dream]  # minEpisodes\n  min_episodes = 5 # few\n\
            replay = { batch_size = 7, gain_weights.regret = 0.5 }\n[dream.wake_interrupts]\nenabled = true\n\
            [[dream.wake_interrupts.market_thresholds]]\nasset = 'A'\n\"change_percent\" = 3\nwindow = '5m'\n\
            [[dream.wake_interrupts.market_thresholds]]\nasset = 'B'\nchange_percent = 3\nwindow = '5m'\n";
        let (text, count) = rewritten(text, scenario_schema::root()).unwrap();
        assert_eq!(text, expected);
        assert!(count >= 8, "{count}");
        assert_eq!(rewritten(&text, scenario_schema::root()), Some((text.clone(), 0)));
        assert_eq!(rewritten("a = = 1", scenario_schema::root()), None);
    }

    #[test]
    fn a_scenario_resolved_by_an_earlier_version_is_read() {
        let old = serde_json::json!({
            "name": "old", "seed": 1, "ticks": 2, "cohorts": [{ "name": "a", "golems": 1, "memory": "none" }],
            "market": { "assets": [{ "symbol": "A", "source": { "kind": "synthetic" } }] },
            "dream": { "dreamCycleInterval": 7, "replay": { "gainWeights": { "regret": 0.1 } } }
        });
        let read = scenario(old).unwrap();
        assert_eq!((read.dream.dream_cycle_interval, read.dream.replay.gain_weights.regret), (7, 0.1));
    }
}
