//! What else a key may be: values worth trying, likely ones first.

use crate::keys::{Key, is_of_tables, value_at};
use crate::places::Place;
use crate::record::Change;
use morta_lab::scenario_schema::{Shape, shape};
use serde_json::{Value, json};

/// What texts and lists may be that no other shipped setting has, by the end of the key.
const SAMPLES: [(&str, &str); 16] = [
    ("min_episodes_by_phase", r#"{"thriving": 5, "stable": 5, "conservation": 5, "declining": 5}"#),
    ("transitions", "[[0.7,0.1,0.1,0.1],[0.1,0.7,0.1,0.1],[0.1,0.1,0.7,0.1],[0.1,0.1,0.1,0.7]]"),
    ("crisis.scheduled", "[50]"),
    ("symbol", r#""ETH""#),
    ("(replay).end", r#""2016-01-01""#),
    ("dreaming.timezone", r#""Asia/Tokyo""#),
    ("windows[].timezone", r#""+09:00""#),
    ("cron", r#""30 */5 * * *""#),
    ("frequency", r#""30 */5 * * *""#),
    ("windows[].start", r#""05:00""#),
    ("windows[].end", r#""23:00""#),
    ("window", r#""3d""#),
    ("law", r#""synthetic""#),
    ("faults", r#"[{"tick": 5, "target": "golem", "lineage": 0}]"#),
    ("features", r#"["regime"]"#),
    // Its least is one below its most in `proving/nights.toml`, and a dream of fewer ticks takes as many anyway.
    ("least_ticks.declining", "6"),
];

/// A declared end is worth trying when it is no further away than this: a scenario of a billion ticks is allowed, and can't be lived.
const FAR: f64 = 100.0;

/// Values other than the one that a key has in a scenario, likely ones first; null takes the key away. `seen` are those it has in other
/// shipped settings.
pub fn of(key: &Key, scenario: &Value, path: &str, seen: &[Value]) -> Vec<Vec<Change>> {
    let change = |value: Value| vec![Change { path: path.to_owned(), value }];
    values(key, scenario, value_at(scenario, path), seen).into_iter().map(change).collect()
}

/// Numbers that have to add up: half of one is another's, or the other way round.
pub fn balanced(scenario: &Value, path: &str) -> Vec<Vec<Change>> {
    let Some((table, name)) = path.rsplit_once('.') else { return Vec::new() };
    let share = Some(value_at(scenario, path)).filter(|share| share.is_f64()).and_then(Value::as_f64);
    let Some((siblings, share)) = value_at(scenario, table).as_object().zip(share) else {
        return Vec::new();
    };
    let others = siblings.iter().filter(|(other, _)| *other != name);
    let others =
        others.filter_map(|(other, value)| Some((other, value.as_f64().filter(|_| value.is_f64())?)));
    let both = |(other, theirs): (&String, f64)| {
        [share / 2.0, -theirs / 2.0].map(|moved| {
            let change =
                |name: &str, value: f64| Change { path: format!("{table}.{name}"), value: json!(value) };
            vec![change(name, share - moved), change(other, theirs + moved)]
        })
    };
    others.flat_map(both).collect()
}

/// What may have to be otherwise before a key acts: switches beside it and above it, and numbers beside it that are 0 or not there.
pub fn switches(keys: &[Key], key: &Key, scenario: &Value, path: &str) -> Vec<Change> {
    let mut found = Vec::new();
    let (mut pattern, mut table) = (key.name.as_str(), path);
    let mut is_beside = true;
    while let Some((above, _)) = pattern.rsplit_once('.') {
        for _ in 0..=usize::from(!is_beside && pattern.ends_with("[]")) {
            table = table.rsplit_once('.').map_or("", |(above, _)| above);
        }
        pattern = above;
        for other in keys.iter().filter(|other| other.name != key.name) {
            let Some((_, name)) = other.name.rsplit_once('.').filter(|(within, _)| *within == pattern) else {
                continue;
            };
            let path = format!("{table}.{name}");
            let now = value_at(scenario, &path);
            let is_switch = match shape(other.schema) {
                Shape::Bool | Shape::OneOf(_) => true,
                Shape::Integer(..) | Shape::Number(_) => {
                    is_beside && (now.is_null() || now.as_f64() == Some(0.0))
                }
                _ => false,
            };
            if is_switch {
                let values = values(other, scenario, now, &[]).into_iter().take(SWITCHED);
                found.extend(values.map(|value| Change { path: path.clone(), value }));
            }
        }
        is_beside = false;
    }
    found
}

/// So many values of a switch are tried.
const SWITCHED: usize = 3;

fn values(key: &Key, scenario: &Value, value: &Value, seen: &[Value]) -> Vec<Value> {
    let mut found = own(key, value);
    found.extend(names(key, scenario));
    let sample = |(end, _): &&(&str, &str)| key.name.ends_with(end);
    let samples = SAMPLES.iter().filter(sample);
    found.extend(samples.map(|(_, text)| serde_json::from_str(text).expect("a sample is JSON")));
    // A number or a word says more about itself than other settings do; a text, a list or a table does not.
    let others = seen.iter().filter(|one| !one.is_null()).cloned();
    let is_plain =
        matches!(shape(key.schema), Shape::Bool | Shape::Integer(..) | Shape::Number(_) | Shape::OneOf(_));
    if is_plain && !value.is_null() {
        found.extend(others);
    } else {
        found.splice(0..0, others);
    }
    if key.is_optional && !value.is_null() {
        found.push(Value::Null);
    }
    let mut kept: Vec<Value> = Vec::new();
    for one in found {
        let is_same =
            |other: &Value| *other == one || other.as_f64().is_some_and(|it| Some(it) == one.as_f64());
        if !is_same(value) && !kept.iter().any(is_same) {
            kept.push(one);
        }
    }
    kept
}

/// What a key may name: a cohort, an asset.
fn names(key: &Key, scenario: &Value) -> Vec<Value> {
    let of = |list: &Value, name: &str| {
        list.as_array().into_iter().flatten().map(|entry| entry[name].clone()).collect::<Vec<Value>>()
    };
    match key.name.rsplit('.').next() {
        Some("cohort") => of(&scenario["cohorts"], "name"),
        Some("asset") => of(&scenario["market"]["assets"], "symbol"),
        Some("assets") if key.name.contains("laws") => {
            of(&scenario["market"]["assets"], "symbol").into_iter().map(|symbol| json!([symbol])).collect()
        }
        Some("law") => of(&scenario["market"]["drift"]["laws"], "name"),
        _ => Vec::new(),
    }
}

/// The values that a key has in shipped settings, each once.
pub fn seen(key: &Key, places: &[Place]) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for place in places {
        for path in key.places_in(&place.scenario) {
            let value = value_at(&place.scenario, &path);
            if found.len() < SEEN_MAX && !value.is_null() && !found.contains(value) {
                found.push(value.clone());
            }
        }
    }
    found
}

/// So many values of other settings are enough.
const SEEN_MAX: usize = 6;

fn own(key: &Key, value: &Value) -> Vec<Value> {
    match shape(key.schema) {
        Shape::Bool => vec![json!(value != true), json!(value == true)],
        Shape::OneOf(words) | Shape::Registered(words) => {
            words.into_iter().map(|(word, _)| json!(word)).collect()
        }
        Shape::Integer(..) => {
            numbers(key, value).into_iter().map(|number| json!(number.round() as i64)).collect()
        }
        Shape::Number(_) => numbers(key, value).into_iter().map(|number| json!(number)).collect(),
        Shape::Amount => [0.0, 0.01, 0.000_1, 1.0, 100.0].map(|dollars| json!(dollars)).to_vec(),
        Shape::List(item, ..) => lists(item, value),
        Shape::Table(_) | Shape::Map(_) => vec![json!({})],
        Shape::Text | Shape::Tagged(..) | Shape::Any => Vec::new(),
    }
}

/// Twice and half, ten times and a tenth; then the ends, and what lies between.
fn numbers(key: &Key, value: &Value) -> Vec<f64> {
    let (low, high) = key.bounds();
    let ends = (low.unwrap_or(0.0), high.unwrap_or(f64::MAX));
    let now = value.as_f64().unwrap_or(0.0);
    let mut found: Vec<f64> = [2.0, 0.5, 10.0, 0.1].iter().map(|factor| now * factor).collect();
    if now == 0.0 {
        found = vec![0.5, 1.0, 0.1, 10.0, 100.0, 1_000.0, 5_000.0, 0.01];
    }
    let near = |end: f64| (end - now).abs() <= FAR.max(now.abs() * FAR);
    found.extend([ends.1, ends.0].into_iter().filter(|end| near(*end)));
    found.push(0.0);
    if near(ends.1) && near(ends.0) {
        found.push(f64::midpoint(ends.0, ends.1));
    }
    found.retain(|one| (ends.0..=ends.1).contains(one));
    found
}

/// None of the entries, all but the first, all but the last; numbers moved one by one.
fn lists(item: &'static Value, value: &Value) -> Vec<Value> {
    let entries = value.as_array().cloned().unwrap_or_default();
    let mut found = vec![json!([])];
    if let Some(((_, but_first), (_, but_last))) = entries.split_first().zip(entries.split_last()) {
        found.extend([json!(but_first), json!(but_last)]);
    }
    if is_of_tables(item) {
        return found;
    }
    for factor in [0.5, 2.0, 0.0] {
        for place in 0..entries.len() {
            let mut moved = entries.clone();
            moved[place] = number_moved(&entries[place], factor);
            found.insert(found.len() - 1, json!(moved));
        }
    }
    if let Shape::OneOf(words) = shape(item) {
        let lengths = [1, entries.len().max(1)];
        found.extend(words.iter().flat_map(|(word, _)| lengths.map(|length| json!(vec![*word; length]))));
    }
    found
}

fn number_moved(value: &Value, factor: f64) -> Value {
    match (value.as_i64(), value.as_f64()) {
        (Some(whole), _) => json!((whole as f64 * factor).round() as i64),
        (None, Some(number)) => json!(number * factor),
        _ => match value.as_array() {
            // A row of a matrix of shares: what one entry loses another gains.
            Some(row) if row.len() >= 2 => {
                let mut row = row.clone();
                row.reverse();
                json!(row)
            }
            _ => value.clone(),
        },
    }
}
