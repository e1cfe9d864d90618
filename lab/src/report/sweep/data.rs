//! What a sweep's folder holds, as far as a page needs it.

use crate::io::error::{Context as _, Error, Result};
use crate::io::table::{Column, TableRow as _};
use crate::io::text::quoted;
use crate::run::provenance::file_hash;
use crate::sweep::sweep_file::SweepFile;
use crate::sweep::sweep_folder::tables::ResultHead;
use crate::sweep::sweep_folder::{Status, SweepManifest, read_manifest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Values of one measure by world.
pub type ByWorld = BTreeMap<u64, f64>;

/// A sweep's manifest, its file and its results.
pub struct SweepData {
    pub dir: PathBuf,
    pub manifest: SweepManifest,
    /// The sweep file as it was run.
    pub file: SweepFile,
    columns: Vec<String>,
    rows: Vec<ResultRow>,
}

struct ResultRow {
    arm: usize,
    seed: u64,
    cohort: String,
    cells: Vec<Option<f64>>,
    failed: Option<String>,
}

const ARM: &Column = ResultHead::TABLE.column("arm");
const SEED: &Column = ResultHead::TABLE.column("seed");
const COHORT: &Column = ResultHead::TABLE.column("cohort");
const OUTCOME: &Column = ResultHead::TABLE.column("outcome");
const ERROR: &Column = ResultHead::TABLE.column("error");

impl SweepData {
    /// Reads them.
    ///
    /// # Errors
    /// When the manifest or the results can't be used.
    pub fn read(dir: &Path) -> Result<Self> {
        let manifest = read_manifest(dir)?;
        let file = serde_json::from_value(manifest.configuration.clone()).map_err(|error| {
            Error::invalid(format!("{}: sweep.json is damaged: configuration: {error}", dir.display()))
        })?;
        for then in &manifest.files {
            let path = dir.join(&then.name);
            if path.is_file() && file_hash(&path)? != then.blake3 {
                return Err(Error::failed(format!(
                    "{} is damaged, or was changed: its bytes aren't those sweep.json tells of",
                    path.display()
                )));
            }
        }
        let mut data = Self { dir: dir.to_owned(), manifest, file, columns: Vec::new(), rows: Vec::new() };
        let path = dir.join("results.csv");
        if path.exists() {
            data.read_results(&path)?;
        } else if data.is_complete() {
            return Err(Error::invalid(format!("{}: this table is missing", path.display())));
        }
        Ok(data)
    }

    /// Whether every cell was run.
    pub fn is_complete(&self) -> bool {
        self.manifest.status == Status::Complete
    }

    fn read_results(&mut self, path: &Path) -> Result<()> {
        let damaged = || format!("{} is damaged", path.display());
        let mut reader = csv::Reader::from_path(path).with_context(damaged)?;
        let header = reader.headers().with_context(damaged)?.clone();
        let place = |column: &Column| {
            let name = column.name;
            header
                .iter()
                .position(|found| found == name)
                .ok_or_else(|| Error::invalid(format!("{}: there is no column `{name}`", path.display())))
        };
        // A table that lacks one that no page needs isn't of this program either.
        ResultHead::TABLE.columns.iter().try_for_each(|column| place(column).map(|_| ()))?;
        let (arm, seed, cohort) = (place(ARM)?, place(SEED)?, place(COHORT)?);
        let (outcome, error) = (place(OUTCOME)?, place(ERROR)?);
        let arms: BTreeMap<&str, usize> =
            self.manifest.arms.iter().enumerate().map(|(place, arm)| (arm.name.as_str(), place)).collect();
        for record in reader.records() {
            let record = record.with_context(damaged)?;
            let text = |column: usize| record.get(column).unwrap_or("");
            let Some(known) = arms.get(text(arm)).copied() else {
                let line = format!("{}: {} is no arm of this sweep", path.display(), quoted(text(arm)));
                return Err(Error::invalid(line));
            };
            self.rows.push(ResultRow {
                arm: known,
                seed: text(seed).parse().with_context(damaged)?,
                cohort: text(cohort).to_owned(),
                cells: record
                    .iter()
                    .map(|cell| cell.parse().ok().filter(|value: &f64| value.is_finite()))
                    .collect(),
                failed: (text(outcome) == "failed").then(|| text(error).to_owned()),
            });
        }
        self.columns = header.iter().map(str::to_owned).collect();
        Ok(())
    }

    /// A measure of an arm's cohort, world by world, where it is defined.
    pub fn values(&self, arm: usize, cohort: &str, measure: &str) -> ByWorld {
        let Some(column) = self.columns.iter().position(|name| name == measure) else {
            return ByWorld::new();
        };
        let rows = self.rows.iter().filter(|row| row.arm == arm && row.cohort == cohort);
        rows.filter_map(|row| Some((row.seed, row.cells[column]?))).collect()
    }

    /// Whether the table knows a measure.
    pub fn knows(&self, measure: &str) -> bool {
        self.columns.iter().any(|name| name == measure)
    }

    /// Cells that failed: arm, world and why.
    pub fn failures(&self) -> Vec<(usize, u64, &str)> {
        self.rows.iter().filter_map(|row| Some((row.arm, row.seed, row.failed.as_deref()?))).collect()
    }

    /// Where a table is; `None` when the sweep never wrote it.
    ///
    /// # Errors
    /// When the manifest names it and it is gone.
    pub fn table(&self, name: &str) -> Result<Option<PathBuf>> {
        let path = self.dir.join(name);
        let named = self.manifest.files.iter().any(|file| file.name == name);
        match (path.exists(), named) {
            (true, _) => Ok(Some(path)),
            (false, false) => Ok(None),
            (false, true) => Err(Error::invalid(format!("{}: this table is missing", path.display()))),
        }
    }

    /// Names of the arms with their places.
    pub fn arms(&self) -> BTreeMap<&str, usize> {
        self.manifest.arms.iter().enumerate().map(|(place, arm)| (arm.name.as_str(), place)).collect()
    }
}
