//! Compares a file with the schema: unknown keys, wrong types, missing keys. It runs before the types are read, whose own errors would name
//! neither line nor the nearest key. It is schema validation (JSON Schema) with "did you mean" suggestions.
//!
//! Whole numbers must fit their type (a `u8` goes to 255), and lists their declared lengths. Declared ranges of numbers aren't checked
//! here, although messages name them: `Keys::check_keys` does it once the types are read. Scenarios, sweep files, replications and plans of
//! `owm validate` are checked by it; all mistakes are returned, and the caller refuses the file.

use super::fixed_keys;
use super::mistake::{Mistake, written};
use super::spelling::{known, same_key, same_path};
use super::tree::{Node, Origin, Value};
use crate::io::text::nearest;
use crate::run::scenario_schema::{self, SchemaTable, Shape, expected, is_amount};
use serde_json::Value as Schema;

/// Validates a file against its schema: lists every way in which it has another shape.
pub fn mistakes(tree: &Node, schema: &'static Schema) -> Vec<Mistake> {
    let mut walk = Walk { root: schema, found: Vec::new() };
    walk.check("", tree, &scenario_schema::shape(schema));
    walk.found
}

/// Common words for a key of another name: the word typed, and the key to write.
const CONCEPTS: [(&str, &str); 3] = [
    ("mortality.enabled", "population.policy = \"immortal\""),
    ("mortal", "population.policy = \"immortal\""),
    ("immortal", "population.policy = \"immortal\""),
];
/// Most keys of other tables that are suggested for one.
const ELSEWHERE_MAX: usize = 4;
/// Deepest table that is looked into for a key of another table.
const DEPTH_MAX: usize = 8;

struct Walk {
    root: &'static Schema,
    found: Vec<Mistake>,
}

impl Walk {
    fn reject(&mut self, origin: &Origin, key: String, value: Option<String>, remedy: String) {
        self.found.push(Mistake { origin: origin.clone(), key, value, remedy });
    }

    fn check(&mut self, key: &str, node: &Node, shape: &Shape) {
        match (shape, &node.value) {
            (Shape::Any, _) | (Shape::Bool, Value::Bool(_)) | (Shape::Text, Value::Text(_)) => {}
            // Whether somebody registered it is said when the values are checked.
            (Shape::Registered(_), Value::Text(_)) => {}
            (Shape::Number(_), Value::Integer(_)) => {}
            (Shape::Number(_), Value::Float(value)) if value.is_finite() => {}
            (Shape::Amount, Value::Integer(dollars)) if is_amount(&dollars.to_string()) => {}
            (Shape::Amount, Value::Float(dollars)) if is_amount(&dollars.to_string()) => {}
            (Shape::Amount, Value::Text(text)) if is_amount(text) => {}
            (Shape::Integer(low, high, _), Value::Integer(value))
                if (low..=high).contains(&&(*value).into()) => {}
            (Shape::OneOf(words), Value::Text(value)) if words.iter().any(|(word, _)| word == value) => {}
            (Shape::List(item, low, high), Value::List(nodes)) if (low..=high).contains(&&nodes.len()) => {
                let item = scenario_schema::shape(item);
                for (place, node) in nodes.iter().enumerate() {
                    self.check(&join(key, &place.to_string()), node, &item);
                }
            }
            (Shape::Table(table), Value::Table(entries)) => self.check_table(key, node, entries, table),
            (Shape::Map(item), Value::Table(entries)) => {
                let item = scenario_schema::shape(item);
                for (name, node) in entries {
                    self.check(&join(key, name), node, &item);
                }
            }
            (Shape::Tagged(tag, tables), Value::Table(entries)) => {
                self.check_tagged(key, node, entries, (tag, tables));
            }
            (shape, value) => {
                let remedy = format!("must be {}", expected(shape));
                let shown = match (shape, value) {
                    // With its point, so that the author of 100.0 sees why it is no whole number.
                    (Shape::Integer(..), Value::Float(value)) => format!("{value:?}"),
                    (_, value) => written(value),
                };
                self.reject(&node.origin, key.to_owned(), Some(shown), remedy);
            }
        }
    }

    fn check_tagged(
        &mut self,
        key: &str,
        node: &Node,
        entries: &[(String, Node)],
        (tag, tables): (&str, &[(&'static str, SchemaTable)]),
    ) {
        let kind = node.child(tag);
        let named = |node: &Node| match &node.value {
            Value::Text(kind) => tables.iter().find(|(name, _)| name == kind),
            _ => None,
        };
        if let Some((_, table)) = kind.and_then(named) {
            return self.check_table(key, node, entries, table);
        }
        let kinds = Shape::OneOf(tables.iter().map(|(name, _)| (*name, "")).collect());
        let key = join(key, tag);
        match kind {
            Some(kind) => {
                let remedy = format!("must be {}", expected(&kinds));
                self.reject(&kind.origin, key, Some(written(&kind.value)), remedy);
            }
            None => self.reject(&node.origin, key, None, missing(&kinds)),
        }
    }

    fn check_table(&mut self, key: &str, node: &Node, entries: &[(String, Node)], table: &SchemaTable) {
        for required in table.required.iter().filter(|name| node.child(name).is_none()) {
            let schema = table.keys.iter().find(|(name, _)| name == required).map(|(_, schema)| *schema);
            let shape = schema.map_or(Shape::Any, scenario_schema::shape);
            self.reject(&node.origin, join(key, required), None, missing(&shape));
        }
        let mut spelt: Vec<(&str, &str)> = Vec::new();
        for (name, node) in entries {
            let path = join(key, name);
            let known = known(table, name);
            if let Some((key, _)) = known {
                if let Some((_, other)) = spelt.iter().find(|(other, _)| *other == key) {
                    let remedy = format!("is the same key as {other}: leave one of them out");
                    self.reject(&node.origin, path.clone(), Some(written(&node.value)), remedy);
                }
                spelt.push((key, name));
            }
            match known {
                // The tag of a table of several kinds has been looked at already.
                Some((_, schema)) if schema["const"].is_string() => {}
                Some((_, schema)) => self.check(&path, node, &scenario_schema::shape(schema)),
                None => {
                    let value = Some(written(&node.value));
                    let remedy = unknown(&path, name, table, self.root);
                    self.reject(&node.origin, path, value, remedy);
                }
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn missing(shape: &Shape) -> String {
    format!("is missing: must be {}", expected(shape))
}

fn unknown(path: &str, name: &str, table: &SchemaTable, root: &'static Schema) -> String {
    let keys = || table.keys.iter().map(|(key, _)| *key);
    if let Some((_, instead)) = CONCEPTS.iter().find(|(typed, _)| same_path(typed, path)) {
        return format!("no such key: write {instead}");
    }
    if let Some(remedy) = fixed_keys::remedy(path) {
        return remedy;
    }
    if let Some(key) = nearest(name, keys()) {
        return format!("no such key: did you mean {key}?");
    }
    let mut elsewhere = Vec::new();
    paths_of(name, "", &scenario_schema::shape(root), DEPTH_MAX, &mut elsewhere);
    // A key that a dozen tables have, such as `enabled`, doesn't say which table was meant.
    match elsewhere.len() {
        1..=ELSEWHERE_MAX => format!("no such key here: did you mean {}?", elsewhere.join(" or ")),
        _ => format!("no such key: use {}", keys().collect::<Vec<_>>().join(", ")),
    }
}

/// The dotted paths of all keys of a name, in the order of the reference page.
fn paths_of(name: &str, path: &str, shape: &Shape, depth: usize, found: &mut Vec<String>) {
    let mut look = |below: &str, tables: &[&SchemaTable]| {
        for (key, schema) in tables.iter().flat_map(|table| &table.keys) {
            let below = join(below, key);
            if same_key(key, name) && !found.contains(&below) {
                found.push(below.clone());
            }
            if depth > 0 {
                paths_of(name, &below, &scenario_schema::shape(schema), depth - 1, found);
            }
        }
    };
    match shape {
        Shape::Table(table) => look(path, &[table]),
        Shape::Tagged(_, tables) => look(path, &tables.iter().map(|(_, table)| table).collect::<Vec<_>>()),
        Shape::List(item, ..) if depth > 0 => {
            paths_of(name, &join(path, "0"), &scenario_schema::shape(item), depth - 1, found);
        }
        _ => {}
    }
}
