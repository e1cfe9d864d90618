//! A store that stays open between the questions of a server: a read cache with cache invalidation by version, for concurrent processes.
//! The snapshot is parsed once, and later entries of other processes are read from the log. The file's version is looked at before each
//! question, because other processes write to it. `morta-memory owm recall` uses it for a single question.
//!
//! Actions and recalls take the store's file lock and are in its write-ahead log before the answer, actions synchronised to the disk;
//! other questions take no lock. A new snapshot is written by the first action of a new store, and by an action that finds the log longer
//! than 1,000,000 bytes.

use super::append_log;
use super::log;
use super::remember::{Account, episodes};
use super::store::{Store, Version};
use jiff::Timestamp;
use morta_lab::error::{Error, Result};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Length of a log in bytes after which the next action writes a snapshot: some thousand trades. Another process replays these in less time than it
/// needs to parse the snapshot of a store with as many.
const LOG_BYTES_MOST: u64 = 1_000_000;

/// A store of a server: its memories are cached between calls, and read again when another process has written.
#[derive(Debug)]
pub struct OpenStore {
    folder: PathBuf,
    /// The parsed store; none before the first question and after an error.
    held: Option<Held>,
}

/// The parsed store and how far it is known.
#[derive(Debug)]
struct Held {
    store: Store,
    /// Version of the snapshot that was parsed; none for a store that isn't on the disk yet.
    version: Option<Version>,
    /// Byte offset up to which the log is applied.
    end: u64,
}

/// The result of an accepted action: its counts, and the entry that was written to the log.
#[derive(Debug)]
pub struct Acted {
    /// The counts of its one line.
    pub account: Account,
    /// The action, completed with its moment and id.
    pub action: Map<String, Value>,
}

impl OpenStore {
    /// The store of a folder; nothing is read before the first question (lazy loading).
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder, held: None }
    }

    /// The folder that holds the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The store as it is on the disk now; an empty store if there is none (cache invalidation).
    ///
    /// # Errors
    /// When there is one and it can't be read.
    pub fn now(&mut self) -> Result<&mut Store> {
        Ok(&mut self.fresh()?.store)
    }

    fn fresh(&mut self) -> Result<&mut Held> {
        let version = Version::in_folder(&self.folder);
        let length = append_log::length(&self.folder);
        let held = match self.held.take() {
            // A log that is shorter than before belongs to another snapshot, even if the version looks equal.
            Some(mut held) if held.version == version && version.is_some() && length >= held.end => {
                if length > held.end {
                    held.end = held.store.catch_up(held.end)?;
                }
                // Between the two reads another process may have written a snapshot and begun a new log. The offset would then belong to the old log.
                (Version::in_folder(&self.folder) == version).then_some(held)
            }
            _ => None,
        };
        let held = match held {
            Some(held) => held,
            None if Store::exists(&self.folder) => {
                let (store, version, end) = Store::open_at(&self.folder)?;
                Held { store, version, end }
            }
            None => Held { store: Store::unwritten(&self.folder), version: None, end: 0 },
        };
        Ok(self.held.insert(held))
    }

    /// Asks a question that counts memories as recalled (access log). `ask` returns the answer, the moment in seconds and the numbers of
    /// the recalled episodes. An answer without episodes writes nothing.
    ///
    /// # Errors
    /// When the store can't be read or written, and as `ask`.
    pub fn recall<T>(&mut self, ask: impl FnOnce(&Store) -> Result<(T, f64, Vec<u64>)>) -> Result<T> {
        // A folder without a store isn't locked, because the lock's file would create the folder.
        let _lock = Store::exists(&self.folder).then(|| Store::lock(&self.folder)).transpose()?;
        let held = self.fresh()?;
        let (answer, now_s, recalled) = ask(&held.store)?;
        if !recalled.is_empty() {
            held.end = held.store.note_recall(now_s, recalled.clone(), held.end)?;
            for id in recalled {
                held.store.mind_mut().recalled(id, now_s);
            }
        }
        Ok(answer)
    }

    /// Carries out an action, as if it were a line of a log, and writes it to the disk before it returns (durable action). Without a timestamp it
    /// happens now; without an id it gets the next free one. The clock is read after the store is locked, so that concurrent actions are applied in
    /// the order of their moments.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the store can't be read or written, or the action is invalid; the store on the disk is unchanged then.
    pub fn act(&mut self, mut action: Map<String, Value>) -> Result<Acted> {
        let folder = self.folder.clone();
        let _lock = Store::lock(&folder)?;
        let held = self.fresh()?;
        action.entry("timestamp").or_insert_with(|| Timestamp::now().to_string().into());
        let is_trade = action.get("action").is_none_or(|name| name == "remember_trade");
        if is_trade && action.get("id").is_none_or(Value::is_null) {
            action.insert("id".to_owned(), held.store.free_id().into());
        }
        let store = &mut held.store;
        let mut account = Account { lines: 1, ..Account::default() };
        let before = episodes(store);
        let done = log::carry_out(store, &Value::Object(action.clone()).to_string());
        let taken = account.count(store, done).map_err(|what| Error::invalid(what.to_string()));
        let written = taken.and_then(|()| {
            // Forgotten trades aren't reported by the store, so they follow from the numbers before and after.
            account.forgotten = before + account.trades - episodes(store);
            if held.version.is_none() || held.end > LOG_BYTES_MOST {
                store.save()?;
                Ok((Version::in_folder(&folder), 0))
            // A known trade changed nothing, so it needs no entry.
            } else if account.known == 0 {
                Ok((held.version.clone(), store.note_action(action.clone(), held.end)?))
            } else {
                Ok((held.version.clone(), held.end))
            }
        });
        match written {
            Ok((version, end)) => {
                (held.version, held.end) = (version, end);
                Ok(Acted { account, action })
            }
            Err(error) => {
                // The store in memory may now hold names of a refused action, or a trade that the disk didn't take. It is dropped and read again.
                self.held = None;
                Err(error)
            }
        }
    }
}
