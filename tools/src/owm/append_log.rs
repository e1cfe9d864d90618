//! What happened to a store since its snapshot (`owm.json`) was made: a line for each action and each recall, in a file beside it.
//!
//! A log and a snapshot rather than SQLite: most of a mind (beliefs, habits, detectors of drift) are running states that every trade moves, so a database
//! would be rewritten by each trade as the snapshot was; and an action that is carried out again gives the same states to the bit.

use super::store::Store;
use super::{log, remember::Account};
use crate::limits::log_bytes;
use morta_lab::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Name of the file.
pub const LOG: &str = "since.jsonl";
/// What earlier versions called it; they wrote recalls only.
const RECALLS: &str = "recalls.jsonl";

/// One line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The state of the snapshot that it comes after; what a later one has taken in doesn't count again.
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
    /// Carries it out once more; a store of the same state comes to be what it was after the first time.
    pub fn repeat(self, store: &mut Store) {
        if let Some(now_s) = self.now_s {
            for id in self.episodes {
                store.mind_mut().recalled(id, now_s);
            }
        }
        if let Some(action) = self.action {
            // Only what was taken in is written.
            let done = log::carry_out(store, &Value::Object(action).to_string());
            let _ = Account::default().count(store, done);
        }
    }
}

/// Entries of a log from a place on.
#[derive(Debug, Default)]
pub struct Tail {
    /// Those of the state that was asked for.
    pub entries: Vec<Entry>,
    /// Where the next one begins.
    pub end: u64,
}

/// Puts a line at the end of those that were read, which end at `end`; on the disk when this returns, if it is to be. The caller has the store's lock, so
/// what lies beyond is half a line of a process that was killed: nobody was told that it was taken in, and it goes. Returns where the next one begins.
///
/// # Errors
/// When it can't be written; no part of it is read as an entry then.
pub fn append(folder: &Path, entry: &Entry, end: u64, to_disk: bool) -> Result<u64> {
    let path = folder.join(LOG);
    let fail =
        |error: std::io::Error| Error::invalid(format!("{}: can't be written: {error}", path.display()));
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
        // What is not acknowledged must not be found later; where even that fails the line is whole, or half and ignored.
        let _ = file.set_len(end);
        return Err(fail(error));
    }
    if is_new && to_disk {
        // The new name itself must reach the disk; not every file system can be asked to.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(end + line.len() as u64)
}

/// All entries that come after a state of the snapshot. Half a line, which a killed process has left, is none.
///
/// # Errors
/// When a file is there and can't be read.
pub fn since(folder: &Path, state: u64) -> Result<Tail> {
    let mut entries = parsed(&read(&folder.join(RECALLS), 0)?, state);
    let Tail { entries: newer, end } = more(folder, state, 0)?;
    entries.extend(newer);
    Ok(Tail { entries, end })
}

/// The entries from a place on, if the log is still the one that had it.
///
/// # Errors
/// As [`since`].
pub fn more(folder: &Path, state: u64, from: u64) -> Result<Tail> {
    let bytes = read(&folder.join(LOG), from)?;
    // Without the lock another process may be in the midst of a line: it is read once it is whole.
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    Ok(Tail { entries: parsed(&bytes[..whole], state), end: from + whole as u64 })
}

/// How long the log is; 0 where there is none.
pub fn length(folder: &Path) -> u64 {
    fs::metadata(folder.join(LOG)).map_or(0, |about| about.len())
}

fn read(path: &PathBuf, from: u64) -> Result<Vec<u8>> {
    let refuse =
        |error: &dyn std::fmt::Display| Error::invalid(format!("{}: can't be read: {error}", path.display()));
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

/// Forgets what a snapshot has taken in.
pub fn forget(folder: &Path) {
    for name in [LOG, RECALLS] {
        // What stays is of an earlier state, and isn't counted again.
        let _ = fs::remove_file(folder.join(name));
    }
}
