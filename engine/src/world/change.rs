//! Differences of two scenarios, and the keys that a world under way can take over.
//!
//! Keys can change by default, and `FIXED` lists the exceptions: keys by which the past was made. A new key of that kind must be added to
//! the list, or a run that goes on under another value would have a past that its own scenario can't produce. It is a configuration diff
//! with a list of immutable keys (hot reload rules). Values are JSON. `World::rebind` refuses a fixed key by it, in a branch of a run and
//! where an owner steers one under way; a branch refuses beforehand, and its provenance lists the changes.

use crate::world::Scenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A changed key, i.e. an entry of a configuration diff: its value before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyChange {
    /// The key, with numbers for places in lists, from 0.
    pub key: String,
    /// Its value in the first scenario; null when it was left out.
    pub from: Value,
    /// Its value in the second.
    pub to: Value,
}

/// Keys that a world under way can't take over, with the reason; `*` stands for any place of a list.
const FIXED: [(&str, &str); 15] = [
    ("name", "it is what the world and its tables are called"),
    ("seed", "all luck since the first tick was drawn by it"),
    ("cohorts.*.name", "the tables of what has been lived call them so"),
    ("cohorts.*.golems", "the lineage slots are numbered by it"),
    ("cohorts.*.memory", "the living remember with it already: use --swap-memory for one of them"),
    ("cohorts", "the lineage slots are numbered by them"),
    ("market.impact", "positions that are open were opened under it"),
    ("market.embedding_dimensions", "what is remembered is stored at this length"),
    ("market.start_time_s", "the clock has run from there"),
    ("market.tick_seconds", "the clock has run by it"),
    ("market.warmup_ticks", "the warm-up is over"),
    ("market.start_within_bars", "the world has begun at its first bar"),
    ("market.start_every_bars", "the world has begun at its first bar"),
    ("market.assets", "prices have followed them so far"),
    ("lethe.start_from", "it is what the world began with"),
];

/// The reason why a world under way can't take a key over; `None` when it can. The keys inside a fixed table can't be changed either.
pub fn fixed(key: &str) -> Option<&'static str> {
    let matches = |pattern: &str| {
        let mut segments = key.split('.');
        let found =
            pattern.split('.').all(|part| segments.next().is_some_and(|own| part == "*" || part == own));
        // The list of cohorts as a whole can't be another one, but single keys of them can. Without this condition the entry "cohorts" would fix them all,
        // because a pattern matches every key that begins with it.
        found && (pattern != "cohorts" || segments.next().is_none())
    };
    FIXED.into_iter().find(|(pattern, _)| matches(pattern)).map(|(_, why)| why)
}

impl Scenario {
    /// Compares (diffs) two configurations: the keys in which another scenario differs from this one, in the order of the types.
    ///
    /// # Panics
    /// Never: a scenario is plain data.
    pub fn differences(&self, other: &Self) -> Vec<KeyChange> {
        let json = |scenario: &Self| serde_json::to_value(scenario).expect("a scenario is plain data");
        let mut found = Vec::new();
        differ("", &json(self), &json(other), &mut found);
        found
    }
}

fn differ(path: &str, from: &Value, to: &Value, found: &mut Vec<KeyChange>) {
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (from, to) {
        (Value::Object(a), Value::Object(b)) => {
            let new = b.keys().filter(|key| !a.contains_key(*key));
            for key in a.keys().chain(new) {
                let value =
                    |table: &serde_json::Map<String, Value>| table.get(key).cloned().unwrap_or_default();
                differ(&join(key), &value(a), &value(b), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (place, (from, to)) in a.iter().zip(b).enumerate() {
                differ(&join(&place.to_string()), from, to, found);
            }
        }
        _ if from == to => {}
        // Lists of different lengths are one difference. By places, an entry inserted at the front would be reported as a change of all others.
        _ => found.push(KeyChange { key: path.to_owned(), from: from.clone(), to: to.clone() }),
    }
}
