//! The data of a sweep's folder that a page needs: manifest, sweep file, results table, analysis. Manifest and costs are read at once,
//! other columns and tables by the sections that need them (lazy loading), because they may be large. Tables whose bytes aren't those of
//! the manifest's hashes are refused. Costs are in the units of their measures; a failed cell has none.

use crate::io::error::{Error, Result};
use crate::io::limits::Limits;
use crate::io::table_file::TableFile;
use crate::io::text::quoted;
use crate::report::analysis::ScoresByArm;
use crate::run::laboratory::Laboratory;
use crate::run::provenance::file_hash;
use crate::sweep::analysis::report::PrimaryResult;
use crate::sweep::analysis::{Analysis, analyse};
use crate::sweep::measure::EVERYBODY;
use crate::sweep::sweep_file::SweepFile;
use crate::sweep::sweep_folder::{Status, SweepManifest, read_manifest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The measures of cost that the page takes from the results itself, because the analysis has only those that were registered.
pub(crate) const COSTS: [&str; 9] = [
    "dreams", "dreams_interrupted", "dream_quality_mean", "inference_calls", "inference_usdc",
    "compute_usdc", "gas_usdc", "lethe_usdc", "endowments_usdc",
];

/// A sweep's manifest, its file and its results (experiment data).
pub(crate) struct SweepData {
    pub dir: PathBuf,
    pub manifest: SweepManifest,
    /// The sweep file as it was run.
    pub file: SweepFile,
    results: Option<Results>,
}

/// Columns of `results.csv`, of the rows of everybody: one row for each cell that has ended.
struct Results {
    arms: Vec<usize>,
    seeds: Vec<u64>,
    errors: Vec<Option<Arc<str>>>,
    /// By measure, in the order of [`COSTS`].
    costs: Vec<Vec<Option<f64>>>,
}

impl SweepData {
    /// Reads them (loads the experiment folder).
    ///
    /// # Errors
    /// When the manifest or the results can't be used.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        let manifest = read_manifest(dir)?;
        let file = serde_json::from_value(manifest.configuration.clone())
            .map_err(|error| Error::at(dir, format!("sweep.json is damaged: configuration: {error}")))?;
        for then in &manifest.files {
            let path = dir.join(&then.name);
            if path.is_file() && file_hash(&path)? != then.blake3 {
                return Err(Error::failed(format!(
                    "{} is damaged, or was changed: its bytes aren't those that sweep.json has the hash of",
                    path.display()
                )));
            }
        }
        let mut data = Self { dir: dir.to_owned(), manifest, file, results: None };
        let path = dir.join("results.csv");
        if path.exists() {
            data.results = Some(data.read_results(&path)?);
        } else if data.is_complete() {
            return Err(Error::at(path, "this table is missing"));
        }
        Ok(data)
    }

    /// Whether every cell was run (experiment completeness).
    pub(super) fn is_complete(&self) -> bool {
        self.manifest.status == Status::Complete
    }

    fn read_results(&self, path: &Path) -> Result<Results> {
        let columns: Vec<&str> = ["arm", "seed", "cohort", "error"].into_iter().chain(COSTS).collect();
        let table = TableFile::read(path, &columns, &Limits::default())?;
        let known = self.arms();
        let cohorts = table.labels("cohort")?;
        let is_kept = |row: &usize| &*cohorts[*row] == EVERYBODY;
        let rows: Vec<usize> = (0..cohorts.len()).filter(is_kept).collect();
        let (names, seeds) = (table.labels("arm")?, table.labels("seed")?);
        let arm = |row: &usize| {
            let name = &names[*row];
            let mistake = || table.mistake(*row, format!("{} is no arm of this sweep", quoted(name)));
            known.get(&**name).copied().ok_or_else(mistake)
        };
        let seed = |row: &usize| {
            let mistake = || table.mistake(*row, format!("{} is no seed", quoted(&seeds[*row])));
            seeds[*row].parse().map_err(|_| mistake())
        };
        let errors = table.labels_or_none("error");
        let cost = |name: &str| {
            let column = table.numbers_or_none(name)?;
            Ok(rows.iter().map(|row| column[*row]).collect())
        };
        Ok(Results {
            arms: rows.iter().map(arm).collect::<Result<_>>()?,
            seeds: rows.iter().map(seed).collect::<Result<_>>()?,
            errors: rows.iter().map(|row| errors[*row].clone()).collect(),
            costs: COSTS.iter().map(|name| cost(name)).collect::<Result<_>>()?,
        })
    }

    /// What the sweep's analysis says (`analysis.json`); one of another build's format is made anew from the cells. Where there is none, the
    /// reason.
    ///
    /// # Errors
    /// When it is damaged.
    pub(super) fn analysis(&self) -> Result<std::result::Result<Analysis, String>> {
        Ok(match Analysis::written(&self.dir)? {
            None => {
                Err("There is no verdict yet: the sweep's analysis is written when it stops or ends."
                    .to_owned())
            }
            Some(Ok(analysis)) => Ok(analysis),
            Some(Err(other)) => analyse(&self.dir, &Laboratory::default()).map_err(|why| {
                format!("There is no verdict: {other}. It can't be made anew from the cells: {why}.")
            }),
        })
    }

    /// Selects the values of one of [`COSTS`] in an arm's worlds, where it is defined.
    pub(super) fn costs(&self, arm: usize, cost: usize) -> Vec<f64> {
        let Some(results) = &self.results else { return Vec::new() };
        let of_arm = results.arms.iter().zip(&results.costs[cost]).filter(|(own, _)| **own == arm);
        of_arm.filter_map(|(_, value)| *value).collect()
    }

    /// The primary measure of every arm less the baseline's, world by world; what has no value in both is left out (paired differences).
    ///
    /// # Errors
    /// When the results can't be used.
    pub(super) fn differences(&self, primary: &PrimaryResult) -> Result<ScoresByArm> {
        let path = self.dir.join("results.csv");
        if self.results.is_none() {
            return Ok(ScoresByArm::new());
        }
        let columns = ["arm", "seed", "cohort", primary.measure.as_str()];
        let table = TableFile::read(&path, &columns, &Limits::default())?;
        let (arms, seeds, cohorts) = (table.labels("arm")?, table.labels("seed")?, table.labels("cohort")?);
        let values = table.numbers_or_none(&primary.measure)?;
        let of_cohort = (0..arms.len()).filter(|row| *cohorts[*row] == *primary.cohort);
        let mut worlds: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
        for (row, value) in of_cohort.filter_map(|row| Some((row, values[row]?))) {
            worlds.entry(&arms[row]).or_default().insert(&seeds[row], value);
        }
        let Some(baseline) = worlds.get(primary.baseline.as_str()) else { return Ok(ScoresByArm::new()) };
        let less = |own: &BTreeMap<&str, f64>| {
            own.iter().filter_map(|(seed, value)| Some(value - baseline.get(seed)?)).collect()
        };
        Ok(worlds.iter().map(|(arm, own)| ((*arm).to_owned(), less(own))).collect())
    }

    /// How many cells have ended, failed ones included (progress).
    pub(crate) fn cells_ended(&self) -> usize {
        self.results.as_ref().map_or(0, |results| results.arms.len())
    }

    /// Lists the cells that failed: arm, world and error message.
    pub(super) fn failures(&self) -> Vec<(usize, u64, &str)> {
        let Some(results) = &self.results else { return Vec::new() };
        let errors = results.errors.iter().enumerate();
        errors
            .filter_map(|(row, why)| Some((results.arms[row], results.seeds[row], why.as_deref()?)))
            .collect()
    }

    /// Where a table is; `None` when the sweep never wrote it (path of a Parquet table).
    ///
    /// # Errors
    /// When the manifest names it and it is gone.
    pub(super) fn table(&self, name: &str) -> Result<Option<PathBuf>> {
        let path = self.dir.join(name);
        let named = self.manifest.files.iter().any(|file| file.name == name);
        match (path.exists(), named) {
            (true, _) => Ok(Some(path)),
            (false, false) => Ok(None),
            (false, true) => Err(Error::at(path, "this table is missing")),
        }
    }

    /// Maps the names of the arms to their places in the manifest.
    pub(super) fn arms(&self) -> BTreeMap<&str, usize> {
        self.manifest.arms.iter().enumerate().map(|(place, arm)| (arm.name.as_str(), place)).collect()
    }
}
