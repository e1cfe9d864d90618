//! One cell: an arm in a world. Its folder is written under a temporary name and renamed when it is complete, so that a process that is
//! killed leaves no half cell that looks like a whole one. It is the result record of one job, content-addressed by the hash of its inputs
//! (cache key). `cell.json` begins with a checksum of itself and names that of its table of lives. A record that fails its own counts as
//! missing; a resumed sweep lives a cell again that fails either, and `--collect` refuses a damaged archive. A failed cell has ended too:
//! only `--retry-failed` lives it again. `morta reproduce` reads a changed record all the same, so that it can name what was changed.

use crate::run::run_folder::WrittenTable;
use crate::sweep::measure::{CohortMeasures, Meter};
use crate::sweep::sweep_file::Sweep;
use morta_base::digest::hex_of;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// The file that makes a folder a cell.
pub(crate) const CELL: &str = "cell.json";

/// What the file begins with.
const SEAL: &str = "{\"blake3\":\"";
/// What one begins with that an older build wrote.
const UNSEALED: &str = "{\"format\":";

/// Version of the format of cells.
const FORMAT: u32 = 1;

/// The id of a cell: its arm and its world, both by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId {
    /// Number of the arm, in the sweep's order.
    pub arm: usize,
    /// Number of the world; its seed is that of the first world and this.
    pub world: u64,
}

/// The result record of one cell, as `cell.json` holds it, sealed by a checksum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    format: u32,
    /// Its hash, which is also the name of its folder.
    pub hash: String,
    /// Name of the arm it belongs to.
    pub arm: String,
    /// Seed of the world it was lived in.
    pub seed: u64,
    /// The values of the keys that differ between arms.
    pub parameters: Map<String, Value>,
    /// How long it took, seconds. It and `by` are all that may differ when the cell is repeated.
    pub wall_s: f64,
    /// The machine and engine that lived it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<LivedBy>,
    /// How it ended.
    pub outcome: CellOutcome,
}

/// Execution metadata of a cell (provenance): machine, Slurm, Ray or HyperQueue, and retries. Like the time it took, it is no part of the
/// outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivedBy {
    /// The machine.
    pub host: String,
    /// What had started the process: `slurm`, `ray`, `hyperqueue`, or `local`.
    pub engine: String,
    /// How often that had begun anew before, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
}

impl LivedBy {
    /// Describes this process, by its host and the environment variables of cluster engines (scheduler metadata).
    pub fn this() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some();
        let engines = [("SLURM_JOB_ID", "slurm"), ("RAY_JOB_ID", "ray"), ("HQ_JOB_ID", "hyperqueue")];
        let engine =
            engines.into_iter().find(|(variable, _)| is_set(variable)).map_or("local", |(_, name)| name);
        let again = ["SLURM_RESTART_COUNT", "HQ_INSTANCE_ID", "MORTA_RETRIES"].map(std::env::var);
        let retries = again.into_iter().flatten().find_map(|count| count.parse().ok());
        Self { host: super::packed::host(), engine: engine.to_owned(), retries }
    }
}

/// How a cell ended (success or failure): its results, or an error message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellOutcome {
    /// It was lived to its end.
    Done(Box<Done>),
    /// It failed, and this is why.
    Failed(String),
}

/// The outcome of a cell that was lived to its end (result): ticks, digest and measures by cohort.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// Ticks lived.
    pub ticks: u64,
    /// Ticks lived by all golems together.
    pub golem_ticks: u64,
    /// Hash of all events.
    pub digest: String,
    /// Its table of lives.
    pub lives: WrittenTable,
    /// Everybody, then each cohort.
    pub cohorts: Vec<CohortMeasures>,
}

impl Done {
    /// The outcome of a cell by its metric collector: measures, digest, lives (metrics of a finished world).
    pub(crate) fn from_meter(meter: &Meter, ticks: u64, golem_ticks: u64, lives: WrittenTable) -> Self {
        Self { ticks, golem_ticks, digest: meter.digest(), lives, cohorts: meter.measures() }
    }
}

impl CellRecord {
    /// Makes the record of how a cell of a sweep ended.
    pub fn new(sweep: &Sweep, id: CellId, hash: String, wall_s: f64, outcome: CellOutcome) -> Self {
        let arm = &sweep.arms[id.arm];
        let parameters = sweep.keys.iter().cloned().zip(arm.parameters.iter().cloned()).collect();
        let (arm, seed) = (arm.name.clone(), sweep.seed(id));
        Self { format: FORMAT, hash, arm, seed, parameters, wall_s, by: Some(LivedBy::this()), outcome }
    }

    /// Looks up one measure of a cohort, if the cell was done and the measure is defined.
    pub fn measure(&self, cohort: &str, name: &str) -> Option<f64> {
        match &self.outcome {
            CellOutcome::Done(done) => done.cohorts.iter().find(|own| own.cohort == cohort)?.get(name),
            CellOutcome::Failed(_) => None,
        }
    }

    /// Serialises the record as JSON that begins with the checksum of the rest, so that no changed digit enters results.
    ///
    /// # Errors
    /// When it can't be written as JSON.
    pub fn sealed(&self) -> serde_json::Result<String> {
        let json = serde_json::to_string(self)?;
        Ok(format!("{SEAL}{}\",{}\n", hex_of(json.as_bytes()), &json[1..]))
    }

    /// Reads the cell of a folder and verifies its checksum; `None` when it isn't there, or isn't as it was written.
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(CELL)).ok()?;
        is_as_written(&text).then(|| Self::parse(folder, &text)).flatten()
    }

    /// Deserializes it unchecked, without the integrity check of its hash, to report what was changed in it (unverified record).
    pub(crate) fn read_changed(folder: &Path) -> Option<Self> {
        Self::parse(folder, &fs::read_to_string(folder.join(CELL)).ok()?)
    }

    fn parse(folder: &Path, text: &str) -> Option<Self> {
        let record: Self = serde_json::from_str(text).ok()?;
        let named = folder.file_name().is_some_and(|name| name.to_string_lossy() == record.hash.as_str());
        (record.format == FORMAT && named).then_some(record)
    }

    /// Whether its table of lives is what it was (file integrity). Cells aren't brought to the disk one by one, so a power cut may have taken a part
    /// of one.
    pub(crate) fn is_intact(&self, folder: &Path) -> bool {
        match &self.outcome {
            CellOutcome::Failed(_) => true,
            CellOutcome::Done(done) => {
                fs::read(folder.join(&done.lives.name)).is_ok_and(|bytes| hex_of(&bytes) == done.lives.blake3)
            }
        }
    }
}

/// Whether a cell's file has the hash that it begins with. Older builds wrote none.
fn is_as_written(text: &str) -> bool {
    let Some(sealed) = text.strip_prefix(SEAL) else {
        // Builds without a seal began every file in one way; a text that begins in another was changed.
        return text.starts_with(UNSEALED)
            && serde_json::from_str::<Value>(text).is_ok_and(|cell| cell.get("blake3").is_none());
    };
    let Some((hash, rest)) = sealed.split_once("\",") else { return false };
    hash == hex_of(format!("{{{}", rest.trim_end()).as_bytes())
}

impl Sweep {
    /// Iterates over all cells, arm by arm and within an arm world by world.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        (0..self.arms.len()).flat_map(|arm| (0..self.worlds()).map(move |world| CellId { arm, world }))
    }

    /// The seed of a cell's world (random seed).
    pub fn seed(&self, id: CellId) -> u64 {
        self.file.seeds.first + id.world
    }

    /// Computes the hash of everything a cell depends on (cache key): the arm's name, its scenario and data, the seed, the survival
    /// horizon, the number of stretches of curves, whether runs are kept, and the build. Cells of another build are lived again, because a
    /// sweep whose arms come from two programs compares the programs.
    pub(crate) fn cell_hash(&self, id: CellId, build: &str) -> String {
        let arm = &self.arms[id.arm];
        let mut hasher = blake3::Hasher::new();
        let measured =
            format!("{} {} {}", self.horizon_ticks(id.arm), self.file.series.bins, self.file.record.runs);
        for part in ["morta cell 1", &arm.name, &arm.blake3, &self.seed(id).to_string(), &measured, build] {
            // Lengths first: otherwise `ab` and `c` would have the hash of `a` and `bc`.
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..HASH_DIGITS].to_owned()
    }
}

/// Hexadecimal digits of a cell's hash: 128 bits, with which two of a million cells collide with a chance of 1e-27, and which fit a `u128`.
pub(crate) const HASH_DIGITS: usize = 32;
