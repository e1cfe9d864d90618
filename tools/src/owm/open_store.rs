//! A store that stays open between questions, as a server has it: the snapshot is parsed once, and what other processes write since is read from their log.

use super::append_log;
use super::log;
use super::remember::{Account, episodes};
use super::store::{Store, Version};
use jiff::Timestamp;
use morta_lab::error::{Error, Result};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Bytes of a log after which the next action makes a new snapshot: some thousand trades, which another process repeats in less time than it takes to
/// parse the snapshot of a store that has grown to as many.
const LOG_BYTES_MOST: u64 = 1_000_000;

/// An open store.
#[derive(Debug)]
pub struct OpenStore {
    folder: PathBuf,
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    store: Store,
    version: Option<Version>,
    /// Up to where the log has been taken in.
    end: u64,
}

/// What came of an action.
#[derive(Debug)]
pub struct Acted {
    /// What the store has taken in.
    pub account: Account,
    /// The action with its moment and id.
    pub action: Map<String, Value>,
}

impl OpenStore {
    /// That of a folder, which is read when the first question comes.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder, held: None }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The store as the disk has it now; one that holds nothing where there is none.
    ///
    /// # Errors
    /// When there is one and it can't be read.
    pub fn now(&mut self) -> Result<&mut Store> {
        Ok(&mut self.fresh()?.store)
    }

    fn fresh(&mut self) -> Result<&mut Held> {
        let version = Version::of(&self.folder);
        let length = append_log::length(&self.folder);
        let held = match self.held.take() {
            Some(mut held) if held.version == version && version.is_some() && length >= held.end => {
                if length > held.end {
                    held.end = held.store.catch_up(held.end)?;
                }
                // Between the two looks another process may have made a snapshot, and a log of its own.
                (Version::of(&self.folder) == version).then_some(held)
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

    /// Asks it something that counts memories as recalled: the moment and their numbers are returned beside the answer, and written beside the store.
    ///
    /// # Errors
    /// When the store can't be read or written, and as `ask`.
    pub fn recall<T>(&mut self, ask: impl FnOnce(&Store) -> Result<(T, f64, Vec<u64>)>) -> Result<T> {
        // A folder without a store isn't made one.
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

    /// Takes in an action, as a line of a log would be. It happens now and gets the next free id, unless it says otherwise; the moment is read once the store
    /// is locked, so that those of several callers are in the order in which they are taken in. On the disk when this returns.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the store can't be read or written, or the action can't be taken in; the store is as it was then.
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
            account.forgotten = before + account.trades - episodes(store);
            if held.version.is_none() || held.end > LOG_BYTES_MOST {
                store.save()?;
                Ok((Version::of(&folder), 0))
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
                // Names that a refused action brought, or a trade that the disk didn't take, are in memory only.
                self.held = None;
                Err(error)
            }
        }
    }
}
