//! Cells of a sweep, lived through again: a reproducibility check of a systematic sample of cells. Five cells are spread evenly over those
//! that have ended, failed ones among them, or another number, or all. A cell agrees when `cells` finds no difference from its record:
//! digest, ticks, measures, curves, lives, rows, files of a kept run, or the same error. The sweep agrees when in addition no table and no
//! arm has changed. Cells that haven't ended aren't looked at, and a real model isn't asked again: replies come from the cassette. A sample
//! is the default, because all cells would take as long as the sweep.

use super::Builds;
use super::cells::{CheckedCell, Ended, check_all};
use crate::io::error::{Error, Result};
use crate::run::laboratory::Laboratory;
use crate::run::provenance::{Build, file_hash};
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellRecord, CellStore, SweepManifest, read_manifest, restore};
use crate::sweep::sweep_run::CellWatch;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Which of the cells that have ended are lived through again: a systematic sample by hash order, or every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// So many, spread evenly over all of them.
    Spread(u64),
    /// Every one.
    All,
}

impl Default for Sample {
    /// Five: enough to find a build that computes something else, few enough to wait for.
    fn default() -> Self {
        Self::Spread(5)
    }
}

/// The result of repeating a sweep (reproducibility report): checked cells, changed files, changed arms.
#[derive(Clone, Debug)]
pub struct ReproducedSweep {
    /// The sweep's name.
    pub name: String,
    /// The builds of the sweep and of its repetition.
    pub builds: Builds,
    /// Cells that have ended in the folder.
    pub ended: u64,
    /// Those that were lived through again.
    pub checked: Vec<CheckedCell>,
    /// Tables whose bytes aren't those of the manifest.
    pub changed_files: Vec<String>,
    /// Arms whose scenarios aren't what they were: their data or their Lethe has changed, or this build gives another meaning to a key.
    pub changed_arms: Vec<String>,
}

impl ReproducedSweep {
    /// The cells that came out differently.
    pub fn disagreeing(&self) -> impl Iterator<Item = &CheckedCell> {
        self.checked.iter().filter(|cell| !cell.differences.is_empty())
    }

    /// Whether the sweep is reproducible: all digests match, and neither a table nor an arm's scenario was changed.
    pub fn agrees(&self) -> bool {
        self.disagreeing().next().is_none() && self.changed_files.is_empty() && self.changed_arms.is_empty()
    }
}

/// Lives through cells of a sweep's folder again (reproducibility check). Its cohorts may name any memory architecture of a laboratory.
///
/// # Errors
/// [`Error::Invalid`] when the folder can't be read, nothing has ended in it, or the laboratory lacks an architecture that the sweep
/// names; [`Error::Stopped`] when it was stopped.
pub fn reproduce_sweep(
    dir: &Path,
    sample: Sample,
    watch: &dyn CellWatch,
    stop: &AtomicBool,
    laboratory: &Laboratory,
) -> Result<ReproducedSweep> {
    let manifest = read_manifest(dir)?;
    let (sweep, changed_arms) = restore(dir, &manifest, laboratory)?;
    let ended = ended(&CellStore::open(dir)?, &sweep, &manifest);
    if ended.is_empty() {
        return Err(Error::at(dir, "no cell of this sweep has ended here: there is nothing to reproduce"));
    }
    let wanted = match sample {
        Sample::Spread(cells) => cells as usize,
        Sample::All => ended.len(),
    };
    let chosen = spread(&ended, wanted);
    let now = Build::identity();
    let builds = Builds { same: manifest.build == now, then: manifest.build.clone(), now };
    let checked = check_all(dir, &sweep, chosen, watch, stop)?;
    let changed_files = changed_files(dir, &manifest)?;
    let SweepManifest { name, .. } = manifest;
    Ok(ReproducedSweep { name, builds, ended: ended.len() as u64, checked, changed_files, changed_arms })
}

/// Every cell that has ended, in the order of hashes.
fn ended(cells: &CellStore, sweep: &Sweep, manifest: &SweepManifest) -> Vec<Ended> {
    let read = |id| {
        let hash = sweep.cell_hash(id, &manifest.build);
        let place = cells.place(&hash).ok()??;
        CellRecord::read_changed(&place).map(|record| Ended { id, record })
    };
    let mut found: Vec<Ended> = sweep.cells().filter_map(read).collect();
    found.sort_by(|a, b| a.record.hash.cmp(&b.record.hash));
    found
}

/// So many of them, spread evenly: hashes have nothing to do with arms and worlds, so their order is as good as chance, and the same
/// each time.
fn spread(ended: &[Ended], wanted: usize) -> Vec<&Ended> {
    let count = wanted.min(ended.len());
    (0..count).map(|place| &ended[(2 * place + 1) * ended.len() / (2 * count)]).collect()
}

/// Tables whose bytes aren't those of the manifest.
fn changed_files(dir: &Path, manifest: &SweepManifest) -> Result<Vec<String>> {
    let mut changed = Vec::new();
    for file in &manifest.files {
        let path = dir.join(&file.name);
        if !path.exists() || file_hash(&path)? != file.blake3 {
            changed.push(file.name.clone());
        }
    }
    Ok(changed)
}
