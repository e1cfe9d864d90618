//! The inventory of a Lethe: a file beside the database that states what the database should hold. It is an integrity check by counts and
//! checksums. It is a separate file, because damage to a database removes records, and a count kept in the database would be lost with
//! them. It is written when a run opens the database (without that run), at the run's end (`LetheClosing`) and by a salvage, and compared
//! by every reader (`LetheContent::read`), who reports differences as losses. A temporary Lethe has none.

use super::record::{BLOODSTAIN, RUN, RunId, failed, run_key, run_of, seal, unseal};
use morta_engine::lethe::StoreError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// File name of the inventory, in the database's folder.
const FILE: &str = "morta-inventory";

/// The number and hash of the bloodstains of each run that has ended (integrity checksums). A run under way has no entry, because its count
/// changes with every death.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    runs: BTreeMap<RunId, Holding>,
}

/// The bloodstains of one run that the database holds; in the run's own database without those that it removed again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holding {
    pub bloodstains: u64,
    /// BLAKE3 hash of its record and of its bloodstains as they are stored.
    pub blake3: [u8; 32],
}

/// A loss of data: a difference between a Lethe's records and its inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The inventory file is damaged.
    Inventory,
    /// Bloodstains of a run are missing or changed.
    OfRun {
        /// The run.
        run: RunId,
        /// Its scenario's name; empty when its record is gone.
        name: String,
        /// Bloodstains of the run that the database should hold: those of the inventory, or of the run's record when it isn't in the
        /// inventory.
        left: u64,
        /// Bloodstains of the run that are in the database.
        found: u64,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::OfRun { run, name, left, found } = self else {
            return write!(f, "its inventory is damaged");
        };
        write!(f, "run {:.8}", run.to_string())?;
        if !name.is_empty() {
            write!(f, " ({name})")?;
        }
        match left.saturating_sub(*found) {
            0 => write!(f, ": what is there isn't what was left"),
            missing => write!(f, ": {missing} of {left} bloodstains are missing or damaged"),
        }
    }
}

impl Inventory {
    /// Reads the inventory in the folder of a Lethe; `None` without one, as older builds wrote none (checksum file).
    ///
    /// # Errors
    /// When it is damaged or can't be read.
    pub fn of_folder(database: &Path) -> io::Result<Option<Self>> {
        match fs::read(database.join(FILE)) {
            Ok(bytes) => unseal(&bytes).map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Computes the inventory of records, which must be in the order of their keys: a hash depends on the order.
    pub(super) fn from_records<'a>(records: impl IntoIterator<Item = (&'a [u8], &'a [u8])>) -> Self {
        let mut hashers: BTreeMap<RunId, (u64, blake3::Hasher)> = BTreeMap::new();
        for (key, value) in records {
            let Some(run) = run_of(key).filter(|_| matches!(key.first(), Some(&(RUN | BLOODSTAIN)))) else {
                continue;
            };
            let (bloodstains, hasher) = hashers.entry(run).or_default();
            *bloodstains += u64::from(key.first() == Some(&BLOODSTAIN));
            // Each length is hashed before its bytes, so that bytes that move from a key to its value change the hash.
            for part in [key, value] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        let holding = |(bloodstains, hasher): (u64, blake3::Hasher)| Holding {
            bloodstains,
            blake3: hasher.finalize().into(),
        };
        Self { runs: hashers.into_iter().map(|(run, found)| (run, holding(found))).collect() }
    }

    /// Replaces the entry of a run by the records that a database holds of it.
    pub(super) fn note(&mut self, run: RunId, db: &sled::Db) -> Result<(), StoreError> {
        let mut records = Vec::new();
        if let Some(record) = db.get(run_key(run)).map_err(failed)? {
            records.push((run_key(run).into(), record));
        }
        for record in db.scan_prefix([&[BLOODSTAIN][..], &run.0].concat()) {
            records.push(record.map_err(failed)?);
        }
        let found = Self::from_records(
            records.iter().map(|(key, value): &(sled::IVec, sled::IVec)| (&key[..], &value[..])),
        );
        self.forget(run);
        self.runs.extend(found.runs);
        Ok(())
    }

    /// Removes the entry of a run, because a run that is carried out again replaces its bloodstains.
    pub(super) fn forget(&mut self, run: RunId) {
        self.runs.remove(&run);
    }

    /// Writes the file beside the records, whole or not at all: a crash while it is written would otherwise make the Lethe count as damaged.
    /// The caller must have the database open, because sled's lock is what keeps two writers apart.
    pub(super) fn write(&self, database: &Path) -> Result<(), StoreError> {
        let (path, partial) = (database.join(FILE), database.join(format!("{FILE}.partial")));
        let content = seal(self)?;
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(&content)?;
            file.sync_all()?;
            fs::rename(&partial, &path)
        };
        write().map_err(failed)
    }

    /// The record count: the sum of the bloodstains of all runs in it.
    pub fn bloodstains(&self) -> u64 {
        self.runs.values().map(|holding| holding.bloodstains).sum()
    }

    /// BLAKE3 hash (checksum) of the whole inventory, in hexadecimal.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (run, holding) in &self.runs {
            hasher.update(&run.0);
            hasher.update(&holding.blake3);
        }
        hasher.finalize().to_hex().to_string()
    }

    pub(super) fn holdings(&self) -> impl Iterator<Item = (&RunId, &Holding)> {
        self.runs.iter()
    }

    pub(super) fn holding(&self, run: RunId) -> Option<&Holding> {
        self.runs.get(&run)
    }
}
