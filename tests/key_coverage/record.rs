//! The page of keys: what was found for each, as people and this test read it.

use crate::common::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// That a key acts: a setting in which something else happens when it is changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The name of the shipped setting.
    pub place: String,
    /// The key in that setting, entries of lists by their place.
    pub path: String,
    /// What it is changed to; null takes it away.
    pub value: Value,
    /// The first tick in which something else happens.
    pub tick: usize,
}

/// Proofs by the name of the key.
pub type Record = BTreeMap<String, Proof>;

/// Where the page is.
pub fn path() -> PathBuf {
    root().join("scenarios/KEYS.md")
}

const HEAD: &str = "# Every key acts somewhere\n\n\
    Made by `MORTA_RECORD=1 cargo test --test key_coverage`. For each key a shipped setting, a scenario or an arm of a sweep, in which something else\n\
    happens when that key alone is changed: to what, and the tick in which the runs part. `null` takes a key away. Keys without such a setting\n\
    say why.\n\n\
    | key | setting | changed | to | parts at tick |\n|---|---|---|---|---|\n";

/// The proofs of a page; lines that aren't read as one are left out, so that they are searched anew.
pub fn read(page: &str) -> Record {
    page.lines().filter_map(proof).collect()
}

fn proof(line: &str) -> Option<(String, Proof)> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
    let [key, place, path, value, tick] = cells[..] else { return None };
    let value = serde_json::from_str(&value.replace("\\u007c", "|")).ok()?;
    let proof = Proof { place: place.to_owned(), path: path.to_owned(), value, tick: tick.parse().ok()? };
    Some((key.to_owned(), proof))
}

/// The page, keys in the order given; `why` says of each key without a proof why it has none.
pub fn page<'a>(keys: impl Iterator<Item = &'a str>, record: &Record, why: impl Fn(&str) -> String) -> String {
    let mut page = HEAD.to_owned();
    let mut without = String::new();
    for key in keys {
        match record.get(key) {
            Some(Proof { place, path, value, tick }) => {
                let value = value.to_string().replace('|', "\\u007c");
                writeln!(page, "| `{key}` | {place} | `{path}` | `{value}` | {tick} |").unwrap();
            }
            None => writeln!(without, "| `{key}` | {} |", why(key)).unwrap(),
        }
    }
    page + "\n## Keys without such a setting\n\n| key | why |\n|---|---|\n" + &without
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_is_read_as_it_was_written() {
        let proof = |value: Value| Proof {
            place: "scenarios/levers/x.toml a/b=1".to_owned(),
            path: "cohorts.0.golems".to_owned(),
            value,
            tick: 12,
        };
        let record: Record = [json!(3), json!(null), json!({"a": ["x | y", 0.5]})]
            .into_iter()
            .enumerate()
            .map(|(place, value)| (format!("key{place}"), proof(value)))
            .collect();
        let keys = ["key0", "key1", "key2", "other"];
        let page = page(keys.into_iter(), &record, |_| "it is | dead".to_owned());
        assert_eq!(read(&page), record);
    }
}
