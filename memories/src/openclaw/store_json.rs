//! The recall store as a file: `{version, updatedAt, entries}`. Reading repairs values with a certain meaning, drops unusable entries and lists them.
//! It is JSON serialization with error recovery that keeps unknown fields. A bad entry is dropped and named, because one must not cost
//! the store. Only users' files are read so; a golem's store is serialised as it is.

use super::entry::{MAX_DAYS, MAX_QUERIES, RecallEntry, keep_newest};
use super::store::RecallStore;
use super::tags::concept_tags;
use super::text::{collapse, normalise_path};
use super::time::StoredInstant;
use serde_json::{Map, Value, json};
use thiserror::Error;

/// An entry that was dropped, i.e. rejected as invalid, with the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Its key in the file.
    pub key: String,
    /// The reason.
    pub why: BadEntry,
}

/// The reason why a file isn't a recall store (parse error): its format is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NotAStore {
    /// The file isn't a JSON object.
    #[error("it must be an object with version, updatedAt and entries")]
    NotAnObject,
    /// A required field is missing.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// The version is unknown.
    #[error("version = {0}: only version 1 is known")]
    Version(Value),
    /// The entries aren't a JSON object.
    #[error("entries must be an object of entries by key")]
    Entries,
}

/// The reason why an entry of a recall store can't be used, such as a missing field or a wrong type.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadEntry {
    /// The entry isn't a JSON object.
    #[error("it is no object")]
    NotAnObject,
    /// A required field is missing.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// The source isn't `memory`.
    #[error("source = {0}: only \"memory\" is looked at")]
    Source(Value),
    /// The last line is before the first.
    #[error("endLine = {end}: must not be before startLine {start}")]
    Backwards {
        /// The first line.
        start: u32,
        /// The last line.
        end: u32,
    },
    /// A line isn't a whole number from 1.
    #[error("{field} = {value}: must be a whole number from 1")]
    Line {
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: Value,
    },
}

impl RecallStore {
    /// Reads a store by JSON parsing (deserialization with validation and repair). Entries without a path, with lines that aren't whole
    /// numbers from 1, or of another source than `memory` are dropped. Counts and scores are raised to 0, lists are deduplicated and cut to
    /// the newest, and missing tags are derived, as in the original.
    ///
    /// # Errors
    /// When it isn't a store: no object, another version, or no entries.
    pub fn from_json(value: &Value) -> Result<(Self, Vec<Dropped>), NotAStore> {
        let file = value.as_object().ok_or(NotAStore::NotAnObject)?;
        match file.get("version") {
            Some(version) if version.as_u64() == Some(1) => {}
            Some(version) => return Err(NotAStore::Version(version.clone())),
            None => return Err(NotAStore::Missing("version")),
        }
        let entries = file.get("entries").ok_or(NotAStore::Missing("entries"))?;
        let entries = entries.as_object().ok_or(NotAStore::Entries)?;
        let updated_at = file.get("updatedAt").and_then(Value::as_str).and_then(|text| text.parse().ok());
        let mut store = Self { updated_at, ..Self::default() };
        let mut dropped = Vec::new();
        for (key, value) in entries {
            match entry_from_json(value) {
                Ok(entry) => drop(store.entries.insert(key.clone(), entry)),
                Err(why) => dropped.push(Dropped { key: key.clone(), why }),
            }
        }
        Ok((store, dropped))
    }

    /// Sorts the entries in the order of the file they were read from, then new ones by the moment of their first recall (a stable order of
    /// insertion). In the order of keys instead, line 13 of a note would be before line 2.
    pub fn in_order_of(&self, read_from: Option<&Value>) -> Vec<(&str, &RecallEntry)> {
        let old = read_from.and_then(|file| file.get("entries")).and_then(Value::as_object);
        let known = old.into_iter().flat_map(Map::keys).filter_map(|key| self.entries.get_key_value(key));
        let mut ordered: Vec<(&str, &RecallEntry)> =
            known.map(|(key, entry)| (key.as_str(), entry)).collect();
        let is_new = |key: &str| old.is_none_or(|old| !old.contains_key(key));
        let new = self.entries.iter().filter(|(key, _)| is_new(key));
        let mut new: Vec<(&str, &RecallEntry)> = new.map(|(key, entry)| (key.as_str(), entry)).collect();
        new.sort_by(|(_, a), (_, b)| {
            let first = a.first_recalled_at.instant().cmp(&b.first_recalled_at.instant());
            first.then_with(|| a.path.cmp(&b.path)).then(a.start_line.cmp(&b.start_line))
        });
        ordered.extend(new);
        ordered
    }

    /// Serialises the store as JSON, in the order of the file it was read from, as it is written back. Unknown fields of its entries are
    /// kept, so that other programs don't lose data.
    pub fn to_json(&self, read_from: Option<&Value>) -> Value {
        let old = read_from.and_then(|file| file.get("entries")).and_then(Value::as_object);
        let entries: Map<String, Value> = self
            .in_order_of(read_from)
            .into_iter()
            .map(|(key, entry)| {
                let mut fields = old.and_then(|old| old.get(key)?.as_object().cloned()).unwrap_or_default();
                fields.extend(entry_to_json(key, entry));
                if entry.promoted_at.is_none() {
                    fields.remove("promotedAt");
                }
                (key.to_owned(), Value::Object(fields))
            })
            .collect();
        let updated = self.updated_at.map(|at| Value::String(at.to_string())).unwrap_or(Value::Null);
        json!({ "version": 1, "updatedAt": updated, "entries": entries })
    }
}

fn entry_to_json(key: &str, entry: &RecallEntry) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    put("key", json!(key));
    put("path", json!(entry.path));
    put("startLine", json!(entry.start_line));
    put("endLine", json!(entry.end_line));
    put("source", json!("memory"));
    put("snippet", json!(entry.snippet));
    put("recallCount", json!(entry.recall_count));
    if entry.daily_count > 0 {
        put("dailyCount", json!(entry.daily_count));
    }
    put("totalScore", json!(entry.total_score));
    put("maxScore", json!(entry.max_score));
    put("firstRecalledAt", json!(entry.first_recalled_at));
    put("lastRecalledAt", json!(entry.last_recalled_at));
    put("queryHashes", json!(entry.query_hashes));
    put("recallDays", json!(entry.recall_days));
    put("conceptTags", json!(entry.concept_tags));
    if let Some(promoted_at) = &entry.promoted_at {
        put("promotedAt", json!(promoted_at));
    }
    fields
}

fn entry_from_json(value: &Value) -> Result<RecallEntry, BadEntry> {
    let fields = value.as_object().ok_or(BadEntry::NotAnObject)?;
    let path = normalise_path(fields.get("path").and_then(Value::as_str).unwrap_or_default());
    if path.is_empty() {
        return Err(BadEntry::Missing("path"));
    }
    let source = fields.get("source").ok_or(BadEntry::Missing("source"))?;
    if source.as_str() != Some("memory") {
        return Err(BadEntry::Source(source.clone()));
    }
    let (start_line, end_line) = (line_of(fields, "startLine")?, line_of(fields, "endLine")?);
    if end_line < start_line {
        return Err(BadEntry::Backwards { start: start_line, end: end_line });
    }
    let stamp =
        |name: &str| StoredInstant::read(fields.get(name).and_then(Value::as_str).unwrap_or_default());
    let amount = |name: &str| {
        let found = fields.get(name).and_then(Value::as_f64).filter(|amount| amount.is_finite());
        found.unwrap_or(0.0).max(0.0)
    };
    let promoted = fields.get("promotedAt").and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let mut entry = RecallEntry {
        path,
        start_line,
        end_line,
        snippet: collapse(fields.get("snippet").and_then(Value::as_str).unwrap_or_default()),
        recall_count: amount("recallCount") as u32,
        daily_count: amount("dailyCount") as u32,
        total_score: amount("totalScore"),
        max_score: amount("maxScore"),
        first_recalled_at: stamp("firstRecalledAt"),
        last_recalled_at: stamp("lastRecalledAt"),
        query_hashes: distinct(texts(fields, "queryHashes")),
        recall_days: distinct(texts(fields, "recallDays"))
            .iter()
            .filter_map(|day| day.parse().ok())
            .collect(),
        concept_tags: Vec::new(),
        promoted_at: promoted.map(StoredInstant::read),
    };
    keep_newest(&mut entry.query_hashes, MAX_QUERIES);
    entry.recall_days.sort_unstable();
    keep_newest(&mut entry.recall_days, MAX_DAYS);
    // An empty list means no tags; only a missing list is derived.
    if fields.get("conceptTags").is_some_and(Value::is_array) {
        entry.tag(texts(fields, "conceptTags"));
    } else {
        entry.concept_tags = concept_tags(&entry.path, &entry.snippet);
    }
    Ok(entry)
}

fn line_of(fields: &Map<String, Value>, name: &'static str) -> Result<u32, BadEntry> {
    let value = fields.get(name).ok_or(BadEntry::Missing(name))?;
    let whole =
        value.as_f64().filter(|line| line.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(line));
    whole.map(|line| line as u32).ok_or_else(|| BadEntry::Line { field: name, value: value.clone() })
}

fn texts<'a>(fields: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a str> {
    let list = fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for text in texts {
        if !list.iter().any(|known| known == text) {
            list.push(text.to_owned());
        }
    }
    list
}
