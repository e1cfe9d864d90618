//! The manifest of a run folder (metadata, provenance): what was lived, by which build, with which files and hashes. Two runs lived the
//! same where `digest`, the hash of the event log, is the same. A manifest of another format version is refused when a folder is opened;
//! hashes of tables are checked when a table is first read. It is written last, so that a folder with one holds a whole run.

use crate::run::drive::Driver;
use crate::run::foreign_memory::MemoryRecord;
use crate::run::lethe_start::LetheRecord;
use crate::run::provenance::{Build, Turn, scenario_hash};
use crate::run::run_folder::hashing_file::WrittenTable;
use crate::run::run_folder::tables::TablesSummary;
use crate::run::scenario_file::{DataFile, fixed_keys, spelling};
use morta_actors::Ended;
use morta_engine::world::Scenario;
use serde::{Deserialize, Serialize};

/// Version of the folder's format (schema version): the names and columns of its tables and the fields of its manifest. It goes up when
/// one of them changes its meaning or goes away.
pub const SCHEMA_VERSION: u32 = 1;

/// The content of `manifest.json`: the metadata of a run, with its scenario, build, files and hashes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`SCHEMA_VERSION`] of the build that wrote it.
    pub schema_version: u32,
    /// The scenario's name.
    pub name: String,
    /// The scenario as it was lived, flags and defaults included.
    #[serde(deserialize_with = "spelling::scenario")]
    pub scenario: Scenario,
    /// [`scenario_hash`] of the scenario.
    pub scenario_blake3: String,
    /// The seed.
    pub seed: u64,
    /// Ticks lived.
    pub ticks: u64,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// Simulated seconds lived.
    pub simulated_s: i64,
    /// Ticks lived by all golems together.
    pub golem_ticks: u64,
    /// Whether every tick's accounts added up.
    pub ledger_conserved: bool,
    /// BLAKE3 over the event log.
    pub digest: String,
    /// The tables and the journal.
    pub files: Vec<WrittenTable>,
    /// The files of prices that were read.
    pub data: Vec<DataFile>,
    /// The run's identity in Lethes, and what it started from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lethe: Option<LetheRecord>,
    /// What a real model said in it, one line for each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cassette: Option<WrittenTable>,
    /// What memories in processes of their own were asked and answered in it, a file for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<MemoryRecord>,
    /// The turns it took: where and how it was branched off another run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branch: Vec<Turn>,
    /// All that may differ between two runs that are the same.
    pub observed: RunObservation,
}

/// How the run came about, as opposed to what happened in it (wall time).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunObservation {
    /// The program that lived it.
    pub build: Build,
    /// "plain loop" or "actors".
    pub driver: String,
    /// Threads that stepped golems.
    pub threads: u32,
    /// When it was started, RFC 3339.
    pub started_at: String,
    /// How long it took, seconds.
    pub wall_s: f64,
    /// Directives that an owner gave while it was lived. They are in the scenario, as if planned, so that the run can be lived again
    /// without its owner.
    #[serde(default, skip_serializing_if = "is_none_given")]
    pub directives_given: u64,
}

fn is_none_given(directives: &u64) -> bool {
    *directives == 0
}

/// Why a manifest can't be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ManifestError {
    #[error("manifest.json is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    #[error(
        "this run was written in format {0}, this build reads format {SCHEMA_VERSION}: use the build that wrote it"
    )]
    OtherFormat(u64),
    #[error("manifest.json is damaged: it has no schema_version")]
    NoVersion,
}

impl RunObservation {
    /// Records how this program drove a run: driver, thread count and wall time.
    pub fn new(driver: Driver, started_at: String, wall_s: f64) -> Self {
        let (build, threads) = (Build::this(), driver.threads() as u32);
        Self { build, driver: driver.name().to_owned(), threads, started_at, wall_s, directives_given: 0 }
    }
}

impl Manifest {
    /// Makes the manifest of a run that has ended and took no turns, with the scenario's hash; the caller adds branch, cassette and
    /// memories.
    pub(crate) fn from_run(
        scenario: Scenario,
        ended: &Ended,
        tables: &TablesSummary,
        (data, lethe): (Vec<DataFile>, LetheRecord),
        observed: RunObservation,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            name: scenario.name.clone(),
            scenario_blake3: scenario_hash(&scenario),
            seed: scenario.seed,
            ticks: ended.ticks,
            interrupted: ended.interrupted,
            simulated_s: tables.totals.lived_s(scenario.market.tick_seconds),
            golem_ticks: ended.golem_ticks,
            ledger_conserved: ended.ledger_conserved,
            digest: tables.digest.clone(),
            files: tables.files.clone(),
            data,
            lethe: Some(lethe),
            cassette: None,
            memories: Vec::new(),
            branch: Vec::new(),
            observed,
            scenario,
        }
    }

    /// Reads a manifest.
    pub(super) fn parse(text: &str) -> Result<Self, ManifestError> {
        let mut value: serde_json::Value = serde_json::from_str(text)?;
        if let Some(scenario) = value.get_mut("scenario") {
            fixed_keys::leave_out(scenario);
        }
        match value.get("schema_version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(SCHEMA_VERSION) => Ok(serde_json::from_value(value)?),
            Some(version) => Err(ManifestError::OtherFormat(version)),
            None => Err(ManifestError::NoVersion),
        }
    }

    /// Whether the scenario is the one that was lived, by its checksum.
    pub(crate) fn scenario_is_intact(&self) -> bool {
        scenario_hash(&self.scenario) == self.scenario_blake3
    }
}
