//! Keys whose change makes no difference in any shipped setting, and why.

use crate::keys::Key;
use crate::record::Record;

/// A key, or a whole table as `faults[].*`, and why nothing shows it.
const NOWHERE: &[(&str, &str)] = &[
    ("name", "a name: the run folder is called by it, and nothing that happens"),
    ("description", "tells people what it is for"),
];

fn speaks_of(pattern: &str, key: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == key, |table| key.starts_with(table))
}

/// Why a key needs no proof.
pub fn why(key: &str) -> Option<&'static str> {
    NOWHERE.iter().find(|(pattern, _)| speaks_of(pattern, key)).map(|(_, why)| *why)
}

/// Lines of the list that speak of no key, or of one that is proved.
pub fn idle(keys: &[Key], record: &Record) -> Vec<String> {
    let speaks_of_none = |pattern: &str| !keys.iter().any(|key| speaks_of(pattern, &key.name));
    let proved = |pattern: &str| record.keys().find(|key| speaks_of(pattern, key));
    let line = |(pattern, _): &(&str, &str)| match proved(pattern) {
        Some(key) => Some(format!("{pattern}: is excepted, and the page proves {key}")),
        None if speaks_of_none(pattern) => Some(format!("{pattern}: is excepted, and there is no such key")),
        None => None,
    };
    NOWHERE.iter().filter_map(line).collect()
}
