//! What was recalled from a store: a line for each recall, in a file beside the store, which is not rewritten by being read. The next change of the
//! store takes them in.

use super::store::Store;
use crate::limits::log_text;
use morta_lab::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Name of the file.
pub const RECALLS: &str = "recalls.jsonl";

/// One recall.
#[derive(Debug, Serialize, Deserialize)]
pub struct Recall {
    /// Which state of the store was asked; what a later one has taken in doesn't count again.
    pub of: u64,
    /// When, in seconds.
    pub now_s: f64,
    /// Numbers of the episodes.
    pub episodes: Vec<u64>,
}

fn path(folder: &Path) -> PathBuf {
    folder.join(RECALLS)
}

/// Notes a recall. The caller has the store's lock.
///
/// # Errors
/// When it can't be written.
pub fn note(folder: &Path, recall: &Recall) -> Result<()> {
    let path = path(folder);
    let fail =
        |error: std::io::Error| Error::invalid(format!("{}: can't be written: {error}", path.display()));
    let mut line = serde_json::to_vec(recall)?;
    line.push(b'\n');
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(fail)?;
    // Whoever was killed while writing has left half a line, which must not swallow this one.
    if !ends_a_line(&mut file).map_err(fail)? {
        line.insert(0, b'\n');
    }
    file.write_all(&line).map_err(fail)
}

fn ends_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The recalls of a state of the store. Half a line, which a killed process has left, is none.
///
/// # Errors
/// When the file is there and can't be read.
pub fn of(folder: &Path, state: u64) -> Result<Vec<Recall>> {
    let path = path(folder);
    let text = match log_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::invalid(format!("{}: can't be read: {error}", path.display()))),
    };
    let recalls = text.lines().filter_map(|line| serde_json::from_str::<Recall>(line).ok());
    Ok(recalls.filter(|recall| recall.of == state).collect())
}

/// Forgets what the store has taken in.
pub fn forget(folder: &Path) {
    // What stays is of an earlier state, and isn't counted again.
    let _ = fs::remove_file(path(folder));
}

impl Store {
    /// Takes in what was recalled since the store was last changed.
    pub(super) fn take_in_recalls(&mut self, recalls: &[Recall]) {
        for recall in recalls {
            for id in &recall.episodes {
                self.mind_mut().recalled(*id, recall.now_s);
            }
        }
    }
}
