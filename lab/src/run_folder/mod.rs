//! The folder a run leaves behind. Tables are written under temporary names and renamed when they are complete; the
//! manifest comes last. So a folder with a manifest holds a whole run, and a crash leaves nothing that looks like one.

pub mod compare;
mod difference;
pub mod events;
pub(crate) mod hashing_file;
pub(crate) mod layout;
pub mod manifest;
mod read;
pub mod tables;
pub(crate) mod writer;

#[cfg(test)]
mod table_tests;
#[cfg(test)]
pub mod tests;

pub use compare::{Verdict, compare};
pub use manifest::{Manifest, TableFile};
pub use tables::{
    BloodstainRow, CladeStep, Draw, Dream, EventRow, Life, RuleStep, Tables, TablesSummary, TickRow, Totals,
    Trade,
};

use crate::error::Context as _;
use crate::error::Error;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Name of the file that makes a folder a run.
pub const MANIFEST: &str = "manifest.json";
/// What is added to a file's name while it is being written.
pub const PARTIAL: &str = ".partial";

/// A folder that a run is being written to.
#[derive(Clone, Debug)]
pub struct RunFolder {
    dir: PathBuf,
    /// Whether files must be on the disk before they get their names.
    synced: bool,
}

/// A folder that holds a whole run.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    dir: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
}

/// Folder within a run's that holds its checkpoint while it is under way. It is named here because a folder that has one is neither
/// free nor finished.
pub const CHECKPOINT: &str = "checkpoint";
/// Name of the cassette of a run whose model was a real one.
pub const CASSETTE: &str = "cassette.jsonl";
/// Name of what has been recorded so far while the cassette isn't whole.
pub const CASSETTE_JOURNAL: &str = "cassette.jsonl.partial";
/// Folder of the Lethe's store.
const LETHE: &str = "lethe";

impl RunFolder {
    /// Makes the folder, or takes one that is empty.
    ///
    /// # Errors
    /// When it holds anything already, is a file, or can't be made or written to.
    pub fn create(dir: &Path) -> crate::Result<Self> {
        let refuse = |reason: &str| Err(Error::invalid(format!("{}: {reason}", dir.display())));
        if dir.join(MANIFEST).exists() {
            return refuse("the output folder already holds a run; choose another with --out");
        }
        if dir.join(CHECKPOINT).exists() {
            return refuse(
                "the output folder holds a run that was cut off; go on with it by `morta run --resume`, delete it, \
                 or choose another with --out",
            );
        }
        match fs::read_dir(dir) {
            Ok(mut entries) => match entries.next() {
                None => {}
                Some(Ok(entry)) if entry.file_name().to_string_lossy().ends_with(PARTIAL) => {
                    return refuse(
                        "the output folder holds a run that never ended; delete it or choose another with --out",
                    );
                }
                Some(_) => return refuse("the output folder is not empty; choose another with --out"),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Err(error) = fs::create_dir_all(dir) {
                    return refuse(&format!("the output folder can't be made: {error}"));
                }
            }
            Err(_) if dir.is_file() => {
                return refuse("this is a file, not a folder; choose another with --out");
            }
            Err(error) => return refuse(&format!("the output folder can't be read: {error}")),
        }
        let probe = dir.join(format!("writable{PARTIAL}"));
        match File::create(&probe).and_then(|_| fs::remove_file(&probe)) {
            Ok(()) => Ok(Self { dir: dir.to_owned(), synced: true }),
            Err(error) => refuse(&format!("the output folder can't be written to: {error}")),
        }
    }

    /// Takes the folder of a run that was cut off, to go on with it; the tables it had begun are made anew.
    ///
    /// # Errors
    /// When a file the run had begun can't be removed.
    pub fn reopen(dir: &Path) -> crate::Result<Self> {
        let entries = fs::read_dir(dir).with_context(|| format!("{} can't be read", dir.display()))?;
        for entry in entries {
            let path = entry.with_context(|| format!("{} can't be read", dir.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ours = name.ends_with(PARTIAL)
                || name == tables::JOURNAL
                || tables::ALL.iter().any(|table| table.spec.file == name);
            // What a model has said can't be made anew.
            let is_cassette = name.starts_with(CASSETTE);
            if ours && !is_cassette && path.is_file() {
                fs::remove_file(&path).with_context(|| format!("{} can't be removed", path.display()))?;
            }
        }
        Ok(Self::at(dir))
    }

    /// A folder that is there already, for files written whole.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), synced: true }
    }

    /// The same, for files that are checked by their hash before they are believed: nothing waits for the disk.
    pub fn unsynced(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), synced: false }
    }

    /// Opens the folder of a run that has ended.
    ///
    /// # Errors
    /// When it isn't one, was never completed, or was written in another format.
    pub fn open(dir: &Path) -> crate::Result<FinishedRun> {
        let refuse = |reason: String| Err(Error::invalid(format!("{}: {reason}", dir.display())));
        if !dir.exists() {
            return refuse("there is no such folder".to_owned());
        }
        if !dir.is_dir() {
            return refuse("this is a file; name the folder that `morta run` wrote".to_owned());
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
        match Manifest::parse(&text) {
            Ok(manifest) => Ok(FinishedRun { dir: dir.to_owned(), manifest }),
            Err(error) => refuse(error.to_string()),
        }
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the Lethe's store is while the run goes on.
    pub fn lethe_under_way(&self) -> PathBuf {
        self.partial(LETHE)
    }

    /// Gives the Lethe's store its name, if there is one.
    ///
    /// # Errors
    /// When it can't be renamed.
    pub fn keep_lethe(&self) -> crate::Result<()> {
        if self.lethe_under_way().exists() { self.put_in_place(LETHE) } else { Ok(()) }
    }

    /// Writes the manifest: from then on the run is complete.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn complete(&self, manifest: &Manifest) -> crate::Result<()> {
        let mut text = serde_json::to_string_pretty(manifest)?;
        text.push('\n');
        self.write_whole(MANIFEST, text.as_bytes())
    }

    /// Writes a whole file: it is there complete or not at all.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write_whole(&self, name: &str, content: &[u8]) -> crate::Result<()> {
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

    /// Gives a file that is complete its name.
    ///
    /// # Errors
    /// When it can't be renamed.
    pub fn put_in_place(&self, name: &str) -> crate::Result<()> {
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
    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where one of its files is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Where its Lethe is.
    pub fn lethe(&self) -> PathBuf {
        self.dir.join(LETHE)
    }

    /// Where its cassette is, if its model was a real one.
    pub fn cassette(&self) -> Option<PathBuf> {
        self.manifest.cassette.as_ref().map(|_| self.path(CASSETTE))
    }

    /// Whether the whole event log was kept.
    pub fn has_events(&self) -> bool {
        self.manifest.files.iter().any(|file| file.name == tables::EVENTS)
    }
}

fn has_partial_files(dir: &Path) -> bool {
    let is_partial = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(PARTIAL))
    };
    fs::read_dir(dir).is_ok_and(|mut entries| entries.any(is_partial))
}
