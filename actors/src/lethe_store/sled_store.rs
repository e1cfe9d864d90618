//! The store of a run: its own folder, and the Lethe that outlives it, if there is one.

use super::content::{Ancestry, LetheContent, renamed};
use super::flusher::{Flusher, Left};
use super::folder::{self, LetheFolderError};
use super::inventory::Inventory;
use super::record::{RunId, RunRecord, bloodstain_key, failed, run_key, seal, unseal};
use morta_base::{BloodstainId, Tick};
use morta_engine::lethe::{Bloodstain, BloodstainStore, StoreError};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a run keeps its bloodstains.
#[derive(Debug, Default)]
pub struct LetheFiles<'a> {
    /// Its own folder; without, one that is gone afterwards.
    pub folder: Option<&'a Path>,
    /// The folder of a Lethe that outlives the run.
    pub persist: Option<&'a Path>,
    /// Gets a line for each bloodstain once it is safe.
    pub log: Option<File>,
}

/// Bloodstains in sled databases.
#[derive(Debug)]
pub struct SledStore {
    own: sled::Db,
    persist: Option<sled::Db>,
    /// Where each of them is and what it held before the run; a temporary one needs none.
    inventories: Vec<(sled::Db, PathBuf, Inventory)>,
    flusher: Arc<Flusher>,
    run: RunId,
    record: RunRecord,
    /// Earlier runs by their number less one, with what is known of them.
    ancestors: Vec<(RunId, RunRecord)>,
    numbers: BTreeMap<RunId, u8>,
    /// Own bloodstains that the run has let go of.
    let_go: u64,
    /// What was put or removed since the last flush.
    pending: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    fresh: Vec<BloodstainId>,
    /// What the run let go of in the tick it was put: for the lasting Lethe only.
    passing: Vec<(Vec<u8>, Vec<u8>)>,
}

impl SledStore {
    /// A store without earlier runs that is gone when it is closed.
    ///
    /// # Errors
    /// When there is no room for it.
    pub fn temporary() -> Result<Self, LetheFolderError> {
        let nothing = (&LetheContent::default(), &Ancestry::default());
        Self::open(RunId::default(), RunRecord::default(), nothing, LetheFiles::default())
    }

    /// Opens the stores of a run that starts from some content, which is copied to its own folder as it is.
    ///
    /// # Errors
    /// When a folder can't be made or opened; then nothing has been changed in it.
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

    /// What is needed to note the end of the run after the store has been given away.
    pub fn closing(&self) -> LetheClosing {
        let databases = std::iter::once(&self.own).chain(&self.persist).cloned().collect();
        let inventories = self.inventories.clone();
        LetheClosing { databases, inventories, flusher: Arc::clone(&self.flusher), run: self.run }
    }

    /// The run a golem's bloodstain belongs to, with its record if that is another one.
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

/// Opens the lasting Lethe, with what it holds but for this run, which may have been lived before.
fn open_lasting(folder: &Path, run: RunId) -> Result<(sled::Db, Inventory), LetheFolderError> {
    let db = open_untouched(folder)?;
    let mut inventory = match Inventory::of_folder(folder)? {
        Some(inventory) => inventory,
        None => LetheContent::of(&db, folder)?.inventory(),
    };
    inventory.forget(run);
    write(&inventory, folder)?;
    Ok((db, inventory))
}

/// The lasting Lethe is looked at in a copy first: if it can't be read, or has lost something, it is not touched. To open it in place
/// would make the loss final.
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

    /// A lasting Lethe keeps what the run lets go of.
    fn remove(&mut self, id: BloodstainId) -> Result<(), StoreError> {
        if let Some((run, None)) = self.owner(id) {
            let key = bloodstain_key(run, id);
            if let Some(Some(value)) = self.pending.insert(key.clone(), None) {
                self.passing.push((key, value));
            }
            self.let_go += 1;
        }
        Ok(())
    }

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
        self.flusher.ask(Left { tick: now, bloodstains: std::mem::take(&mut self.fresh) })
    }
}

/// Notes the end of a run in its stores.
#[derive(Debug)]
pub struct LetheClosing {
    databases: Vec<sled::Db>,
    inventories: Vec<(sled::Db, PathBuf, Inventory)>,
    flusher: Arc<Flusher>,
    run: RunId,
}

impl LetheClosing {
    /// The run has lived this many ticks. All it left is safe and acknowledged when this returns.
    ///
    /// # Errors
    /// When a store can't be written, or couldn't be before.
    pub fn close(self, ticks: Tick) -> Result<(), StoreError> {
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
