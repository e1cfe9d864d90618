//! The content of a Lethe, and the earlier runs that a new run numbers from it. It is the read side of an embedded database; ages are hours
//! of simulated time, and digests are hexadecimal BLAKE3. It is read whole and from a copy, because opening a damaged database could damage
//! it further. Reading reports damage and loss and doesn't refuse them: a run that starts from a Lethe or adds to a lasting one refuses by
//! `LetheContent::whole`, while `morta lethe` shows what is left and salvages it. A repetition, a branch or a view of a finished run takes
//! the copy in its folder as it is, without the run's own bloodstains (`without`).

use super::folder::{self, LetheFolderError, quietly};
use super::inventory::{Inventory, Loss};
use super::record::{BLOODSTAIN, RUN, RunId, RunRecord, run_of, unseal};
use morta_base::GolemId;
use morta_engine::lethe::{Bloodstain, EarlierBloodstain, EarlierBloodstains};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// One stored record of a Lethe: a bloodstain, with the run that it was left in.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBloodstain {
    /// The run.
    pub run: RunId,
    /// The bloodstain, its golems named as in its run.
    pub bloodstain: Bloodstain,
}

/// The content of a Lethe's database, read into memory, with a report of its integrity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetheContent {
    /// The records of the runs that have left bloodstains.
    pub runs: BTreeMap<RunId, RunRecord>,
    /// The bloodstains, in the order of runs and identities.
    pub bloodstains: Vec<StoredBloodstain>,
    /// Damaged records, which are left out.
    pub damaged: u64,
    /// Bloodstains that were acknowledged and are missing, the damaged ones not counted.
    pub missing: u64,
    /// The differences from the inventory, by run.
    pub losses: Vec<Loss>,
    /// The undamaged records as they are stored, in the order of their keys.
    pub(super) raw: Vec<(Vec<u8>, Vec<u8>)>,
}

/// An earlier run (ancestor) that a new run starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AncestorRun {
    /// Its identity in Lethes.
    pub id: RunId,
    /// Its record; `None` if it is only named as an ancestor of another run.
    pub record: Option<RunRecord>,
    /// The number of its bloodstains.
    pub bloodstains: u64,
}

/// The ancestry of a run: the earlier runs that it starts from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ancestry {
    /// The earlier runs, in the order of their numbers: the first is number 1, because 0 is the run itself.
    pub runs: Vec<AncestorRun>,
    /// Their bloodstains, with golems named by the number of their run.
    pub earlier_bloodstains: EarlierBloodstains,
}

/// The most earlier runs: a golem's id has one byte for the number of its run.
const MAX_RUNS: usize = u8::MAX as usize;
const SECONDS_AN_HOUR: f64 = 3_600.0;

impl LetheContent {
    /// Reads the Lethe in a folder, or in the folder of a finished run. The folder isn't changed.
    ///
    /// # Errors
    /// When it isn't there, is no Lethe, is in use, of another format, or damaged beyond reading.
    pub fn read(folder: &Path) -> Result<Self, LetheFolderError> {
        let (room, db) = folder::open_copy(&folder::database(folder)?)?;
        Self::from_database(&db, room.path())
    }

    /// Reads an open database and compares it with the inventory beside it.
    pub(super) fn from_database(db: &sled::Db, database: &Path) -> Result<Self, LetheFolderError> {
        let (content, damaged) = quietly(|| Self::gather(db))?.map_err(folder::from_sled)?;
        match Inventory::of_folder(database) {
            Ok(inventory) => Ok(content.compared(&inventory.unwrap_or_default(), &damaged)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let compared = content.compared(&Inventory::default(), &damaged);
                Ok(Self { losses: [vec![Loss::Inventory], compared.losses.clone()].concat(), ..compared })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the records, and counts the damaged bloodstains of each run.
    fn gather(db: &sled::Db) -> Result<(Self, BTreeMap<RunId, u64>), sled::Error> {
        let (mut content, mut damaged) = (Self::default(), BTreeMap::new());
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
            let run = run_of(&key);
            match (run.filter(|run| content.runs.contains_key(run)), unseal(&value)) {
                (Some(run), Some(bloodstain)) => {
                    content.bloodstains.push(StoredBloodstain { run, bloodstain });
                    content.raw.push((key.to_vec(), value.to_vec()));
                }
                _ => {
                    content.damaged += 1;
                    *damaged.entry(run.unwrap_or_default()).or_default() += 1;
                }
            }
        }
        Ok((content, damaged))
    }

    /// Adds the differences from an inventory. A run that isn't in the inventory hasn't ended, or an older build wrote it: its own record then
    /// has the number of its bloodstains. `damaged` has those of each run that are damaged: they lack in `present` too, and would be counted
    /// twice.
    fn compared(mut self, inventory: &Inventory, damaged: &BTreeMap<RunId, u64>) -> Self {
        let present = self.inventory();
        let ids: BTreeSet<RunId> =
            self.runs.keys().chain(inventory.holdings().map(|(run, _)| run)).copied().collect();
        for run in ids {
            let (found, noted) = (present.holding(run), inventory.holding(run));
            let record = self.runs.get(&run);
            let left =
                noted.map_or_else(|| record.map_or(0, |record| record.left), |noted| noted.bloodstains);
            let bloodstains = found.map_or(0, |found| found.bloodstains);
            if bloodstains < left || noted.is_some_and(|noted| Some(noted) != found) {
                let name = record.map_or(String::new(), |record| record.name.clone());
                let damaged = damaged.get(&run).copied().unwrap_or_default();
                self.missing += left.saturating_sub(bloodstains + damaged);
                self.losses.push(Loss::OfRun { run, name, left, found: bloodstains });
            }
        }
        self
    }

    /// The inventory of the undamaged records, for the integrity check.
    pub fn inventory(&self) -> Inventory {
        Inventory::from_records(self.raw.iter().map(|(key, value)| (key.as_slice(), value.as_slice())))
    }

    /// Describes the losses and damage (corruption), for an error or a page; `None` when the content is whole.
    pub fn harm(&self) -> Option<String> {
        let losses = self.losses.iter().map(Loss::to_string);
        let damaged = (self.damaged > 0).then(|| format!("{} records are damaged", self.damaged));
        let parts: Vec<String> = losses.chain(damaged).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Returns the content itself, if nothing of it is lost or damaged (an integrity check); `folder` is named in the error.
    ///
    /// # Errors
    /// When something is lost or damaged.
    pub fn whole(self, folder: &Path) -> Result<Self, LetheFolderError> {
        match self.harm() {
            None => Ok(self),
            Some(harm) => Err(LetheFolderError::Harmed(harm, folder.to_owned())),
        }
    }

    /// Writes the undamaged records to a new Lethe (data recovery).
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
        self.inventory().write(folder).map_err(|error| folder::from_sled_text(error.to_string()))
    }

    /// Copies the undamaged records into a database, byte for byte, because encoded anew they could get
    /// other hashes, and count as damaged.
    pub(super) fn copy_to(&self, db: &sled::Db) -> Result<(), LetheFolderError> {
        let mut copied = sled::Batch::default();
        for (key, value) in &self.raw {
            copied.insert(key.as_slice(), value.as_slice());
        }
        db.apply_batch(copied).map_err(folder::from_sled)?;
        db.flush().map_err(folder::from_sled)?;
        Ok(())
    }

    /// Leaves out the records and losses of one run. A finished run is lived again from its own Lethe without itself, because it didn't
    /// start from its own bloodstains. The counts `damaged` and `missing` stay as they are, because they aren't kept by run: they may still
    /// include records of that run.
    pub fn without(mut self, run: RunId) -> Self {
        self.runs.remove(&run);
        self.bloodstains.retain(|stored| stored.run != run);
        self.raw.retain(|(key, _)| run_of(key) != Some(run));
        self.losses.retain(|loss| !matches!(loss, Loss::OfRun { run: lost, .. } if *lost == run));
        self
    }

    /// BLAKE3 hash of the undamaged records, in hexadecimal (content digest); empty when there are none.
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

    /// Numbers the earlier runs as a new run does, the one that ended longest ago first, with the ages of their bloodstains at tick 0: its
    /// ancestry.
    ///
    /// # Errors
    /// When there are more than 255 runs: a golem's id has no room for more.
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

    /// The hours between the end of each run and tick 0. A run that a later run started from ended before the later one began, so the length
    /// of the later one counts. A run that no other started from ends at tick 0. Wall time isn't used, because a run must be repeatable.
    fn ended_hours_before(&self) -> BTreeMap<RunId, f64> {
        let mut later_first: Vec<(&RunId, &RunRecord)> = self.runs.iter().collect();
        // Descendants first: a run has more ancestors than each of its ancestors has.
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

/// A bloodstain of another run, with the golems it names renumbered as in this run.
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
        // A record that lacks one of its ancestors can only come from a faulty writer. The golem then counts as one of the run itself,
        // rather than making the whole Lethe unreadable.
        let number = number[&lived_in.unwrap_or(run)];
        GolemId::of_run(number, golem.slot(), golem.generation)
    });
    bloodstain.dated_to_tick_zero()
}

#[cfg(test)]
mod tests {
    use super::super::record::{bloodstain_key, run_key, seal};
    use super::*;

    /// A damaged record of another run takes nothing from the number of a run's missing bloodstains. A damaged bloodstain isn't missing,
    /// because it would be counted twice.
    #[test]
    fn what_is_damaged_and_what_is_missing_are_counted_apart() {
        let db = folder::open_temporary().unwrap();
        let [gone, spoilt, unreadable] = [1, 2, 3].map(|byte| RunId([byte; 16]));
        let record = |left| seal(&RunRecord { left, ..RunRecord::default() }).unwrap();
        let key = bloodstain_key(spoilt, morta_base::BloodstainId { golem: GolemId::founder(0), number: 0 });
        for (key, value) in [
            (run_key(gone), record(3)),
            (run_key(spoilt), record(1)),
            (key, b"damaged".to_vec()),
            (run_key(unreadable), b"damaged".to_vec()),
        ] {
            db.insert(key, value).unwrap();
        }
        let room = tempfile::tempdir().unwrap();
        let content = LetheContent::from_database(&db, room.path()).unwrap();
        assert_eq!((content.damaged, content.missing), (2, 3));
    }
}
