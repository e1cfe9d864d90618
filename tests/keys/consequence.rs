//! What a key changes, as far as a study asked: `docs/consequence-of-keys.txt` has a line for each key that was asked by itself. Which studies vary a key
//! at all is read from the arms of their files, and no answer may be of a study that leaves its key alone. One study has no such file: it asked all
//! keys at once that no other had asked, and its page has a row for each with the change.

use crate::common::answers::{Answers, Counted, link, page_of};
use crate::common::root;
use crate::keys::{Key, value_at};
use crate::places;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What every arm calls itself by, and no study varies.
const NAMES: [&str; 3] = ["name", "description", "seed"];

/// The page of `checks/key_consequences.py`.
const AT_ONCE: &str = "key-consequences";

/// What was asked of keys.
pub struct Asked {
    answers: Answers,
    /// Keys that differ between the arms of a study, by its name.
    varied: BTreeMap<String, BTreeSet<String>>,
}

impl Asked {
    pub fn of(keys: &[Key]) -> Self {
        let studies = places::sweeps().into_iter().chain(screenings());
        let varied = studies.map(|path| (stem(&path), varied_in(&path, keys)));
        let varied = varied.chain([(AT_ONCE.to_owned(), asked_at_once(keys))]).collect();
        Self { answers: Answers::read("docs/consequence-of-keys.txt"), varied }
    }

    /// The cell of a key, on a page from which `results` leads to the pages of results.
    pub fn cell(&self, key: &str, results: &str) -> String {
        self.answers.cell(key, results).unwrap_or_else(|| {
            let studies: Vec<String> = self.beside(key).map(|study| link(study, results)).collect();
            match &studies[..] {
                [] => "not asked".to_owned(),
                studies => format!("not asked by itself; varied in {}", studies.join(", ")),
            }
        })
    }

    /// Studies of the book with arms that differ in a key.
    fn beside(&self, key: &str) -> impl Iterator<Item = &str> {
        let varied = self.varied.iter().filter(move |(_, keys)| keys.contains(key));
        varied.map(|(study, _)| study.as_str()).filter(|study| page_of(study).is_file())
    }

    /// How many of these keys have which answer, in a sentence.
    pub fn counted(&self, keys: &[&str]) -> String {
        let Counted { found, none, .. } = self.answers.counted(keys.iter().copied());
        let unanswered = keys.iter().filter(|key| self.answers.cell(key, "").is_none());
        let (beside, not): (Vec<&str>, Vec<&str>) =
            unanswered.partition(|key| self.beside(key).next().is_some());
        format!(
            "Of {} keys {found} have a consequence that a study found, of {none} none was found, {} were varied beside others alone, and {} were not asked.",
            keys.len(),
            beside.len(),
            not.len()
        )
    }

    /// What is wrong with the file.
    pub fn wrong(&self, keys: &[Key]) -> Vec<String> {
        let mut wrong = self.answers.wrong(|key| keys.iter().any(|own| own.name == key));
        for (key, page) in self.answers.iter() {
            if !studies_of(page).iter().any(|study| self.varied[study].contains(key)) {
                wrong.push(format!("{key}: the study of {page} doesn't vary it"));
            }
        }
        wrong
    }
}

/// The studies whose figures a page has: that of its name, but for two pages.
fn studies_of(page: &str) -> Vec<String> {
    match page {
        "consequence" => vec!["replay-rules".to_owned(), "rule-consequences".to_owned()],
        "sensitivity" => screenings().map(|path| stem(&path)).collect(),
        page => vec![page.to_owned()],
    }
}

fn screenings() -> impl Iterator<Item = PathBuf> {
    let names = ["screening", "knobs", "knobs-baselines", "knobs-market"];
    names.into_iter().map(|name| Path::new("scenarios/sensitivity").join(name).with_extension("toml"))
}

/// The keys with a row on the page of all keys at once that changes them: the first of the changes is of the key.
fn asked_at_once(keys: &[Key]) -> BTreeSet<String> {
    let page = std::fs::read_to_string(page_of(AT_ONCE)).unwrap();
    let asked = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, _, change, _, _, _, _] = cells[..] else { return None };
        let path = change.strip_prefix('`')?.split_once(" = ")?.0;
        let key = keys.iter().find(|key| name == format!("`{}`", key.name))?;
        key.stands_at(path).then(|| key.name.clone())
    };
    page.lines().filter_map(asked).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// The keys that have another value in one arm than in another.
fn varied_in(path: &Path, keys: &[Key]) -> BTreeSet<String> {
    let arms = places::of_sweep(&root().join(path));
    let values = |key: &Key, arm: &Value| -> Vec<Value> {
        key.places_in(arm).iter().map(|path| value_at(arm, path).clone()).collect()
    };
    let varies = |key: &&Key| {
        let first = values(key, &arms[0].scenario);
        arms.iter().any(|arm| values(key, &arm.scenario) != first)
    };
    let keys = keys.iter().filter(|key| !NAMES.contains(&key.name.as_str()));
    keys.filter(varies).map(|key| key.name.clone()).collect()
}
