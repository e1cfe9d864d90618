//! The store of a run: a database of its own, and the lasting Lethe that outlives the run, if there is one. It is durable storage in sled
//! (embedded key-value store): atomic batches, one for each tick in which bloodstains are left. There are two databases, because a run must
//! be repeatable after the lasting one has grown. Golems read the run's own database alone; the lasting one only gets this run's
//! bloodstains, and keeps those that the run lets go. A run without a folder has a temporary store without an inventory, and adds nothing
//! to a lasting one. Sweeps, branches, repetitions, load tests and runs with checkpoints use the engine's in-memory store instead.

use super::content::{Ancestry, LetheContent, renamed};
use super::flusher::{Flusher, TickBloodstains};
use super::folder::{self, LetheFolderError};
use super::inventory::Inventory;
use super::record::{RunId, RunRecord, bloodstain_key, failed, run_key, seal, unseal};
use morta_base::{BloodstainId, Tick};
use morta_engine::lethe::{Bloodstain, BloodstainStore, StoreError};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files (database paths) in which a run keeps its bloodstains.
#[derive(Debug, Default)]
pub struct LetheFiles<'a> {
    /// Folder of the run's own database; `None` for a temporary one.
    pub folder: Option<&'a Path>,
    /// Folder of the lasting Lethe, which outlives the run.
    pub persist: Option<&'a Path>,
    /// Log that gets a line for each bloodstain once it is on disk.
    pub log: Option<File>,
}

/// The store of a run's bloodstains in sled, an embedded database. Writes of a tick are buffered (write-behind), so that they are one
/// atomic batch.
#[derive(Debug)]
pub struct SledStore {
    /// The run's own database, which golems read.
    own: sled::Db,
    /// The lasting Lethe, which the run only adds to.
    persist: Option<sled::Db>,
    /// The folder of each database and its inventory without this run; a temporary one has none.
    inventories: Vec<(sled::Db, PathBuf, Inventory)>,
    flusher: Arc<Flusher>,
    run: RunId,
    record: RunRecord,
    /// The earlier runs with their records: number 1 is at index 0.
    ancestors: Vec<(RunId, RunRecord)>,
    /// The numbers of the earlier runs in ids of golems.
    numbers: BTreeMap<RunId, u8>,
    /// Number of this run's bloodstains that it has removed.
    let_go: u64,
    /// Records put (`Some`) or removed (`None`) since the last flush, by key.
    pending: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    /// Bloodstains put since the last flush.
    fresh: Vec<BloodstainId>,
    /// Records removed in the tick in which they were put. The lasting Lethe keeps them, because it forgets nothing.
    passing: Vec<(Vec<u8>, Vec<u8>)>,
}

impl SledStore {
    /// Makes a temporary database: a store without earlier runs that is deleted when it is closed.
    ///
    /// # Errors
    /// When no temporary folder can be made.
    pub fn temporary() -> Result<Self, LetheFolderError> {
        let nothing = (&LetheContent::default(), &Ancestry::default());
        Self::open(RunId::default(), RunRecord::default(), nothing, LetheFiles::default())
    }

    /// Opens the stores of a run that starts from some content (database setup). The content is copied to the run's own database, so that the
    /// run can be repeated after the Lethe it came from has changed. From the inventory of the lasting Lethe this run is removed, and a
    /// lasting one that is missing is made.
    ///
    /// # Errors
    /// When a folder can't be made or opened. A folder that is refused is unchanged.
    pub fn open(
        run: RunId,
        mut record: RunRecord,
        (content, ancestry): (&LetheContent, &Ancestry),
        files: LetheFiles<'_>,
    ) -> Result<Self, LetheFolderError> {
        let persist = files.persist.map(|folder| open_lasting(folder, run)).transpose()?;
        let own = match files.folder {
            Some(folder) => folder::open(folder)?,
            None => folder::open_temporary()?,
        };
        content.copy_to(&own)?;
        let mut inventories = Vec::new();
        if let Some(folder) = files.folder {
            let inventory = content.inventory();
            write(&inventory, folder)?;
            inventories.push((own.clone(), folder.to_owned(), inventory));
        }
        let (persist, inventory) = persist.unzip();
        if let (Some(db), Some(inventory), Some(folder)) = (&persist, inventory, files.persist) {
            inventories.push((db.clone(), folder.to_owned(), inventory));
        }
        let databases = std::iter::once(&own).chain(&persist).cloned().collect();
        let flusher = Arc::new(Flusher::start(databases, run, files.log)?);
        record.ancestors = ancestry.runs.iter().map(|run| run.id).collect();
        let known = |id: &RunId| content.runs.get(id).cloned().unwrap_or_default();
        Ok(Self {
            own,
            persist,
            inventories,
            flusher,
            run,
            ancestors: record.ancestors.iter().map(|id| (*id, known(id))).collect(),
            numbers: record.ancestors.iter().copied().zip(1..=u8::MAX).collect(),
            record,
            let_go: 0,
            pending: BTreeMap::new(),
            fresh: Vec::new(),
            passing: Vec::new(),
        })
    }

    /// Returns a handle that notes the end of the run. It is taken before the run begins, because the run takes the store.
    pub fn closing(&self) -> LetheClosing {
        let databases = std::iter::once(&self.own).chain(&self.persist).cloned().collect();
        let inventories = self.inventories.clone();
        LetheClosing { databases, inventories, flusher: Arc::clone(&self.flusher), run: self.run }
    }

    /// The run that a bloodstain belongs to, with that run's record if it is an earlier one; `None` for an unknown run number.
    fn owner(&self, id: BloodstainId) -> Option<(RunId, Option<&RunRecord>)> {
        match usize::from(id.golem.run()).checked_sub(1) {
            None => Some((self.run, None)),
            Some(index) => self.ancestors.get(index).map(|(run, record)| (*run, Some(record))),
        }
    }
}

fn write(inventory: &Inventory, folder: &Path) -> Result<(), LetheFolderError> {
    inventory.write(folder).map_err(|error| std::io::Error::other(error.to_string()).into())
}

/// Opens the lasting Lethe, with its inventory without this run. The run may have been carried out before: it replaces its bloodstains.
fn open_lasting(folder: &Path, run: RunId) -> Result<(sled::Db, Inventory), LetheFolderError> {
    let db = open_untouched(folder)?;
    let mut inventory = match Inventory::of_folder(folder)? {
        Some(inventory) => inventory,
        None => LetheContent::from_database(&db, folder)?.inventory(),
    };
    // Before the run, or a run that is killed would leave an inventory that its new bloodstains contradict.
    inventory.forget(run);
    write(&inventory, folder)?;
    Ok((db, inventory))
}

/// Opens the lasting Lethe after reading a copy of it. If the copy can't be read, or has lost records, the original is left as it is:
/// opening it in place would make the loss final.
fn open_untouched(folder: &Path) -> Result<sled::Db, LetheFolderError> {
    match folder::database(folder) {
        Ok(database) if database != folder || folder::is_of_a_run(folder) => Err(LetheFolderError::OfARun),
        Ok(database) => {
            LetheContent::read(folder)?.whole(folder)?;
            folder::open(&database)
        }
        Err(LetheFolderError::Missing) => {
            std::fs::create_dir_all(folder)?;
            folder::open(folder)
        }
        Err(LetheFolderError::NotALethe) if std::fs::read_dir(folder)?.next().is_none() => {
            folder::open(folder)
        }
        Err(other) => Err(other),
    }
}

impl BloodstainStore for SledStore {
    fn put(&mut self, bloodstain: &Bloodstain) -> Result<(), StoreError> {
        self.pending.insert(bloodstain_key(self.run, bloodstain.id), Some(seal(bloodstain)?));
        self.fresh.push(bloodstain.id);
        Ok(())
    }

    fn get(&self, id: BloodstainId) -> Result<Option<Bloodstain>, StoreError> {
        let Some((run, earlier)) = self.owner(id) else { return Ok(None) };
        let key = bloodstain_key(run, id);
        let stored = match self.pending.get(&key) {
            Some(waiting) => waiting.clone(),
            None => self.own.get(&key).map_err(failed)?.map(|value| value.to_vec()),
        };
        let Some(value) = stored else { return Ok(None) };
        let found: Bloodstain =
            unseal(&value).ok_or_else(|| StoreError(format!("bloodstain {id} is damaged on disk")))?;
        Ok(Some(match earlier {
            None => found,
            Some(record) => renamed(found, run, record, &self.numbers),
        }))
    }

    /// Removes bloodstains of this run from its own database; the lasting Lethe keeps them, because later runs start from it. Bloodstains of
    /// earlier runs aren't removed.
    fn remove(&mut self, ids: &[BloodstainId]) -> Result<(), StoreError> {
        for id in ids {
            if let Some((run, None)) = self.owner(*id) {
                let key = bloodstain_key(run, *id);
                if let Some(Some(value)) = self.pending.insert(key.clone(), None) {
                    self.passing.push((key, value));
                }
                self.let_go += 1;
            }
        }
        Ok(())
    }

    /// Writes the tick's bloodstains and the run's record in one batch, so that a store holds a tick whole or not at all, and requests a flush
    /// to disk.
    fn flush(&mut self, now: Tick) -> Result<(), StoreError> {
        self.record.ticks = now + 1;
        self.record.left += self.fresh.len() as u64;
        let lasting = seal(&self.record)?;
        let own = seal(&RunRecord { left: self.record.left - self.let_go, ..self.record.clone() })?;
        for (database, lasts) in
            std::iter::once((&self.own, false)).chain(self.persist.iter().map(|d| (d, true)))
        {
            let mut batch = sled::Batch::default();
            for (key, value) in &self.pending {
                match value {
                    Some(value) => batch.insert(key.as_slice(), value.as_slice()),
                    None if lasts => {}
                    None => batch.remove(key.as_slice()),
                }
            }
            if lasts {
                self.passing.iter().for_each(|(key, value)| batch.insert(key.as_slice(), value.as_slice()));
            }
            batch.insert(run_key(self.run), if lasts { lasting.as_slice() } else { own.as_slice() });
            database.apply_batch(batch).map_err(failed)?;
        }
        self.pending.clear();
        self.passing.clear();
        self.flusher.request(TickBloodstains { tick: now, bloodstains: std::mem::take(&mut self.fresh) })
    }
}

/// A handle that notes the end of a run in its stores.
#[derive(Debug)]
pub struct LetheClosing {
    databases: Vec<sled::Db>,
    inventories: Vec<(sled::Db, PathBuf, Inventory)>,
    flusher: Arc<Flusher>,
    run: RunId,
}

impl LetheClosing {
    /// Notes that the run has ended after `ticks` (final commit). When this returns, all its bloodstains are on disk and acknowledged.
    ///
    /// # Errors
    /// When a store can't be written, or couldn't be before.
    pub fn close(self, ticks: Tick) -> Result<(), StoreError> {
        // First, because an inventory must not name bloodstains that a failed flush has lost.
        self.flusher.finish()?;
        for database in &self.databases {
            let key = run_key(self.run);
            let Some(stored) = database.get(&key).map_err(failed)? else { continue };
            let Some(record) = unseal::<RunRecord>(&stored) else { continue };
            let ended = seal(&RunRecord { ticks, ..record })?;
            database.insert(key, ended).map_err(failed)?;
            database.flush().map_err(failed)?;
        }
        for (database, folder, mut inventory) in self.inventories {
            inventory.note(self.run, &database)?;
            inventory.write(&folder)?;
        }
        Ok(())
    }
}
