//! The page of keys: what was found for each, as people and this test read it.

use crate::common::generated::{self, Pages, links_to_tables, table_of};
use crate::consequence::Asked;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// That a key acts: a setting in which something else happens when it is changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    /// The name of the shipped setting.
    pub place: String,
    /// What is otherwise in it before and after, where no shipped setting lets the key act.
    pub given: Option<Change>,
    /// What is changed there.
    pub changes: Vec<Change>,
    /// The tick from which on the changes hold.
    pub from: usize,
    /// The first tick in which something else happens.
    pub tick: usize,
}

/// A change of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The key in that setting, entries of lists by their place.
    pub path: String,
    /// What it is changed to; null takes it away.
    pub value: Value,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{} = {}`", self.path, self.value.to_string().replace('|', "\\u007c"))
    }
}

impl Change {
    fn read(text: &str) -> Option<Self> {
        let (path, value) = text.trim_matches('`').split_once(" = ")?;
        let value = serde_json::from_str(&value.replace("\\u007c", "|")).ok()?;
        Some(Self { path: path.to_owned(), value })
    }
}

/// Between changes that have to be made together.
const AND: &str = "` and `";

/// Before what is given.
const WITH: &str = " with ";

/// The changes as the page has them.
pub fn shown(changes: &[Change]) -> String {
    changes.iter().map(Change::to_string).collect::<Vec<_>>().join(" and ")
}

/// Proofs by the name of the key.
pub type Record = BTreeMap<String, Proof>;

/// The name of the pages in the book.
const STEM: &str = "keys";

/// The text of all pages that the book has.
pub fn kept() -> String {
    generated::paths(STEM).iter().map(|page| std::fs::read_to_string(page).unwrap()).collect()
}

const HEAD: &str = "# Every key acts somewhere\n\n\
    Made by `MORTA_RECORD=1 cargo test --workspace --test keys`. For each key a shipped setting, a scenario or an arm of a sweep, in which something else\n\
    happens when that key alone is changed: to what, and the tick in which the runs part. `null` takes a key away. Keys that have to add up\n\
    are changed by twos. Where a change takes hold later than at tick 0, the setting is lived unchanged until then. Keys without such a setting\n\
    say why. What a setting is lived *with* on both sides is what no shipped one has, and without which the key can't act.\n\n\
    That runs part is no consequence. What moved when a study set the key otherwise stands in the last column, with its page; *none found* is that study's\n\
    null, in its worlds and ranges (`docs/consequence-of-keys.txt`).\n\n";

const TABLES: &str = "\n\nKeys of these tables have a page each; all others are below.\n\n";

const COLUMNS: &str =
    "| key | setting | changed | from tick | parts at tick | consequence |\n|---|---|---|---|---|---|\n";

/// The proofs of a page; lines that aren't read as one are left out, so that they are searched anew.
pub fn read(page: &str) -> Record {
    page.lines().filter_map(proof).collect()
}

fn proof(line: &str) -> Option<(String, Proof)> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [key, place, changed, from, tick, _] = cells[..] else { return None };
    let (place, given) = place.split_once(WITH).map_or((place, None), |(place, given)| (place, Some(given)));
    let given = match given.map(Change::read) {
        Some(None) => return None,
        read => read.flatten(),
    };
    let changes: Option<Vec<Change>> = changed.split(AND).map(Change::read).collect();
    let (from, tick) = (from.parse().ok()?, tick.parse().ok()?);
    let proof = Proof { place: place.to_owned(), given, changes: changes?, from, tick };
    Some((key.trim_matches('`').to_owned(), proof))
}

/// The pages, keys in the order given; `why` says of each key without a proof why it has none.
pub fn pages(keys: &[&str], record: &Record, asked: &Asked, why: impl Fn(&str) -> String) -> Pages {
    let proofs = |table: Option<&str>| {
        let results = if table.is_some() { "../results" } else { "results" };
        let rows = keys.iter().filter(|key| table_of(key) == table);
        let rows =
            rows.filter_map(|key| record.get(*key).map(|proof| row(key, proof, &asked.cell(key, results))));
        COLUMNS.to_owned() + &rows.collect::<String>()
    };
    let without = keys.iter().filter(|key| !record.contains_key(**key));
    let without: String =
        without.map(|key| format!("| `{key}` | {} | {} |\n", why(key), asked.cell(key, "results"))).collect();
    let first =
        HEAD.to_owned() + &asked.counted(keys) + TABLES + &links_to_tables(STEM) + "\n" + &proofs(None);
    let first =
        first + "\n## Keys without such a setting\n\n| key | why | consequence |\n|---|---|---|\n" + &without;
    let mut pages = Pages::new(STEM, first);
    for table in keys.iter().filter_map(|key| table_of(key)).collect::<BTreeSet<_>>() {
        let head = format!("# Where each key of `{table}` acts\n\n[How this table is read](../keys.md)\n\n");
        pages.add(table, head + &proofs(Some(table)));
    }
    pages
}

fn row(key: &str, Proof { place, given, changes, from, tick }: &Proof, consequence: &str) -> String {
    let given = given.as_ref().map_or_else(String::new, |given| format!("{WITH}{given}"));
    format!("| `{key}` | {place}{given} | {} | {from} | {tick} | {consequence} |\n", shown(changes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pages_are_read_as_they_were_written() {
        let proof = |value: Value| Proof {
            place: "scenarios/levers/x.toml a/b=1".to_owned(),
            given: value.is_number().then(|| Change { path: "seed".to_owned(), value: json!("x") }),
            changes: ["cohorts.0.golems", "ticks"]
                .map(|path| Change { path: path.to_owned(), value: value.clone() })
                .to_vec(),
            from: 10,
            tick: 12,
        };
        let values = [json!(3), json!(null), json!({"a": ["x | y", 0.5]})];
        let keys = ["seed", "dream.enabled", "market.impact", "other"];
        let record: Record =
            keys.into_iter().zip(values).map(|(key, value)| (key.to_owned(), proof(value))).collect();
        let pages = pages(&keys, &record, &Asked::of(&[]), |_| "it is | dead".to_owned());
        assert_eq!(read(&pages.text()), record);
    }
}
