//! Cells of a sweep, lived through again.

use super::Builds;
use super::cells::{Checked, check_all};
use crate::failure::UserError;
use crate::output;
use morta_lab::run_folder::compare::hash_of;
use morta_lab::sweep_file::{self, Sweep};
use morta_lab::sweep_folder::{CellId, CellRecord, SweepManifest, build, read_manifest};
use serde_json::json;
use std::path::Path;

/// Cells that are repeated unless the command line says otherwise.
const USUAL_SAMPLE: u64 = 5;

/// Repeats cells, tells of them, and says whether all of it agrees.
///
/// # Errors
/// When the folder can't be read, nothing has ended in it, or somebody stopped it.
pub fn reproduce(dir: &Path, sample: Option<u64>, all: bool, as_json: bool) -> anyhow::Result<bool> {
    let manifest = read_manifest(dir)?;
    let (sweep, other_arms) = sweep_file::again(dir, &manifest)?;
    let ended = ended(dir, &sweep, &manifest);
    if ended.is_empty() {
        return Err(UserError::new(format!(
            "{}: no cell of this sweep has ended here: there is nothing to reproduce",
            dir.display()
        )));
    }
    let wanted = if all { ended.len() } else { sample.unwrap_or(USUAL_SAMPLE) as usize };
    let chosen = spread(&ended, wanted);
    let now = build::identity();
    let builds = Builds { same: manifest.build == now, then: manifest.build.clone(), now };
    let checked = check_all(dir, &sweep, chosen, as_json)?;
    let changed = changed_files(dir, &manifest)?;
    let disagree: Vec<&Checked> = checked.iter().filter(|cell| !cell.differences.is_empty()).collect();
    let agrees = disagree.is_empty() && changed.is_empty() && other_arms.is_empty();
    if as_json {
        output::line(json!({
            "kind": "sweep",
            "dir": dir,
            "name": manifest.name,
            "agrees": agrees,
            "build": builds.json(),
            "cells": ended.len(),
            "checked": checked,
            "disagree": disagree.len(),
            "changed_files": changed,
            "changed_arms": other_arms,
        }))?;
        return Ok(agrees);
    }
    let word = if agrees { "reproduced" } else { "NOT reproduced" };
    output::line(format!(
        "{word}: {} of {} cells lived through again, {} of them the same in digest, lives and rows",
        checked.len(),
        ended.len(),
        checked.len() - disagree.len()
    ))?;
    for cell in &disagree {
        for difference in &cell.differences {
            output::line(format!("  {}, seed {}: {difference}", cell.arm, cell.seed))?;
        }
    }
    changed
        .iter()
        .try_for_each(|name| output::line(format!("  {name} has been changed since it was written")))?;
    other_arms.iter().try_for_each(|arm| {
        output::line(format!("  arm {arm}: its scenario, its data or its Lethe isn't what it was"))
    })?;
    output::line(builds.line())?;
    Ok(agrees)
}

/// A cell that has ended.
pub struct Ended {
    /// Which.
    pub id: CellId,
    /// What is known of it.
    pub record: CellRecord,
}

/// Every cell that has ended, in the order of hashes.
fn ended(dir: &Path, sweep: &Sweep, manifest: &SweepManifest) -> Vec<Ended> {
    let read = |id| {
        let hash = sweep.cell_hash(id, &manifest.build);
        CellRecord::read(&morta_lab::sweep_folder::cell_dir(dir, &hash)).map(|record| Ended { id, record })
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

/// Tables whose bytes aren't those the manifest tells of.
fn changed_files(dir: &Path, manifest: &SweepManifest) -> anyhow::Result<Vec<String>> {
    let mut changed = Vec::new();
    for file in &manifest.files {
        let path = dir.join(&file.name);
        if !path.exists() || hash_of(&path)? != file.blake3 {
            changed.push(file.name.clone());
        }
    }
    Ok(changed)
}
