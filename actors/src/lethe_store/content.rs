//! Everything a Lethe holds, and what a new run makes of it.

use super::folder::{self, LetheFolderError, quietly};
use super::inventory::{Inventory, Loss};
use super::record::{BLOODSTAIN, RUN, RunId, RunRecord, run_of, unseal};
use morta_base::GolemId;
use morta_engine::lethe::{Bloodstain, EarlierBloodstain, EarlierBloodstains};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// One bloodstain with the run it was left in.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBloodstain {
    /// The run.
    pub run: RunId,
    /// The bloodstain, its golems named as in its run.
    pub bloodstain: Bloodstain,
}

/// What a Lethe holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetheContent {
    /// The runs that have left something, with what is known of them.
    pub runs: BTreeMap<RunId, RunRecord>,
    /// The bloodstains, in the order of runs and identities.
    pub bloodstains: Vec<StoredBloodstain>,
    /// Records that had come to harm, and are left out.
    pub damaged: u64,
    /// Bloodstains that were acknowledged and aren't there.
    pub missing: u64,
    /// Run by run, what isn't there or isn't what was left.
    pub losses: Vec<Loss>,
    /// The sound records as they are stored.
    pub(super) raw: Vec<(Vec<u8>, Vec<u8>)>,
}

/// An earlier run, for whoever starts from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AncestorRun {
    /// What it is known by in Lethes.
    pub id: RunId,
    /// What is known of it; `None` for one that is only referred to.
    pub record: Option<RunRecord>,
    /// How many of its bloodstains there are.
    pub bloodstains: u64,
}

/// What a run starts from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ancestry {
    /// The earlier runs: the first is number 1.
    pub runs: Vec<AncestorRun>,
    /// Their bloodstains, with golems named by the number of their run.
    pub earlier_bloodstains: EarlierBloodstains,
}

/// Most earlier runs that golems' names can tell apart.
const MAX_RUNS: usize = u8::MAX as usize;
const SECONDS_AN_HOUR: f64 = 3_600.0;

impl LetheContent {
    /// Reads the Lethe in a folder, or in the folder of a finished run. The folder isn't changed.
    ///
    /// # Errors
    /// When it isn't there, is no Lethe, is in use, of another format, or damaged beyond reading.
    pub fn read(folder: &Path) -> Result<Self, LetheFolderError> {
        let (room, db) = folder::open_copy(&folder::database(folder)?)?;
        Self::of(&db, room.path())
    }

    /// What an open database holds, held against the inventory beside it.
    pub(super) fn of(db: &sled::Db, database: &Path) -> Result<Self, LetheFolderError> {
        let content = quietly(|| Self::gather(db)).map_err(folder::said)?.map_err(folder::told)?;
        match Inventory::of_folder(database) {
            Ok(inventory) => Ok(content.compared(&inventory.unwrap_or_default())),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let compared = content.compared(&Inventory::default());
                Ok(Self { losses: [vec![Loss::Inventory], compared.losses.clone()].concat(), ..compared })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn gather(db: &sled::Db) -> Result<Self, sled::Error> {
        let mut content = Self::default();
        for record in db.scan_prefix([RUN]) {
            let (key, value) = record?;
            match (run_of(&key), unseal(&value)) {
                (Some(run), Some(known)) => {
                    content.runs.insert(run, known);
                    content.raw.push((key.to_vec(), value.to_vec()));
                }
                _ => content.damaged += 1,
            }
        }
        for record in db.scan_prefix([BLOODSTAIN]) {
            let (key, value) = record?;
            let run = run_of(&key).filter(|run| content.runs.contains_key(run));
            match (run, unseal(&value)) {
                (Some(run), Some(bloodstain)) => {
                    content.bloodstains.push(StoredBloodstain { run, bloodstain });
                    content.raw.push((key.to_vec(), value.to_vec()));
                }
                _ => content.damaged += 1,
            }
        }
        Ok(content)
    }

    /// With what isn't there. A run that is not in the inventory has not ended, or an older build wrote it: it tells itself what it left.
    fn compared(mut self, inventory: &Inventory) -> Self {
        let there = self.inventory();
        let ids: BTreeSet<RunId> =
            self.runs.keys().chain(inventory.holdings().map(|(run, _)| run)).copied().collect();
        for run in ids {
            let (found, noted) = (there.holding(run), inventory.holding(run));
            let record = self.runs.get(&run);
            let left =
                noted.map_or_else(|| record.map_or(0, |record| record.left), |noted| noted.bloodstains);
            let bloodstains = found.map_or(0, |found| found.bloodstains);
            if bloodstains < left || noted.is_some_and(|noted| Some(noted) != found) {
                let name = record.map_or(String::new(), |record| record.name.clone());
                self.missing += left.saturating_sub(bloodstains);
                self.losses.push(Loss::OfRun { run, name, left, found: bloodstains });
            }
        }
        self.missing = self.missing.saturating_sub(self.damaged);
        self
    }

    /// What it holds, run by run.
    pub fn inventory(&self) -> Inventory {
        Inventory::of(self.raw.iter().map(|(key, value)| (key.as_slice(), value.as_slice())))
    }

    /// What has come to harm, in words; none when it is whole.
    pub fn harm(&self) -> Option<String> {
        let losses = self.losses.iter().map(Loss::to_string);
        let damaged = (self.damaged > 0).then(|| format!("{} records are damaged", self.damaged));
        let told: Vec<String> = losses.chain(damaged).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// The same, if nothing of it has come to harm; `folder` is what to call it.
    ///
    /// # Errors
    /// When something has.
    pub fn whole(self, folder: &Path) -> Result<Self, LetheFolderError> {
        match self.harm() {
            None => Ok(self),
            Some(harm) => Err(LetheFolderError::Harmed(harm, folder.to_owned())),
        }
    }

    /// Makes a Lethe of its own of what is left.
    ///
    /// # Errors
    /// When the folder holds anything, or can't be written to.
    pub fn salvage(&self, folder: &Path) -> Result<(), LetheFolderError> {
        std::fs::create_dir_all(folder)?;
        if std::fs::read_dir(folder)?.next().is_some() {
            return Err(LetheFolderError::NotEmpty);
        }
        let db = folder::open(folder)?;
        self.copy_to(&db)?;
        self.inventory().write(folder).map_err(|error| folder::said(error.to_string()))
    }

    /// Puts its records into a database as they are.
    pub(super) fn copy_to(&self, db: &sled::Db) -> Result<(), LetheFolderError> {
        let mut copied = sled::Batch::default();
        for (key, value) in &self.raw {
            copied.insert(key.as_slice(), value.as_slice());
        }
        db.apply_batch(copied).map_err(folder::told)?;
        db.flush().map_err(folder::told)?;
        Ok(())
    }

    /// The same without one run.
    pub fn without(mut self, run: RunId) -> Self {
        self.runs.remove(&run);
        self.bloodstains.retain(|stored| stored.run != run);
        self.raw.retain(|(key, _)| run_of(key) != Some(run));
        self.losses.retain(|loss| !matches!(loss, Loss::OfRun { run: of, .. } if *of == run));
        self
    }

    /// Hash of all that is sound in it, in hexadecimal; that of nothing is empty.
    pub fn digest(&self) -> String {
        if self.raw.is_empty() {
            return String::new();
        }
        let mut hasher = blake3::Hasher::new();
        for part in self.raw.iter().flat_map(|(key, value)| [key, value]) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// What a new run makes of it: earlier runs are numbered, the longest ended first, and everything is aged up to tick 0.
    ///
    /// # Errors
    /// When there are more runs than can be told apart.
    pub fn ancestry(&self) -> Result<Ancestry, LetheFolderError> {
        let ended = self.ended_hours_before();
        let mut ids: Vec<RunId> = ended.keys().copied().collect();
        if ids.len() > MAX_RUNS {
            let runs = ids.len();
            let reason =
                format!("it holds bloodstains of {runs} runs, and at most {MAX_RUNS} can be told apart");
            return Err(LetheFolderError::Damaged(reason));
        }
        ids.sort_by(|a, b| ended[b].total_cmp(&ended[a]).then(a.cmp(b)));
        let number: BTreeMap<RunId, u8> = ids.iter().copied().zip(1..=u8::MAX).collect();
        let mut runs: Vec<AncestorRun> = ids
            .into_iter()
            .map(|id| AncestorRun { id, record: self.runs.get(&id).cloned(), bloodstains: 0 })
            .collect();
        let mut earlier_bloodstains = EarlierBloodstains::default();
        for StoredBloodstain { run, bloodstain } in &self.bloodstains {
            let record = &self.runs[run];
            runs[usize::from(number[run]) - 1].bloodstains += 1;
            let since = record.ticks.saturating_sub(bloodstain.died) as f64;
            let hours_before = ended[run] + since * f64::from(record.tick_seconds) / SECONDS_AN_HOUR;
            let bloodstain = renamed(bloodstain.clone(), *run, record, &number);
            earlier_bloodstains.bloodstains.push(EarlierBloodstain { bloodstain, hours_before });
        }
        earlier_bloodstains.bloodstains.sort_by_key(|earlier| earlier.bloodstain.id);
        Ok(Ancestry { runs, earlier_bloodstains })
    }

    /// How long before tick 0 each run ended, in hours: those that later runs started from have their lengths behind them. The runs
    /// that nobody has started from end at tick 0.
    fn ended_hours_before(&self) -> BTreeMap<RunId, f64> {
        let mut later_first: Vec<(&RunId, &RunRecord)> = self.runs.iter().collect();
        // Whoever knows of a run knows of more runs than that one does.
        later_first.sort_by_key(|(id, record)| (std::cmp::Reverse(record.ancestors.len()), **id));
        let mut ended: BTreeMap<RunId, f64> = self.runs.keys().map(|run| (*run, 0.0)).collect();
        for (id, record) in later_first {
            let length = record.ticks as f64 * f64::from(record.tick_seconds) / SECONDS_AN_HOUR;
            let began = ended[id] + length;
            for ancestor in &record.ancestors {
                let before = ended.entry(*ancestor).or_default();
                *before = before.max(began);
            }
        }
        ended
    }
}

/// A bloodstain of another run, everybody it names named as here.
pub(super) fn renamed(
    mut bloodstain: Bloodstain,
    run: RunId,
    record: &RunRecord,
    number: &BTreeMap<RunId, u8>,
) -> Bloodstain {
    bloodstain.rename(&|golem: GolemId| {
        let lived_in = match usize::from(golem.run()).checked_sub(1) {
            None => Some(run),
            Some(index) => record.ancestors.get(index).copied(),
        };
        // A run its own record doesn't know of can only be a fault of who wrote it; the golem then counts as of the run itself.
        let number = number[&lived_in.unwrap_or(run)];
        GolemId::of_run(number, golem.slot(), golem.generation)
    });
    bloodstain.dated_to_tick_zero()
}
