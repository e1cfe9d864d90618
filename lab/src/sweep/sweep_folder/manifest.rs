//! The manifest of a sweep's folder, and the differences between two sweeps. It is the experiment metadata: arms, seeds, build, progress,
//! checksums of its tables. A sweep can be restored from it and the data files it names, after its sweep file is gone. Differences are
//! listed, because `--resume` must not mix two experiments: any difference in keys, scenario, data, arms or build is refused. Status and
//! counts of cells are as of the last time it was written: when a sweep begins, is resumed and ends.

use crate::run::provenance::canonical_json;
use crate::run::run_folder::WrittenTable;
use crate::run::scenario_file::DataFile;
use crate::run::scenario_file::differences::differ;
use crate::sweep::sweep_file::{Arm, LeftOut, SharedSource, Sweep};
use morta_base::digest::hex_of;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Version of the folder's format: its tables and the fields of its manifest.
pub const SCHEMA_VERSION: u32 = 1;

/// The content of `sweep.json`, the manifest of an experiment, with a schema version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepManifest {
    /// [`SCHEMA_VERSION`] of the build that wrote it.
    pub schema_version: u32,
    /// The sweep's name.
    pub name: String,
    /// How far it has come.
    pub status: Status,
    /// Whether the sweep is as it was registered: without a profile and without `--seeds`. Null without a registration.
    pub as_registered: Option<bool>,
    /// The profile it was run with.
    pub profile: Option<String>,
    /// The number of worlds on the command line.
    pub seeds_flag: Option<u64>,
    /// The number of worlds at which it stopped, where that was a look before the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<u64>,
    /// Hash of the registration.
    pub preregistration_blake3: Option<String>,
    /// The program.
    pub build: String,
    /// How many cells there are, and how many have ended.
    pub cells: Counts,
    /// The sweep file as it was read, defaults included and the profile carried out.
    pub configuration: Value,
    /// The scenario with what all arms change in it; data files are named by their hashes.
    pub scenario: Value,
    /// The files of prices.
    pub data: Vec<DataFile>,
    /// The Lethes that arms start from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lethes: Vec<SharedSource>,
    /// The cassettes that arms play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cassettes: Vec<SharedSource>,
    /// The arms.
    pub arms: Vec<ManifestArm>,
    /// Points of a sensitivity analysis with invalid scenarios.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The tables and the recording, also of a sweep that was stopped; empty while it goes on.
    pub files: Vec<WrittenTable>,
}

morta_base::words! {
    /// How far a sweep has come (experiment status, run status): a state enum of its lifecycle.
    pub enum Status {
        /// It goes on, was killed, or ended by an error such as a full disk.
        Running = "running",
        /// Somebody stopped it, `fail_fast` did, or units were missing when it was collected; it can be resumed.
        Stopped = "stopped",
        /// Every cell was run.
        Complete = "complete",
    }
}

/// The progress of a sweep: how many cells there are, have ended and have failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All of them.
    pub total: u64,
    /// Lived to their ends.
    pub done: u64,
    /// Ended with an error, which is in `results.csv`.
    pub failed: u64,
}

/// One arm of the experiment, with the content hash of its scenario and its swept parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestArm {
    /// The arm, as the tables name it.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Hash of its scenario and the contents of its data.
    pub blake3: String,
    /// The values of the keys that differ between arms.
    pub parameters: Map<String, Value>,
}

impl SweepManifest {
    /// Makes the manifest of a sweep before its first cell.
    pub fn new(sweep: &Sweep, build: &str) -> Self {
        let registered = sweep.file.preregistration.as_ref();
        let arm = |arm: &crate::sweep::sweep_file::Arm| ManifestArm {
            name: arm.name.clone(),
            description: arm.description.clone(),
            blake3: arm.blake3.clone(),
            parameters: sweep.keys.iter().cloned().zip(arm.parameters.iter().cloned()).collect(),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            name: sweep.file.name.clone(),
            status: Status::Running,
            as_registered: registered.map(|_| sweep.profile.is_none() && sweep.seeds_flag.is_none()),
            profile: sweep.profile.clone(),
            seeds_flag: sweep.seeds_flag,
            ends_at: None,
            preregistration_blake3: registered
                .map(|registered| hex_of(json(registered).to_string().as_bytes())),
            build: build.to_owned(),
            cells: Counts { total: sweep.arms.len() as u64 * sweep.worlds(), ..Counts::default() },
            configuration: json(&sweep.file),
            scenario: serde_json::from_str(&canonical_json(&sweep.base)).expect("it was JSON"),
            data: sweep.data.clone(),
            lethes: shared(sweep, Arm::lethe_source),
            cassettes: shared(sweep, Arm::cassette_source),
            arms: sweep.arms.iter().map(arm).collect(),
            left_out: sweep.left_out.clone(),
            files: Vec::new(),
        }
    }

    /// Lists the differences of another sweep from this one, one line each (diff of configurations). `--resume` refuses to mix cells of two
    /// sweeps, and says why by these lines.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        differ("", &self.configuration, &now.configuration, &mut found);
        differ("scenario", &self.scenario, &now.scenario, &mut found);
        for (then, now) in self.data.iter().zip(&now.data).filter(|(then, now)| then.blake3 != now.blake3) {
            found.push(format!(
                "the data file {} is not what it was ({})",
                now.path.display(),
                then.path.display()
            ));
        }
        if self.build != now.build {
            found.push(format!("the program was {} and is {}", self.build, now.build));
        }
        let hashes = |manifest: &Self| manifest.arms.iter().map(|arm| arm.blake3.clone()).collect::<Vec<_>>();
        if found.is_empty() && hashes(self) != hashes(now) {
            found.push("the scenarios of the arms are not what they were".to_owned());
        }
        found
    }
}

fn shared(sweep: &Sweep, source: impl Fn(&Arm) -> Option<SharedSource>) -> Vec<SharedSource> {
    let mut found: Vec<SharedSource> = Vec::new();
    for source in sweep.arms.iter().filter_map(source) {
        if !found.contains(&source) {
            found.push(source);
        }
    }
    found
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("sweeps are plain data")
}
