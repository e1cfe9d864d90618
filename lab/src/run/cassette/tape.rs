//! A cassette in memory: a content-addressed map from the hash of a request to its response. It is read, merged, pruned (garbage collection
//! of unused calls) and written with the same bytes for the same calls. Keys are content and no order, because threads ask in no fixed
//! order. Two replies to one call are refused when a file is read, by `merge` and while recording; where a run goes on with what it has,
//! the reply that it was lived with stays.

use super::{AskerNames, CassetteEntry, difference, reader};
use crate::io::error::{Error, Result};
use crate::io::whole_file;
use flate2::Compression;
use flate2::write::GzEncoder;
use morta_base::digest::hex_of;
use morta_engine::llm::outside::{Call, CallKey, CallReply};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

/// Calls with their replies, each call once, in the order of keys (response cache).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cassette {
    entries: BTreeMap<CallKey, CassetteEntry>,
}

impl Cassette {
    /// Reads a file whole and checks every line of it (validation).
    ///
    /// # Errors
    /// [`Error::Invalid`] with file, line, mistake and remedy.
    pub fn read(path: &Path) -> Result<Self> {
        reader::read(path)
    }

    /// Merges several cassettes into one; conflicting replies are an error.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a file can't be read, or two of them have different replies to one call, which a model whose luck isn't
    /// fixed gives.
    pub fn merge(files: &[&Path]) -> Result<Self> {
        let mut all = Self::default();
        let mut from: BTreeMap<CallKey, &Path> = BTreeMap::new();
        for file in files {
            for (key, entry) in Self::read(file)?.entries {
                let first = *from.entry(key).or_insert(file);
                all.insert(entry).map_err(|problem| {
                    let (first, second) = (first.display(), file.display());
                    Error::invalid(format!(
                        "{first} and {second}: {problem}: merge cassettes of one recording"
                    ))
                })?;
            }
        }
        Ok(all)
    }

    /// Adds a call. A call that is there already must have the same reply: with two replies, a run would depend on the order in which
    /// cassettes were merged (conflict).
    pub(super) fn insert(&mut self, entry: CassetteEntry) -> Result<(), String> {
        let Some(known) = self.entries.get_mut(&entry.key) else {
            self.entries.insert(entry.key.clone(), entry);
            return Ok(());
        };
        if known.reply != entry.reply {
            let CassetteEntry { key, asker, .. } = entry;
            return Err(format!(
                "two different replies to call {key} ({}, tick {})",
                asker.dream, asker.tick
            ));
        }
        known.take_earlier_asker(entry.asker);
        Ok(())
    }

    /// Adds all calls of another one; replies that are here already stay, because the run has been lived with them (union).
    pub(crate) fn extend(&mut self, other: Self) {
        for (key, entry) in other.entries {
            self.entries.entry(key).or_insert(entry);
        }
    }

    /// Prunes the cassette to these calls, in a copy.
    #[must_use]
    pub fn pruned(&self, used: &BTreeSet<CallKey>) -> Self {
        let kept = self.entries.iter().filter(|(key, _)| used.contains(*key));
        Self { entries: kept.map(|(key, entry)| (key.clone(), entry.clone())).collect() }
    }

    /// Takes calls out (removal by key).
    pub(super) fn remove<'a>(&mut self, keys: impl Iterator<Item = &'a CallKey>) {
        keys.for_each(|key| drop(self.entries.remove(key)));
    }

    /// The number of recorded calls.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no call is recorded.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Iterates over all calls, in the order of keys.
    pub fn entries(&self) -> impl Iterator<Item = &CassetteEntry> {
        self.entries.values()
    }

    /// Looks up the reply to a call, if it was recorded.
    pub fn reply(&self, key: &CallKey) -> Option<&CallReply> {
        self.entries.get(key).map(|entry| &entry.reply)
    }

    /// Looks up a call with all that was said, if it was recorded.
    pub fn entry(&self, key: &CallKey) -> Option<&CassetteEntry> {
        self.entries.get(key)
    }

    /// Another asker has made the same call: the entry keeps the earliest asker (caller metadata).
    pub(super) fn asked_by(&mut self, key: &CallKey, asker: AskerNames) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.take_earlier_asker(asker);
        }
    }

    /// Finds the recorded call of the same task that shares most lines of its messages with this one (nearest match). It is for the error
    /// of a missing call: the first line that differs usually shows which key of the scenario was changed.
    pub(super) fn nearest(&self, call: &Call) -> Option<&CassetteEntry> {
        let of_task = self.entries.values().filter(|entry| entry.request.schema_name == call.schema_name);
        of_task.min_by_key(|entry| difference::size(call, &entry.request))
    }

    /// Serialises the cassette as JSON Lines, before compression.
    pub fn content(&self) -> Vec<u8> {
        let mut content = reader::header();
        self.entries.values().for_each(|entry| content.extend(entry.line()));
        content
    }

    /// The content hash (BLAKE3), as 64 hexadecimal digits: the same, compressed or not.
    pub fn hash(&self) -> String {
        hex_of(&self.content())
    }

    /// Writes the cassette whole, in place of what was there, by gzip when the name ends in `.gz` (atomic write).
    ///
    /// # Errors
    /// When it can't be written; what was there before then still is.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut content = self.content();
        if reader::is_compressed(path) {
            // The encoder's header has neither a name nor a time, so that the same calls make the same bytes.
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&content)?;
            content = encoder.finish()?;
        }
        whole_file::replace(path, &content)
    }
}
