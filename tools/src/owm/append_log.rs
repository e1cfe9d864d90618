//! The log of a store (`since.jsonl`): one line for each action and each recall since the snapshot (`owm.json`) was written.
//!
//! A log and a snapshot rather than SQLite: most of a mind (beliefs, habits, detectors of drift) are running states that every trade moves, so a
//! database would be rewritten by each trade as the snapshot was. Replaying an action gives the same states to the bit.
//!
//! It is a write-ahead log (append-only journal) with fsync and recovery from a torn write. `store` calls it, under the store's lock where
//! it writes: actions are synchronised to the disk, recalls are not. A new snapshot deletes the log.

use super::store::Store;
use super::{log, remember::Account};
use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Name of the log's file.
pub(super) const LOG: &str = "since.jsonl";
/// Name of the log in earlier versions, which wrote recalls only. It is still read, so that no recall is lost.
const RECALLS: &str = "recalls.jsonl";

/// One line of the log: an action, or a recall (log entry).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Number of the snapshot that the entry follows. An entry of an older snapshot is skipped, because the newer snapshot holds its effect already.
    pub of: u64,
    /// An action with its moment and id, as a line of `morta-memory owm remember`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Map<String, Value>>,
    /// When episodes were recalled, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now_s: Option<f64>,
    /// Numbers of the episodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub episodes: Vec<u64>,
}

impl Entry {
    /// Replays the entry (event sourcing). A store in the same state ends in the state that the first execution left.
    pub(super) fn repeat(self, store: &mut Store) {
        if let Some(now_s) = self.now_s {
            for id in self.episodes {
                store.mind_mut().recalled(id, now_s);
            }
        }
        if let Some(action) = self.action {
            // An error can't be returned here, and doesn't occur: an action is written only after it was accepted.
            let done = log::carry_out(store, &Value::Object(action).to_string());
            let _ = Account::default().count(store, done);
        }
    }
}

/// The tail of a log: its entries from a byte offset on.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// Entries whose `of` is the state that the caller named.
    pub entries: Vec<Entry>,
    /// Byte offset at which the next entry begins.
    pub end: u64,
}

/// Appends an entry at byte `end`, the end of the entries read so far; synchronised to the disk before this returns if `to_disk` (fsync).
/// The caller holds the store's lock, so bytes beyond `end` are half a line of a killed process. No caller received an acknowledgement of
/// that line, so it is cut off. Returns the offset of the next entry.
///
/// # Errors
/// When it can't be written; no part of it is read as an entry then.
pub(super) fn append(folder: &Path, entry: &Entry, end: u64, to_disk: bool) -> Result<u64> {
    let path = folder.join(LOG);
    let fail = |error: std::io::Error| Error::at(&path, format!("can't be written: {error}"));
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    let is_new = !path.exists();
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
    if file.metadata().map_err(fail)?.len() > end {
        file.set_len(end).map_err(fail)?;
    }
    let write = |file: &mut File| {
        file.write_all(&line)?;
        if to_disk { file.sync_data() } else { Ok(()) }
    };
    if let Err(error) = write(&mut file) {
        // An entry that isn't acknowledged must not be found later. If even the truncation fails, the line is whole (and is replayed), or half (and
        // is ignored).
        let _ = file.set_len(end);
        return Err(fail(error));
    }
    if is_new && to_disk {
        // The directory is synchronised too, otherwise the new name may be missing after a crash. Its error is ignored: not every file system can do
        // it.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(end + line.len() as u64)
}

/// Recovers all entries that follow a snapshot. Half a line, left by a killed process, is skipped.
///
/// # Errors
/// When a file is there and can't be read.
pub(super) fn since(folder: &Path, state: u64) -> Result<Tail> {
    let mut entries = parsed(&read(&folder.join(RECALLS), 0)?, state);
    let Tail { entries: newer, end } = more(folder, state, 0)?;
    entries.extend(newer);
    Ok(Tail { entries, end })
}

/// The entries from byte `from` on: an incremental read of the log tail by a seek (byte offset). The caller has checked that the log is
/// still the one which that offset belongs to.
///
/// # Errors
/// As [`since`].
pub(super) fn more(folder: &Path, state: u64, from: u64) -> Result<Tail> {
    let bytes = read(&folder.join(LOG), from)?;
    // Without the lock another process may be in the middle of a line. Only whole lines are read; the rest is read next time.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    Ok(Tail { entries: parsed(&bytes[..whole], state), end: from + whole as u64 })
}

/// The length of the log in bytes; 0 if there is none.
pub(super) fn length(folder: &Path) -> u64 {
    fs::metadata(folder.join(LOG)).map_or(0, |about| about.len())
}

fn read(path: &PathBuf, from: u64) -> Result<Vec<u8>> {
    let refuse = |error: &dyn std::fmt::Display| Error::at(path, format!("can't be read: {error}"));
    if from == 0 {
        return match log_bytes(path) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(refuse(&error)),
        };
    }
    let mut bytes = Vec::new();
    let rest = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut bytes)
    };
    match { rest }() {
        Ok(_) => Ok(bytes),
        Err(error) => Err(refuse(&error)),
    }
}

fn parsed(bytes: &[u8], state: u64) -> Vec<Entry> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let entries = lines.filter_map(|line| serde_json::from_slice::<Entry>(line).ok());
    entries.filter(|entry| entry.of == state).collect()
}

/// Deletes the log after its entries have gone into a snapshot (log compaction).
pub(super) fn forget(folder: &Path) {
    for name in [LOG, RECALLS] {
        // Errors are ignored: a log that remains belongs to an earlier snapshot, and its entries are skipped.
        let _ = fs::remove_file(folder.join(name));
    }
}
