//! The folder of a sweep: its manifest, its cells, and the tables made from them.
//!
//! Invariant: a folder under `cells/` that has no temporary name holds a whole cell. Invariant: one process at a time
//! writes `cells/`, tables and manifest; the system gives the lock back when the process ends, however it ends. Processes that run units
//! of work take no lock and write archives under `units/` alone; `--plan` writes `plan.json` without it.
//!
//! It is the result store of an experiment: a content-addressed cache of cells with a lock file. `--resume` refuses a sweep that differs
//! from the one begun here. Cells are found by hash all the same, so that a cell of another build or scenario is never taken for one of
//! this sweep. `cell` is a record, `packed` finds it in a folder or an archive, `restore` reads the sweep back, the rest are its tables.

pub mod cell;
pub mod contrasts;
mod frame;
pub mod manifest;
pub mod packed;
mod restore;
pub mod sensitivity;
pub mod tables;

pub use cell::{CellId, CellOutcome, CellRecord};
pub use manifest::{Counts, Status, SweepManifest};
pub use packed::{CellPlace, CellStore};
pub use restore::restore;

use crate::io::error::{Context as _, Error, Result};
use crate::io::text::json_file;
use crate::io::write_lock::{LOCK, LockError, WriteLock};
use crate::run::provenance::Build;
use crate::run::run_folder::{PARTIAL, RunFolder};
use crate::run::scenario_file::differences;
use crate::sweep::sweep_file::Sweep;
use packed::UNITS;
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file that makes a folder a sweep.
pub const MANIFEST: &str = "sweep.json";
/// Name of the file of the analysis.
pub const ANALYSIS: &str = "analysis.json";
/// Name of the file that says which cells a unit of work has.
pub const PLAN: &str = "plan.json";
const CELLS: &str = "cells";

/// Where cells go that are lived (output location of cells): the cells of a sweep's folder, or the temporary room of a unit.
pub(crate) struct CellRoom {
    dir: PathBuf,
    build: String,
}

impl CellRoom {
    /// Names a directory in which this build lives cells.
    pub(crate) fn new(dir: PathBuf) -> Self {
        Self { dir, build: Build::identity() }
    }

    /// Computes the content hash of a cell, by which its result is found.
    pub(crate) fn hash(&self, sweep: &Sweep, id: CellId) -> String {
        sweep.cell_hash(id, &self.build)
    }

    /// The directory where a cell is, or will be.
    pub(crate) fn place(&self, hash: &str) -> PathBuf {
        self.dir.join(hash)
    }

    /// A new temporary directory for a cell under way (temporary cell directory).
    ///
    /// # Errors
    /// When it can't be made.
    pub(crate) fn begin_cell(&self, hash: &str) -> Result<PathBuf> {
        let dir = self.dir.join(format!("{hash}{PARTIAL}"));
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        fs::create_dir(&dir).with_context(|| format!("{} can't be made", dir.display()))?;
        Ok(dir)
    }

    /// Commits a cell: writes its sealed record into its folder, and gives that its name by an atomic rename; from then on it has ended.
    /// Nothing is flushed for each cell (no fsync).
    ///
    /// # Errors
    /// When it can't be written or renamed.
    pub(crate) fn keep_cell(&self, under_way: &Path, record: &CellRecord) -> Result<()> {
        // Without a flush for each cell: a cell that a power cut has damaged is found by its hash and lived again.
        RunFolder::unsynced(under_way).write_whole(cell::CELL, record.sealed()?.as_bytes())?;
        let to = self.place(&record.hash);
        // A folder of this name is one that failed or was damaged: a rename can't take the place of a folder that isn't empty.
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        fs::rename(under_way, to).with_context(|| format!("{} can't be renamed", under_way.display()))
    }
}

/// The folder of a sweep that this process writes to (experiment directory), under its write lock.
pub struct SweepFolder {
    dir: PathBuf,
    /// The folder as one whose files are written whole.
    pub files: RunFolder,
    /// Where its cells are lived.
    pub(crate) room: CellRoom,
    cells: CellStore,
    /// Its manifest.
    pub manifest: SweepManifest,
    _lock: WriteLock,
}

impl SweepFolder {
    /// Begins a sweep in a new or empty folder, or resumes one, under the write lock; unfinished cells of a killed process are removed.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is something else, or a sweep that isn't to be resumed or differs from this one.
    pub fn open(dir: &Path, sweep: &Sweep, resume: bool) -> Result<Self> {
        let shown = dir.display();
        let room = CellRoom::new(cells_dir(dir));
        let manifest = SweepManifest::new(sweep, &room.build);
        refuse_foreign(dir)?;
        let there = dir.join(MANIFEST).exists();
        let begun_already = || {
            Error::invalid(format!(
                "{shown}: the folder holds a sweep already; go on with it with --resume, or choose another with --out"
            ))
        };
        if there && !resume {
            return Err(begun_already());
        }
        let made = fs::create_dir_all(&room.dir).map_err(LockError::from);
        let lock = made.and_then(|()| WriteLock::of_folder(dir)).map_err(|error| match error {
            LockError::Held => Error::at(dir, "another process is running this sweep: wait for it"),
            LockError::Unwritable(_) => Error::at(dir, error),
        })?;
        let mut manifest = manifest;
        // Another process may have begun it between the first look and the lock.
        if dir.join(MANIFEST).exists() {
            if !resume {
                return Err(begun_already());
            }
            let then = read_manifest(dir)?;
            differences::refuse(dir, &then.differences(&manifest), "sweep")?;
            manifest.cells = then.cells;
        }
        let (files, cells) = (RunFolder::at(dir), CellStore::open(dir)?);
        let folder = Self { dir: dir.to_owned(), files, room, cells, manifest, _lock: lock };
        // Only under the lock: without it, cells that another process is living would be removed.
        folder.remove_partial_cells()?;
        folder.write_manifest()?;
        Ok(folder)
    }

    /// The path of the sweep's directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Finds or unpacks a folder with a cell's files; none when there is no such cell.
    ///
    /// # Errors
    /// When a packed one can't be unpacked.
    pub fn place(&self, sweep: &Sweep, id: CellId) -> Result<Option<CellPlace>> {
        self.cells.place(&self.room.hash(sweep, id))
    }

    /// Reads a cell, if it has ended (cache lookup by its hash).
    pub fn read(&self, sweep: &Sweep, id: CellId) -> Option<CellRecord> {
        self.cells.read(&self.room.hash(sweep, id))
    }

    /// Writes the manifest as JSON, whole: it replaces the earlier one by an atomic rename.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn write_manifest(&self) -> Result<()> {
        self.files.write_whole(MANIFEST, json_file(&self.manifest)?.as_bytes())
    }

    fn remove_partial_cells(&self) -> Result<()> {
        for entry in fs::read_dir(&self.room.dir)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().ends_with(PARTIAL) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }
}

/// Where the cells of a sweep's folder are, but for those that are packed (cells directory).
pub(crate) fn cells_dir(sweep: &Path) -> PathBuf {
    sweep.join(CELLS)
}

/// Whether a folder is a sweep's (experiment detection by marker files): one that was begun, planned, or had a share of its cells run.
/// Engines and people may keep their own files beside.
pub fn is_sweep(dir: &Path) -> bool {
    [MANIFEST, PLAN, UNITS].iter().any(|name| dir.join(name).exists())
}

/// Guards against overwriting: refuses a folder that holds something, and no sweep, not even one that was killed before it had a manifest
/// (foreign directory check).
///
/// # Errors
/// [`Error::Invalid`] for such a folder.
pub(crate) fn refuse_foreign(dir: &Path) -> Result<()> {
    let own = [LOCK.to_owned(), CELLS.to_owned(), format!("{MANIFEST}{PARTIAL}")];
    let foreign = |entry: fs::DirEntry| !own.iter().any(|name| entry.file_name() == name.as_str());
    let has_foreign = fs::read_dir(dir).is_ok_and(|entries| entries.flatten().any(foreign));
    // In this order: a sweep writes its manifest first, so a process that finds another file of a sweep begun meanwhile finds its manifest too.
    if dir.is_file() || has_foreign && !is_sweep(dir) {
        let shown = dir.display();
        return Err(Error::invalid(format!(
            "{shown}: the folder is not empty and holds no sweep; choose another with --out"
        )));
    }
    Ok(())
}

/// Reads the manifest of a folder (loads the manifest), and refuses another schema version.
///
/// # Errors
/// When it can't be read, is damaged or of another format.
pub(crate) fn read_manifest(dir: &Path) -> Result<SweepManifest> {
    let refuse = |why: String| Error::at(dir, format!("{MANIFEST} {why}"));
    let text =
        fs::read_to_string(dir.join(MANIFEST)).map_err(|error| refuse(format!("can't be read: {error}")))?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|error| refuse(format!("is damaged: {error}")))?;
    // The version is read before the rest, because a manifest of another version may not have the fields of this one.
    match value["schema_version"].as_u64() {
        Some(version) if version == u64::from(manifest::SCHEMA_VERSION) => {
            serde_json::from_value(value).map_err(|error| refuse(format!("is damaged: {error}")))
        }
        Some(version) => {
            Err(refuse(format!("is of format {version}, and this build writes {}", manifest::SCHEMA_VERSION)))
        }
        None => Err(refuse("is damaged: it has no schema_version".to_owned())),
    }
}
