//! A recall store on the disk. Each mistake is reported with its line; the file is replaced as a whole or not at all.
//! It is a JSON store with tolerant parsing, an atomic write, and the order of entries kept. Unknown fields are kept,
//! because other programs share the file. Callers that write hold the lock of the store from reading on; nothing here
//! takes it. A file that is no JSON or no store is refused, a single bad entry is dropped.

use crate::limits::log_text;
use crate::notes::Notes;
use morta_lab::error::{At as _, Error, Result};
use morta_lab::text::json_file;
use morta_lab::whole_file::replace;
use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::store::{RecallStore, SearchHit};
use morta_memories::openclaw::text::normalise_path;
use morta_memories::openclaw::time::{Instant, Zone};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// An entry or line that was skipped, and the parse error that was the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The line's number, from 1.
    pub line: u64,
    /// The entry's key; none for a line of a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The reason.
    pub why: String,
}

/// A store with the JSON file it was read from (JSON): unknown fields and the order of entries are kept.
#[derive(Debug, Default)]
pub(crate) struct StoreFile {
    /// The store.
    pub store: RecallStore,
    /// Skipped entries.
    pub dropped: Vec<LeftOut>,
    /// The JSON as it was read; none for a new store.
    original: Option<Value>,
    /// Entries that the phase's `sources` exclude; they are written back.
    aside: BTreeMap<String, RecallEntry>,
    /// New entries with their order of appearance.
    met: BTreeMap<String, usize>,
}

impl StoreFile {
    /// Loads a store; `-` reads standard input. Unusable entries are reported and skipped.
    ///
    /// # Errors
    /// When it can't be read, or isn't a store.
    pub(super) fn read(path: &Path, notes: Notes<'_>) -> Result<Self> {
        if path != Path::new("-") && !path.exists() {
            return Err(Error::at(
                path,
                "there is no recall store: name one, or go into a workspace that has it; `morta-memory openclaw record` and `live` make it",
            ));
        }
        // Some editors write a byte-order mark, which the JSON parser rejects.
        Self::parse(path, text(path)?.trim_start_matches('\u{feff}'), notes)
    }

    /// Loads a store, or returns an empty one if the file doesn't exist.
    ///
    /// # Errors
    /// When it exists and can't be read, or isn't a store.
    pub(crate) fn read_or_new(path: &Path, notes: Notes<'_>) -> Result<Self> {
        if path.exists() {
            return Self::read(path, notes);
        }
        Ok(Self::default())
    }

    fn parse(path: &Path, text: &str, notes: Notes<'_>) -> Result<Self> {
        let name = path.display();
        let file = json(path, text)?;
        let (store, unusable) = RecallStore::from_json(&file).at(path)?;
        let mut dropped: Vec<LeftOut> = unusable
            .into_iter()
            .map(|one| LeftOut {
                line: last_line_of(&one.key, text),
                key: Some(one.key),
                why: one.why.to_string(),
            })
            .collect();
        let EntryKeys { entries: Keys(keys) } = serde_json::from_str(text).unwrap_or_default();
        let mut seen = BTreeSet::new();
        for key in keys {
            if seen.contains(&key) {
                let why = "its key has come before; the last one counts".to_owned();
                dropped.push(LeftOut { line: last_line_of(&key, text), key: Some(key), why });
            } else {
                seen.insert(key);
            }
        }
        dropped.sort_by_key(|one| one.line);
        for one in &dropped {
            let key = one.key.as_deref().unwrap_or_default();
            notes(&format!("{name}:{}: entry {key:?} is dropped: {}", one.line, one.why));
        }
        Ok(Self { store, dropped, original: Some(file), aside: BTreeMap::new(), met: BTreeMap::new() })
    }

    /// Records a search with its hits. Returns the number of hits that counted.
    pub(super) fn record(&mut self, query: &str, hits: &[SearchHit<'_>], at: Instant, zone: &Zone) -> u32 {
        for hit in hits {
            let met = self.met.len();
            let key = RecallEntry::key(&normalise_path(hit.path), hit.start_line, hit.end_line);
            self.met.entry(key).or_insert(met);
        }
        self.store.record(query, hits, at, zone)
    }

    /// Lists the entries in the order of the file, then new ones in the order of appearance.
    pub(super) fn in_order(&self) -> Vec<(&str, &RecallEntry)> {
        let mut entries = self.store.in_order_of(self.original.as_ref());
        entries.sort_by_key(|(key, _)| self.place(key));
        entries
    }

    /// The sort key: 0 for every entry of the file, because sorting is stable and keeps their order.
    fn place(&self, key: &str) -> usize {
        let old = self.original.as_ref().and_then(|file| file["entries"].get(key));
        old.map_or_else(|| 1 + self.met.get(key).copied().unwrap_or(usize::MAX - 1), |_| 0)
    }

    /// Sets aside the entries that aren't looked at (partition); they are written back with the others. Returns their number.
    pub(crate) fn lay_aside(&mut self, is_looked_at: impl Fn(&RecallEntry) -> bool) -> usize {
        let entries = std::mem::take(&mut self.store.entries);
        let (looked_at, aside) = entries.into_iter().partition(|(_, entry)| is_looked_at(entry));
        (self.store.entries, self.aside) = (looked_at, aside);
        self.aside.len()
    }

    /// Replaces the file with the store (atomic write).
    ///
    /// # Errors
    /// When it can't be written; the file is unchanged then.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut store = self.store.clone();
        store.entries.extend(self.aside.clone());
        let mut value = store.to_json(self.original.as_ref());
        if let Some(Value::Object(entries)) = value.get_mut("entries") {
            let mut in_order: Vec<(String, Value)> = std::mem::take(entries).into_iter().collect();
            in_order.sort_by_key(|(key, _)| self.place(key));
            entries.extend(in_order);
        }
        replace(path, json_file(&value)?.as_bytes())
    }
}

/// The UTF-8 text of a file within the size limit of logs; `-` reads standard input (read text). Logs of searches and configurations are
/// read by it too.
///
/// # Errors
/// When it can't be read.
pub(super) fn text(path: &Path) -> Result<String> {
    log_text(path).at(path)
}

/// Reads the text of a file; none if it doesn't exist. Notes, long-term memory and logs of searches are read by it.
///
/// # Errors
/// When it can't be read.
pub(crate) fn text_if_there(path: &Path) -> Result<Option<String>> {
    match log_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::at(path, unreadable(&error))),
    }
}

/// The reason why a text can't be read, with a remedy.
fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData => "is not UTF-8: save it as UTF-8".to_owned(),
        ErrorKind::IsADirectory => "is a folder: a note is a file".to_owned(),
        _ => error.to_string(),
    }
}

/// Parses JSON; an error has its line.
///
/// # Errors
/// When it isn't JSON.
pub(super) fn json(path: &Path, text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| {
        let full = error.to_string();
        let what = full.split(" at line ").next().unwrap_or(&full);
        Error::invalid(format!("{}:{}: {what}", path.display(), error.line()))
    })
}

/// The line where a JSON text last names a value by the key; 1 if it spells it otherwise, for example with escapes.
fn last_line_of(key: &str, text: &str) -> u64 {
    let quoted = Value::String(key.to_owned()).to_string();
    let names = |(at, _): &(usize, &str)| text[at + quoted.len()..].trim_start().starts_with(':');
    let at = text.match_indices(&quoted).filter(names).last().map_or(0, |(at, _)| at);
    1 + text[..at].bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// A store of which only the keys of the entries are read.
#[derive(Default, serde::Deserialize)]
struct EntryKeys {
    entries: Keys,
}

/// Keys with repetitions, which a parsed map would hide.
#[derive(Default)]
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of entries")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
