//! Lethes of earlier runs that a run starts from (`lethe.start_from`) and, if it has a folder, adds to (`lethe.persist`): a persistent
//! knowledge base across runs (warm start). What was read is hashed into the manifest and copied into the run folder, so that the run can
//! be repeated when the source has grown; cells of a sweep share one reading, and only those that keep whole runs copy it. A source with
//! lost or damaged records is refused until `morta lethe --salvage` has made a sound one of it; bloodstains that don't fit the market are
//! left out and counted (misfits).

use crate::io::error::{Error, Result};
use crate::io::write_lock::{LockError, WriteLock};
use crate::run::provenance::canonical_json;
use morta_actors::{
    AncestorRun, Ancestry, Inventory, LetheContent, LetheFiles, LetheFolderError, RunId, RunRecord, SledStore,
};
use morta_engine::lethe::MemoryStore;
use morta_engine::world::Scenario;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The Lethe that a run starts from (warm start).
#[derive(Debug, Default)]
pub struct LetheStart {
    /// The Lethe's content as it is stored.
    content: Arc<LetheContent>,
    /// The ancestors that the run reads in it.
    pub ancestry: Ancestry,
    /// Bloodstains that mean nothing in this world.
    misfits: u64,
    /// The identity of the run that starts so.
    pub run: RunId,
}

/// What a manifest says of a run's Lethe (store metadata).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetheRecord {
    /// The run's identity in Lethes.
    pub run: String,
    /// The Lethe it started from, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_from: Option<StartRecord>,
    /// The contents of the run's own Lethe; none in manifests of older builds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<LetheHolding>,
}

/// The contents of a run's own Lethe: bloodstains that it left, and those that it started from (counts).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetheHolding {
    /// Bloodstains.
    pub bloodstains: u64,
    /// Hash of all of it.
    pub blake3: String,
}

impl LetheHolding {
    /// The contents by an inventory (store summary).
    pub(crate) fn from_inventory(inventory: &Inventory) -> Self {
        Self { bloodstains: inventory.bloodstains(), blake3: inventory.digest() }
    }
}

/// What a manifest keeps of the Lethe that a run started from (warm start). A copy is in the run folder's own Lethe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartRecord {
    /// Where it was.
    pub path: String,
    /// Hash of all that was read.
    pub blake3: String,
    /// Bloodstains that could be drawn.
    pub bloodstains: u64,
    /// Bloodstains that mean nothing in this world: of assets it hasn't, or of embeddings of another length.
    pub misfits: u64,
    /// Records that had come to harm and were left out.
    pub damaged: u64,
    /// Bloodstains that had been acknowledged and weren't there.
    pub missing: u64,
    /// The earlier runs; a golem's name begins with A and the place in this list, from 1.
    pub runs: Vec<EarlierRun>,
}

/// An ancestor run, whose dead left bloodstains in the Lethe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierRun {
    /// Its identity.
    pub run: String,
    /// Its scenario's name; empty when the run is only referred to by others.
    pub name: String,
    /// Seed of all its luck.
    pub seed: u64,
    /// Ticks it lived.
    pub ticks: u64,
    /// Its bloodstains that were read.
    pub bloodstains: u64,
}

impl LetheStart {
    /// Reads the Lethe that the scenario starts from (loads the warm start).
    ///
    /// # Errors
    /// When it can't be read, or something of it has come to harm.
    pub fn for_scenario(scenario: &Scenario) -> Result<Self, LetheFolderError> {
        Self::from_content(scenario, content_of(scenario)?)
    }

    /// Reads the Lethe that a finished run started from, by the copy in its folder (warm start from a copy), for repetitions, branches and
    /// the views that trace a bloodstain of an earlier run. Unlike at the start, one with damaged records isn't refused.
    ///
    /// # Errors
    /// When the copy can't be read.
    pub fn again(scenario: &Scenario, then: &LetheRecord, lethe: &Path) -> Result<Self, LetheFolderError> {
        let mut content = match &then.started_from {
            Some(_) => LetheContent::read(lethe)?,
            None => LetheContent::default(),
        };
        let own = content.runs.keys().copied().find(|run| run.to_string() == then.run);
        if let Some(own) = own {
            content = content.without(own);
        }
        Self::from_content(scenario, Arc::new(content))
    }

    /// The start of a run from a Lethe's content (warm start from content).
    ///
    /// # Errors
    /// When it is of more runs than can be numbered.
    pub(crate) fn from_content(
        scenario: &Scenario,
        content: Arc<LetheContent>,
    ) -> Result<Self, LetheFolderError> {
        let run = RunId::of(&canonical_json(&without_places(scenario)), &content.digest());
        let mut ancestry = content.ancestry()?;
        let market = &scenario.market;
        let misfits = ancestry
            .earlier_bloodstains
            .keep_what_fits(market.assets.len(), market.embedding_dimensions) as u64;
        Ok(Self { content, ancestry, misfits, run })
    }

    /// The content hash of what was read.
    pub fn digest(&self) -> String {
        self.content.digest()
    }

    /// Opens the stores the run writes to (sled), under a write lock where one is shared.
    ///
    /// # Errors
    /// When one can't be opened; the error names it.
    pub fn store(&self, scenario: &Scenario, files: LetheFiles<'_>) -> Result<SledStore, LetheFolderError> {
        let record = RunRecord {
            name: scenario.name.clone(),
            seed: scenario.seed,
            tick_seconds: scenario.market.tick_seconds,
            ..RunRecord::default()
        };
        // Without the lock, two processes that find nothing would both make a Lethe there, and one would read what the other has only begun.
        let _opening = match files.persist.map(WriteLock::of_store).transpose() {
            Err(LockError::Held) => return Err(LetheFolderError::InUse),
            // A folder without a lock file may still have a store that can be written; opening it shows that.
            Err(LockError::Unwritable(_)) => None,
            Ok(lock) => lock,
        };
        SledStore::open(self.run, record, (&self.content, &self.ancestry), files)
    }

    /// Makes an in-memory store that holds what the run starts from, for repetitions, branches, cells of sweeps and load tests.
    pub fn in_memory(&self) -> MemoryStore {
        let earlier_bloodstains = self.ancestry.earlier_bloodstains.bloodstains.iter();
        MemoryStore::holding(earlier_bloodstains.map(|earlier| earlier.bloodstain.clone()))
    }

    /// Copies what was read to a folder, so that the run can be repeated when the source has grown or gone.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn copy_to(&self, folder: &Path, scenario: &Scenario) -> Result<(), LetheFolderError> {
        if !self.content.runs.is_empty() {
            drop(self.store(scenario, LetheFiles { folder: Some(folder), ..LetheFiles::default() })?);
        }
        Ok(())
    }

    /// Makes its entry for the manifest (provenance).
    pub fn record(&self, scenario: &Scenario) -> LetheRecord {
        let earlier = |run: &AncestorRun| {
            let known = run.record.clone().unwrap_or_default();
            let RunRecord { name, seed, ticks, .. } = known;
            EarlierRun { run: run.id.to_string(), name, seed, ticks, bloodstains: run.bloodstains }
        };
        let started_from = scenario.lethe.start_from.clone().map(|path| StartRecord {
            path,
            blake3: self.digest(),
            bloodstains: self.ancestry.earlier_bloodstains.bloodstains.len() as u64,
            misfits: self.misfits,
            damaged: self.content.damaged,
            missing: self.content.missing,
            runs: self.ancestry.runs.iter().map(earlier).collect(),
        });
        LetheRecord { run: self.run.to_string(), started_from, content: None }
    }
}

/// Reads the Lethe a scenario starts from; empty when it starts from none (loads the store content).
///
/// # Errors
/// When it can't be read, or something of it has come to harm.
pub(crate) fn content_of(scenario: &Scenario) -> Result<Arc<LetheContent>, LetheFolderError> {
    let Some(folder) = &scenario.lethe.start_from else { return Ok(Arc::default()) };
    let folder = Path::new(folder);
    Ok(Arc::new(LetheContent::read(folder)?.whole(folder)?))
}

/// The scenario without the paths of its Lethes, which make no difference to what happens and would give one run two identities.
fn without_places(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    (scenario.lethe.start_from, scenario.lethe.persist) = (None, None);
    scenario
}

/// Warns of damage to a Lethe in the log of the program (corruption). `morta lethe` alone calls it; a run refuses such a Lethe.
pub fn warn(content: &LetheContent, folder: &str) {
    if let Some(harm) = content.harm() {
        tracing::warn!("{folder}: this Lethe has come to harm: {harm}");
    }
}

/// Converts an error of a store to a user error about its folder.
pub(crate) fn folder_error(folder: &Path, error: &LetheFolderError) -> Error {
    Error::at(folder, error)
}

/// Opens the append-only file of `--lethe-log`, which gets a line for each bloodstain once it is safe (durability log).
///
/// # Errors
/// When it can't be written.
pub(crate) fn open_log(path: Option<&PathBuf>) -> Result<Option<File>> {
    let open = |path: &PathBuf| {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.map_err(|error| Error::at(path, format!("can't be written: {error}")))
    };
    path.map(open).transpose()
}
