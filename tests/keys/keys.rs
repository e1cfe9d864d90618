//! The keys that a scenario may have, as its schema declares them, and where a given scenario has each of them.

use morta_lab::scenario_schema::{self, Shape, resolve, shape};
use serde_json::Value;

/// One step of the way to a key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Into a table.
    Key(&'static str),
    /// Into every entry of a list.
    Each,
    /// Nowhere: the table is of this kind (the key that tells, and the word), or there is no such key.
    Kind(&'static str, &'static str),
}

/// A key of scenario files.
#[derive(Clone, Debug)]
pub struct Key {
    steps: Vec<Step>,
    /// Its path for people and for the record: `cohorts[].golems`, `market.assets[].source(replay).file`.
    pub name: String,
    /// What may stand there.
    pub schema: &'static Value,
    /// Whether it may be left out and mean something else than any value.
    pub is_optional: bool,
}

/// Every key that holds a value, every list, and every table that may be left out, in the order of the schema.
pub fn all() -> Vec<Key> {
    let mut found = Vec::new();
    walk(scenario_schema::root(), &mut Vec::new(), &mut found);
    found
}

fn may_be_null(schema: &Value) -> bool {
    let null = |one: &Value| one["type"] == "null";
    let is_typed_null =
        schema["type"].as_array().is_some_and(|types| types.iter().any(|name| name == "null"));
    is_typed_null || schema["anyOf"].as_array().is_some_and(|any| any.iter().any(null))
}

fn walk(schema: &'static Value, steps: &mut Vec<Step>, found: &mut Vec<Key>) {
    let is_optional = may_be_null(schema);
    let here = |steps: &[Step]| Key { steps: steps.to_vec(), name: name(steps), schema, is_optional };
    let mut within = |step: Step, schema: &'static Value, steps: &mut Vec<Step>| {
        steps.push(step);
        walk(schema, steps, found);
        steps.pop();
    };
    match shape(schema) {
        Shape::Table(table) => {
            for (key, schema) in table.keys {
                within(Step::Key(key), schema, steps);
            }
            if is_optional && !steps.is_empty() {
                found.push(here(steps));
            }
        }
        Shape::Tagged(tag, kinds) => {
            for (kind, table) in kinds {
                steps.push(Step::Kind(tag, kind));
                // The tag is the table's kind: to change it is to put another table there.
                for (key, schema) in table.keys.into_iter().filter(|(key, _)| *key != tag) {
                    within(Step::Key(key), schema, steps);
                }
                steps.pop();
            }
            found.push(here(steps));
        }
        Shape::List(item, ..) => {
            if is_of_tables(item) {
                within(Step::Each, item, steps);
            }
            found.push(here(steps));
        }
        _ => found.push(here(steps)),
    }
}

/// Whether entries of a list are tables.
pub fn is_of_tables(item: &'static Value) -> bool {
    matches!(shape(item), Shape::Table(_) | Shape::Tagged(..))
}

fn name(steps: &[Step]) -> String {
    let mut name = String::new();
    for step in steps {
        match step {
            Step::Key(key) if name.is_empty() => name += key,
            Step::Key(key) => name += &format!(".{key}"),
            Step::Each => name += "[]",
            Step::Kind(_, kind) => name += &format!("({kind})"),
        }
    }
    name
}

impl Key {
    /// The numbers it may be at least and at most, where they are declared.
    pub fn bounds(&self) -> (Option<f64>, Option<f64>) {
        let schema = resolve(self.schema);
        let end = |name: &str| schema[name].as_f64();
        (end("minimum").or_else(|| end("exclusiveMinimum")), end("maximum"))
    }

    /// Whether a path of a scenario leads to this key, in a table of whatever kind: `cohorts.0.golems` to `cohorts[].golems`.
    pub fn stands_at(&self, path: &str) -> bool {
        let mut steps = self.steps.iter().filter(|step| !matches!(step, Step::Kind(..)));
        let mut segments = path.split('.');
        let fits = |step: &Step| match (step, segments.next()) {
            (Step::Key(key), Some(segment)) => *key == segment,
            (Step::Each, Some(segment)) => segment.parse::<usize>().is_ok(),
            _ => false,
        };
        let all = steps.all(fits);
        all && segments.next().is_none()
    }

    /// Where a scenario has this key or could have it: every place whose table is there.
    pub fn places_in(&self, scenario: &Value) -> Vec<String> {
        let mut found = Vec::new();
        places(scenario, &self.steps, String::new(), &mut found);
        found
    }
}

fn places(value: &Value, steps: &[Step], path: String, found: &mut Vec<String>) {
    let Some((step, rest)) = steps.split_first() else {
        found.push(path);
        return;
    };
    let join = |segment: &str| if path.is_empty() { segment.to_owned() } else { format!("{path}.{segment}") };
    match step {
        Step::Key(key) if value.is_object() => {
            places(value.get(key).unwrap_or(&Value::Null), rest, join(key), found);
        }
        Step::Each => {
            for (place, entry) in value.as_array().into_iter().flatten().enumerate() {
                places(entry, rest, join(&place.to_string()), found);
            }
        }
        Step::Kind(tag, kind) if value[tag] == *kind => places(value, rest, path, found),
        Step::Key(_) | Step::Kind(..) => {}
    }
}

/// The value at a path of [`Key::places_in`]; null where there is none.
pub fn value_at<'a>(scenario: &'a Value, path: &str) -> &'a Value {
    let step = |value: &'a Value, segment: &str| match value {
        Value::Array(entries) => entries.get(segment.parse::<usize>().ok()?),
        other => other.get(segment),
    };
    path.split('.').try_fold(scenario, step).unwrap_or(&Value::Null)
}

/// The scenario with another value at a path; null takes the key away.
///
/// # Panics
/// When there is no table for it.
pub fn with(scenario: &Value, path: &str, value: &Value) -> Value {
    let mut changed = scenario.clone();
    let (within, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut table = &mut changed;
    for segment in within.split('.').filter(|segment| !segment.is_empty()) {
        table = match table {
            Value::Array(entries) => &mut entries[segment.parse::<usize>().expect("a place in a list")],
            other => other.get_mut(segment).unwrap_or_else(|| panic!("{path}: there is no {segment}")),
        };
    }
    let table = table.as_object_mut().unwrap_or_else(|| panic!("{path}: there is no table for it"));
    if value.is_null() {
        table.shift_remove(last);
    } else {
        table.insert(last.to_owned(), value.clone());
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_named_and_found() {
        let keys = all();
        let named = |name: &str| keys.iter().find(|key| key.name == name).unwrap();
        let scenario = json!({
            "seed": 1,
            "cohorts": [{"name": "a", "golems": 3}, {"name": "b", "golems": 4, "dreams": true}],
            "market": {"assets": [{"symbol": "X", "source": {"kind": "synthetic", "volatility": 0.01}}]},
        });
        let found = |name: &str| named(name).places_in(&scenario);
        assert_eq!(found("cohorts[].dreams"), ["cohorts.0.dreams", "cohorts.1.dreams"]);
        assert_eq!(
            found("market.assets[].source(synthetic).volatility"),
            ["market.assets.0.source.volatility"]
        );
        assert!(found("market.assets[].source(replay).file").is_empty());
        assert!(found("dream.enabled").is_empty(), "its table isn't there");
        assert_eq!(value_at(&scenario, "cohorts.1.golems"), 4);
        let changed = with(&scenario, "cohorts.1.dreams", &Value::Null);
        assert_eq!(changed["cohorts"][1], json!({"name": "b", "golems": 4}));
        assert_eq!(with(&changed, "cohorts.1.dreams", &json!(true)), scenario);
        assert!(named("cohorts[].golems").stands_at("cohorts.0.golems"));
        assert!(named("market.assets[].source(replay).file").stands_at("market.assets.1.source.file"));
        assert!(!named("cohorts[].golems").stands_at("cohorts.golems"));
        assert!(!named("cohorts").stands_at("cohorts.0.golems"));
        assert_eq!(named("cohorts[].golems").bounds(), (Some(1.0), Some(1e7)));
        assert!(named("cohorts[].dreams").is_optional && !named("seed").is_optional);
    }
}
