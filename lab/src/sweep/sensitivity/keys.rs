//! The keys of a scenario that a screening may move: those that hold a value and have a declared range. They are found by a tree walk over
//! scenario and JSON Schema together, so that a key that is added to the engine is screened without a list here that could forget it. A key
//! is an input factor of a global sensitivity analysis. Tables and lists of tables are walked through; keys without a value, texts, lists
//! of plain values, maps, dollar amounts, names of memories, and numbers without a declared bound are not among them.

use super::range::RangeBounds;
use crate::run::scenario_file::spelling::snake_case;
use crate::run::scenario_schema::{Shape, resolve, shape};
use serde_json::Value;

/// A key with its value and its declared range (input factor).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScenarioKey {
    /// Its dotted path; entries of lists by `name` or `symbol`.
    pub key: String,
    /// Its value in the scenario.
    pub value: Value,
    /// Its declared range.
    pub kind: KeyKind,
}

/// The declared range of a key (parameter type): number, flag (boolean) or word (enumeration).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyKind {
    /// A number with a declared range.
    Number(RangeBounds),
    /// True or false.
    Flag,
    /// One of these words.
    Word(Vec<&'static str>),
}

/// All of them, in the order of the schema (all input factors): a recursive schema traversal beside the scenario's values.
pub(super) fn all(scenario: &Value) -> Vec<ScenarioKey> {
    let mut found = Vec::new();
    walk(crate::run::scenario_schema::root(), scenario, "", &mut found);
    found
}

/// The declared range of a key that the scenario has or could have (parameter type), by a lookup of its dotted path in the schema; `None`
/// for an unknown key, and for one that is neither number, flag nor word. It serves only to tell whether a `--range` is of whole numbers.
pub(super) fn kind_of(key: &str) -> Option<KeyKind> {
    let segments: Vec<String> = key.split('.').map(|segment| snake_case(segment).into_owned()).collect();
    kind_at(crate::run::scenario_schema::root(), &segments)
}

fn kind_at(schema: &'static Value, path: &[String]) -> Option<KeyKind> {
    let Some((first, rest)) = path.split_first() else { return kind(schema) };
    let within = |keys: &[(&'static str, &'static Value)]| {
        let schema = keys.iter().find(|(key, _)| key == first)?.1;
        kind_at(schema, rest)
    };
    match shape(schema) {
        Shape::Table(table) => within(&table.keys),
        Shape::Tagged(_, kinds) => kinds.iter().find_map(|(_, table)| within(&table.keys)),
        Shape::List(item, ..) | Shape::Map(item) => kind_at(item, rest),
        _ => None,
    }
}

fn kind(schema: &'static Value) -> Option<KeyKind> {
    match shape(schema) {
        Shape::Bool => Some(KeyKind::Flag),
        Shape::OneOf(words) => Some(KeyKind::Word(words.into_iter().map(|(word, _)| word).collect())),
        Shape::Integer(..) => RangeBounds::declared(resolve(schema), true).map(KeyKind::Number),
        Shape::Number(_) => RangeBounds::declared(resolve(schema), false).map(KeyKind::Number),
        _ => None,
    }
}

fn walk(schema: &'static Value, value: &Value, path: &str, found: &mut Vec<ScenarioKey>) {
    let join = |segment: &str| if path.is_empty() { segment.to_owned() } else { format!("{path}.{segment}") };
    let mut table = |keys: &[(&'static str, &'static Value)]| {
        for (key, schema) in keys {
            if let Some(value) = value.get(key).filter(|value| !value.is_null()) {
                walk(schema, value, &join(key), found);
            }
        }
    };
    match shape(schema) {
        Shape::Table(of) => table(&of.keys),
        Shape::Tagged(tag, kinds) => {
            let named = kinds.iter().find(|(kind, _)| value[tag].as_str() == Some(*kind));
            if let Some((_, of)) = named {
                let keys: Vec<_> = of.keys.iter().copied().filter(|(key, _)| *key != tag).collect();
                table(&keys);
            }
        }
        Shape::List(item, ..) if matches!(shape(item), Shape::Table(_) | Shape::Tagged(..)) => {
            for (place, entry) in value.as_array().into_iter().flatten().enumerate() {
                let name = entry["name"].as_str().or_else(|| entry["symbol"].as_str());
                // A name with a dot in it would be read as two segments.
                let segment =
                    name.filter(|name| !name.contains('.')).map_or_else(|| place.to_string(), str::to_owned);
                walk(item, entry, &join(&segment), found);
            }
        }
        _ => {
            if let Some(kind) = kind(schema) {
                found.push(ScenarioKey { key: path.to_owned(), value: value.clone(), kind });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_found_where_they_hold_a_value() {
        let scenario = json!({
            "ticks": 50,
            "cohorts": [{"name": "a", "golems": 3, "memory": "none", "dreams": null}],
            "market": {"impact": "endogenous", "assets": [{"symbol": "X", "source": {"kind": "synthetic", "volatility": 0.01}}]},
            "dream": {"enabled": true},
        });
        let found = all(&scenario);
        let names: Vec<&str> = found.iter().map(|one| one.key.as_str()).collect();
        let expected = [
            "ticks",
            "cohorts.a.golems",
            "market.impact",
            "market.assets.X.source.volatility",
            "dream.enabled",
        ];
        assert_eq!(names, expected);
        assert_eq!(
            found[1].kind,
            KeyKind::Number(RangeBounds { low: Some(1.0), high: Some(1e7), above: false, integer: true })
        );
        assert_eq!(found[2].kind, KeyKind::Word(vec!["endogenous", "price_taker"]));
        assert_eq!(kind_of("cohorts.a.dreams"), Some(KeyKind::Flag));
        assert!(matches!(kind_of("market.assets.X.source.volatility"), Some(KeyKind::Number(_))));
        assert_eq!((kind_of("dream.enabld"), kind_of("name")), (None, None));
    }
}
