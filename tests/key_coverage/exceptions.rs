//! Keys whose change makes no difference in any shipped setting, and why.

use crate::keys::Key;
use crate::open::OPEN;
use crate::record::Record;

/// A key, or a whole table as `faults[].*`, and why nothing shows it.
const NOWHERE: &[(&str, &str)] = &[
    ("name", "a name: the run folder is called by it, and nothing that happens"),
    ("description", "tells people what it is for"),
    ("cohorts[].name", "a name: tables tell of cohorts by it, events by their place"),
    ("market.assets[].symbol", "a name: tables tell of assets by it, events by their place"),
    ("market.drift.laws[].name", "a name: what refers to it would have to change with it"),
    (
        "market.assets[].source(replay).file",
        "only one of the shipped recordings is long enough for a shipped setting; `.start` changes the bars",
    ),
    ("memory.own", "parameters of memories that a program registers itself; `lab/tests/own_memory.rs`"),
    ("lethe.persist", "a folder outside the world; `tests/persistent_lethe.rs`"),
    ("lethe.start_from", "a folder that an earlier run has left; `tests/persistent_lethe.rs`"),
    ("faults[].*", "no shipped setting panics on purpose; `engine/tests/services.rs`"),
    ("record.events", "what is written, and nothing that happens; `tests/coverage.rs` reads it"),
];

fn speaks_of(pattern: &str, key: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == key, |table| key.starts_with(table))
}

/// Whether a key is still looked for: nobody has shown that it acts, nor that it doesn't.
pub fn is_open(key: &str) -> bool {
    OPEN.contains(&key)
}

/// Why a key needs no proof.
pub fn why(key: &str) -> Option<&'static str> {
    NOWHERE.iter().find(|(pattern, _)| speaks_of(pattern, key)).map(|(_, why)| *why)
}

/// Lines of the lists that speak of no key, or of one that is proved.
pub fn idle(keys: &[Key], record: &Record) -> Vec<String> {
    let speaks_of_none = |pattern: &str| !keys.iter().any(|key| speaks_of(pattern, &key.name));
    let proved = |pattern: &str| record.keys().find(|key| speaks_of(pattern, key));
    let line = |(pattern, _): &(&str, &str)| match proved(pattern) {
        Some(key) => Some(format!("{pattern}: is excepted, and the page proves {key}")),
        None if speaks_of_none(pattern) => Some(format!("{pattern}: is excepted, and there is no such key")),
        None => None,
    };
    let is_done = |open: &&&str| record.contains_key(**open) || !keys.iter().any(|key| key.name == **open);
    let done =
        OPEN.iter().filter(is_done).map(|open| format!("{open}: is proved or gone: take it out of open.rs"));
    NOWHERE.iter().filter_map(line).chain(done).collect()
}
