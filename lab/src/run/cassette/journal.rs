//! The journal of a recording (write-ahead log, append-only): replies, line by line, until the cassette is written. Replies cost money, so
//! none may be lost with the process: each line is handed to the operating system at once. It isn't flushed to the disk, so a power failure
//! may lose the last ones. One process at a time holds it by a file lock. What an earlier process left is read when it is opened; a last
//! line that was cut off is removed.

use super::{Cassette, CassetteEntry, reader};
use crate::io::error::{Context as _, Error, Result};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// `NAME.partial` beside a cassette, held by one process at a time.
#[derive(Debug)]
pub(super) struct CassetteJournal {
    path: PathBuf,
    file: File,
}

impl CassetteJournal {
    /// Where the journal of a cassette lies.
    fn beside(cassette: &Path) -> PathBuf {
        let name = cassette.file_name().unwrap_or_default().to_string_lossy();
        cassette.with_file_name(format!("{name}.partial"))
    }

    /// Opens the journal of a cassette, or makes it, and recovers the replies that an earlier process has left in it. A last line that was
    /// cut off is removed from the file.
    pub(super) fn open(cassette: &Path) -> Result<(Self, Cassette)> {
        let path = Self::beside(cassette);
        let shown = path.display();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).with_context(|| format!("{}: can't be made", folder.display()))?;
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.with_context(|| format!("{shown}: the journal can't be opened"))?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => {
                let remedy = "wait for it, or name another cassette";
                return Err(Error::invalid(format!(
                    "{shown}: another process records into this cassette: {remedy}"
                )));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(error)) => tracing::warn!("{shown}: can't be locked: {error}"),
        }
        let (left, whole_bytes) = reader::read_journal(&path, &file)?;
        let begin = |file: &mut File| {
            file.set_len(whole_bytes)?;
            file.seek(SeekFrom::End(0))?;
            if whole_bytes == 0 { file.write_all(&reader::header()) } else { Ok(()) }
        };
        begin(&mut file).with_context(|| format!("{shown}: the journal can't be written"))?;
        Ok((Self { path, file }, left))
    }

    /// Appends a call to the log. It is with the operating system when this returns.
    pub(super) fn add(&mut self, entry: &CassetteEntry) -> Result<()> {
        let written = self.file.write_all(&entry.line());
        written.with_context(|| format!("{}: the journal can't be written", self.path.display()))
    }

    /// Takes it away: the cassette has it all (deletes the journal).
    pub(super) fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).with_context(|| format!("{}: can't be removed", self.path.display()))
    }
}
