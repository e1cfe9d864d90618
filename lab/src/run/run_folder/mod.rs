//! The folder a run leaves behind. Tables are written under temporary names and renamed when they are complete; the manifest comes last. So
//! a folder with a manifest holds a whole run, and a crash leaves nothing that looks like one. It is the artifact directory of a run:
//! Parquet tables, JSON manifest, lock file, atomic rename, checksum of each file at its first use. Hashes are checked before a table is
//! believed, because a folder may have been copied badly or edited.

pub mod compare;
pub(crate) mod difference;
pub mod events;
pub(crate) mod hashing_file;
pub(crate) mod layout;
pub mod manifest;
mod place;
mod read;
pub mod tables;
pub(crate) mod writer;

#[cfg(test)]
mod table_tests;
#[cfg(test)]
pub mod tests;

pub use compare::{RepetitionVerdict, compare};
pub use hashing_file::WrittenTable;
pub use manifest::Manifest;
pub use place::RunPlace;
pub use tables::{
    BloodstainRow, CladeStep, Draw, Dream, EventRow, Life, ReplayRow, RuleStep, Tables, TablesSummary,
    TickRow, Totals, Trade,
};

use crate::io::error::{At as _, Context as _, Error, Result};
use crate::io::locked::locked;
use crate::io::text::{json_file, quoted};
use crate::io::write_lock::{LOCK, LockError, WriteLock};
use crate::run::foreign_memory::RECORDING_PREFIX;
use crate::run::lethe_start::LetheHolding;
use crate::run::provenance::file_hash;
use morta_actors::{Inventory, LetheContent};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Name of the file that makes a folder a run (manifest file name).
pub const MANIFEST: &str = "manifest.json";
/// What is added to a file's name while it is being written (temporary file suffix).
pub(crate) const PARTIAL: &str = ".partial";

/// The directory of a run that is being written, locked against other processes.
#[derive(Clone, Debug)]
pub struct RunFolder {
    dir: PathBuf,
    /// Whether files must be on the disk before they get their names.
    synced: bool,
    /// Keeps other processes from writing to it; none where the caller that made the folder keeps them away.
    _lock: Option<Arc<WriteLock>>,
}

/// The directory of a finished run, whose files are checked as they are read.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    dir: PathBuf,
    /// Where its data are, if not where they were.
    data: Option<PathBuf>,
    /// Files that have been held against their hashes.
    checked: Arc<Mutex<BTreeSet<String>>>,
    /// What it says of itself.
    pub manifest: Manifest,
}

/// Folder within a run's that holds its checkpoint while it is under way. It is named here because a folder that has one is neither
/// free nor finished.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// Name of the cassette of a run whose model was a real one (recorded LLM calls).
pub(crate) const CASSETTE: &str = "cassette.jsonl";
/// Name of what has been recorded so far while the cassette isn't whole.
pub(crate) const CASSETTE_JOURNAL: &str = "cassette.jsonl.partial";
/// Folder of the Lethe's store.
const LETHE: &str = "lethe";

impl RunFolder {
    /// Makes the output directory, or takes one that is empty. No other process gets it before the last clone of this is dropped.
    ///
    /// # Errors
    /// When it holds anything already, is a file, another process writes to it, or it can't be made or written to.
    pub fn create(dir: &Path) -> Result<Self> {
        let refuse = |reason: &str| Error::at(dir, reason);
        let lock = || {
            WriteLock::of_folder(dir).map_err(|error| match error {
                LockError::Held => {
                    refuse("another process is writing to this folder; choose another with --out")
                }
                LockError::Unwritable(error) => {
                    refuse(&format!("the output folder can't be written to: {error}"))
                }
            })
        };
        // The lock is tried first where there is one: a run that is under way has partial files, and would otherwise be reported as one that never ended.
        let early = dir.join(LOCK).exists().then(lock).transpose()?;
        refuse_unless_free(dir)?;
        fs::create_dir_all(dir)
            .map_err(|error| refuse(&format!("the output folder can't be made: {error}")))?;
        let lock = early.map_or_else(lock, Ok)?;
        // Checked again under the lock: another process may have begun a run, or even ended it, since the first look.
        refuse_unless_free(dir)?;
        Ok(Self { dir: dir.to_owned(), synced: true, _lock: Some(Arc::new(lock)) })
    }

    /// Takes the folder of a run that was cut off, to go on with it (reopened directory). Its contents are to be read after this: the
    /// process that had it before may have gone on.
    ///
    /// # Errors
    /// When another process writes to it, or it can't be written to.
    pub(crate) fn reopen(dir: &Path) -> Result<Self> {
        let lock = WriteLock::of_folder(dir).at(dir)?;
        Ok(Self { dir: dir.to_owned(), synced: true, _lock: Some(Arc::new(lock)) })
    }

    /// Removes the tables that a run which was cut off had begun: they are made anew (cleanup of partial files).
    ///
    /// # Errors
    /// When one can't be removed.
    pub(crate) fn clear_unfinished(&self) -> Result<()> {
        let dir = &self.dir;
        let entries = fs::read_dir(dir).with_context(|| format!("{} can't be read", dir.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("{} can't be read", dir.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ours = name.ends_with(PARTIAL)
                || name == tables::JOURNAL
                || tables::ALL.iter().any(|table| table.spec.file == name);
            // Recordings of a model or of a memory's process stay: their replies can't be made anew, so a resumed run would ask, and pay, again.
            let is_said = name.starts_with(CASSETTE) || name.starts_with(RECORDING_PREFIX);
            if ours && !is_said && path.is_file() {
                fs::remove_file(&path).with_context(|| format!("{} can't be removed", path.display()))?;
            }
        }
        Ok(())
    }

    /// Takes a folder that exists already, without a lock, for files written whole. It needs no lock, because each file appears by a
    /// rename.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), synced: true, _lock: None }
    }

    /// The same, for files that are checked by their hash before they are believed: nothing waits for the disk (no fsync).
    pub(crate) fn unsynced(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), synced: false, _lock: None }
    }

    /// Opens the folder of a run that has ended: reads its manifest and checks the format version.
    ///
    /// # Errors
    /// When it isn't one, was never completed, or was written in another format.
    pub fn open(dir: &Path) -> Result<FinishedRun> {
        let refuse = |reason: String| Err(Error::at(dir, reason));
        match fs::metadata(dir) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return refuse("this is a file; name the folder that `morta run` wrote".to_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return refuse("there is no such folder".to_owned());
            }
            Err(error) => return refuse(format!("the folder can't be read: {error}")),
        }
        let path = dir.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && dir.join(CHECKPOINT).exists() => {
                return refuse("this run was cut off: go on with it by `morta run --resume`".to_owned());
            }
            Err(error) if error.kind() == ErrorKind::NotFound && has_partial_files(dir) => {
                return refuse("this run never ended: only unfinished tables are there".to_owned());
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return refuse("this is not a run folder: there is no manifest.json".to_owned());
            }
            Err(error) => return refuse(format!("manifest.json can't be read: {error}")),
        };
        let manifest = match Manifest::parse(&text) {
            Ok(manifest) => manifest,
            Err(error) => return refuse(error.to_string()),
        };
        if let Some(file) = manifest.files.iter().find(|file| !is_own_file(dir, &file.name)) {
            let why = "the manifest names it, and it is no file of this folder";
            return refuse(format!("manifest.json is damaged: {}: {why}", quoted(&file.name)));
        }
        Ok(FinishedRun { dir: dir.to_owned(), data: None, checked: Arc::default(), manifest })
    }

    /// Removes it if it still holds nothing (cleanup of an empty directory). The lock is dropped first, because its file would keep the
    /// folder from being empty.
    pub(crate) fn give_back_empty(self) {
        let Self { dir, _lock, .. } = self;
        drop(_lock);
        let _ = fs::remove_dir(dir);
    }

    /// The path of the run's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The temporary path of the Lethe's store while the run goes on.
    pub(crate) fn lethe_under_way(&self) -> PathBuf {
        self.partial(LETHE)
    }

    /// Finalises the Lethe's store, if there is one, by giving it its name. Its inventory is returned for the manifest.
    ///
    /// # Errors
    /// When it can't be renamed.
    pub(crate) fn keep_lethe(&self) -> Result<Option<LetheHolding>> {
        let under_way = self.lethe_under_way();
        if !under_way.exists() {
            return Ok(None);
        }
        let inventory = Inventory::of_folder(&under_way).context("the Lethe can't be read")?;
        self.put_in_place(LETHE)?;
        Ok(inventory.as_ref().map(LetheHolding::from_inventory))
    }

    /// Writes the manifest: from then on the run is complete (commit).
    ///
    /// # Errors
    /// When it can't be written.
    pub fn complete(&self, manifest: &Manifest) -> Result<()> {
        self.write_whole(MANIFEST, json_file(manifest)?.as_bytes())
    }

    /// Writes a whole file: it is there complete or not at all (atomic write).
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn write_whole(&self, name: &str, content: &[u8]) -> Result<()> {
        let partial = self.partial(name);
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(content)?;
            if self.synced { file.sync_all() } else { Ok(()) }
        };
        write().with_context(|| format!("{} can't be written", partial.display()))?;
        self.put_in_place(name)
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}{PARTIAL}"))
    }

    /// Gives a file that is complete its name (atomic rename).
    ///
    /// # Errors
    /// When it can't be renamed.
    pub(crate) fn put_in_place(&self, name: &str) -> Result<()> {
        let (from, to) = (self.partial(name), self.dir.join(name));
        fs::rename(&from, &to).with_context(|| format!("{} can't be renamed", from.display()))?;
        if !self.synced {
            return Ok(());
        }
        // The new name itself must reach the disk; not every file system can be asked to.
        let _ = File::open(&self.dir).and_then(|dir| dir.sync_all());
        Ok(())
    }
}

impl FinishedRun {
    /// The path of the run's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names the data directory that holds its files of prices now: they may have been moved since the run.
    pub fn with_data_in(self, data: Option<PathBuf>) -> Self {
        Self { data, ..self }
    }

    /// The data directory that holds its files of prices now; none unless the caller has named one.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// The path of one of its files, without any check.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Finds one of its files, and verifies its checksum. Its bytes are compared with the manifest's hash once, at the first request:
    /// hashing reads the whole file, and a report asks for the same table many times. A file that the manifest doesn't name is not checked.
    ///
    /// # Errors
    /// When its bytes aren't those that were written.
    pub(crate) fn sound_path(&self, name: &str) -> Result<PathBuf> {
        let path = self.path(name);
        let mut checked = locked(&self.checked);
        let then = self.manifest.files.iter().find(|file| file.name == name);
        if let Some(then) = then.filter(|_| path.exists() && !checked.contains(name)) {
            if file_hash(&path)? != then.blake3 {
                return Err(Error::failed(format!(
                    "{} is damaged, or was changed: its bytes aren't those the manifest tells of",
                    path.display()
                )));
            }
            checked.insert(name.to_owned());
        }
        Ok(path)
    }

    /// The path of its Lethe.
    pub fn lethe(&self) -> PathBuf {
        self.dir.join(LETHE)
    }

    /// Words the damage (corruption) of its Lethe; none when it is whole, or the run has none.
    pub fn lethe_harm(&self) -> Option<String> {
        let holding = self.manifest.lethe.as_ref().and_then(|lethe| lethe.content.as_ref());
        let folder = self.lethe();
        if holding.is_none() && !folder.exists() {
            return None;
        }
        match LetheContent::read(&folder) {
            Err(error) => Some(error.to_string()),
            Ok(content) => content.harm().or_else(|| {
                let differs =
                    holding.is_some_and(|then| *then != LetheHolding::from_inventory(&content.inventory()));
                differs.then(|| "it holds something else than the manifest tells of".to_owned())
            }),
        }
    }

    /// The path of its cassette, if its model was a real one.
    pub fn cassette(&self) -> Option<PathBuf> {
        self.manifest.cassette.as_ref().map(|_| self.path(CASSETTE))
    }

    /// Whether the whole event log was kept.
    pub(crate) fn has_events(&self) -> bool {
        self.manifest.files.iter().any(|file| file.name == tables::EVENTS)
    }
}

/// Refuses a folder that holds anything but the file of a lock.
fn refuse_unless_free(dir: &Path) -> Result<()> {
    let refuse = |reason: &str| Err(Error::at(dir, reason));
    if dir.join(MANIFEST).exists() {
        return refuse("the output folder already holds a run; choose another with --out");
    }
    if dir.join(CHECKPOINT).exists() {
        return refuse(
            "the output folder holds a run that was cut off; go on with it by `morta run --resume`, delete it, \
             or choose another with --out",
        );
    }
    if has_partial_files(dir) {
        return refuse(
            "the output folder holds a run that never ended; delete it or choose another with --out",
        );
    }
    match fs::read_dir(dir)
        .map(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == LOCK)))
    {
        Ok(true) => Ok(()),
        Ok(false) => refuse("the output folder is not empty; choose another with --out"),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(_) if dir.is_file() => refuse("this is a file, not a folder; choose another with --out"),
        Err(error) => refuse(&format!("the output folder can't be read: {error}")),
    }
}

/// Whether a name leads to a plain file in the folder itself, or to one that is missing: a manifest may come from anybody, and a device
/// or a pipe would never end.
fn is_own_file(dir: &Path, name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    is_plain && fs::metadata(dir.join(name)).map_or(true, |about| about.is_file())
}

fn has_partial_files(dir: &Path) -> bool {
    let is_partial = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(PARTIAL))
    };
    fs::read_dir(dir).is_ok_and(|mut entries| entries.any(is_partial))
}
