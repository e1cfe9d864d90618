//! One cell of a sweep as a whole run: what a sweep leaves out of each, so that a million of them fit. It serves to look into one
//! surprising cell: all tables, and the event log unless the scenario has `record.events = false`, for the price of one world.
//! `morta reproduce DIR --cell ARM:SEED --out RUN` calls it. It is a deterministic replay of a cell, and its digest comparison a
//! reproducibility check. A real model isn't asked again: its replies come from the sweep's cassette.

use crate::io::error::{Context as _, Error, Result};
use crate::io::text::nearest;
use crate::run::laboratory::Laboratory;
use crate::sweep::sweep_folder::{CellId, CellOutcome, CellRecord, CellStore, read_manifest, restore};
use crate::sweep::sweep_run::Answers;
use crate::sweep::sweep_run::cell::{RUN, WORKER, outcome_of, quiet_workers};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A cell that has been lived again as a run (re-run cell), with the event digests of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellRun {
    /// The arm.
    pub arm: String,
    /// The seed.
    pub seed: u64,
    /// The run's folder.
    pub dir: PathBuf,
    /// Hash of its events.
    pub digest: String,
    /// The same in the sweep's folder; none where the cell hasn't ended there, or has failed there.
    pub digest_then: Option<String>,
}

impl CellRun {
    /// Whether both digests are equal; true for a cell that hasn't ended in the sweep or has failed there, because it has no digest to
    /// disagree with.
    pub fn agrees(&self) -> bool {
        self.digest_then.as_ref().is_none_or(|then| *then == self.digest)
    }
}

/// Lives through a cell, `ARM:SEED`, and leaves the run in a folder that isn't there yet (`--cell`). It is lived on one thread in a
/// temporary directory beside the destination, and gets there by an atomic rename.
///
/// # Errors
/// [`Error::Invalid`] when the sweep has no such cell or the folder is there already; [`Error::Stopped`] when it was stopped; others when
/// the cell fails.
pub fn cell_run(
    dir: &Path,
    cell: &str,
    out: &Path,
    stop: &AtomicBool,
    laboratory: &Laboratory,
) -> Result<CellRun> {
    let refused = |why: String| Error::invalid(format!("--cell {cell}: {why}"));
    if out.exists() {
        return Err(Error::invalid(format!(
            "--out {}: is there already: choose another folder",
            out.display()
        )));
    }
    let manifest = read_manifest(dir)?;
    let (mut sweep, _) = restore(dir, &manifest, laboratory)?;
    // Names of arms have no colon, but what a key is called may.
    let (arm, seed) = cell.rsplit_once(':').ok_or_else(|| refused("must be ARM:SEED".to_owned()))?;
    let index = sweep.arms.iter().position(|one| one.name == arm).ok_or_else(|| {
        let near = nearest(arm, sweep.arms.iter().map(|one| one.name.as_str()));
        let near = near.map_or(String::new(), |near| format!(": did you mean {near}?"));
        refused(format!("the sweep has no arm {arm}{near}"))
    })?;
    let (first, worlds) = (sweep.file.seeds.first, sweep.file.seeds.count);
    let world =
        seed.parse().ok().and_then(|seed: u64| seed.checked_sub(first)).filter(|world| *world < worlds);
    let world = world.ok_or_else(|| {
        refused(format!("the sweep's seeds are {first} to {}", first + worlds.saturating_sub(1)))
    })?;
    let id = CellId { arm: index, world };
    let hash = sweep.cell_hash(id, &manifest.build);
    let then = CellStore::open(dir)?.place(&hash)?.and_then(|place| CellRecord::read_changed(&place));
    let digest_then = then.and_then(|record| match record.outcome {
        CellOutcome::Done(done) => Some(done.digest),
        CellOutcome::Failed(_) => None,
    });
    sweep.file.record.runs = true;
    let answers = Answers::recorded(&sweep, dir)?;
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).with_context(|| format!("{} can't be made", parent.display()))?;
    // Beside its destination, so that it gets there by a rename, which is atomic only within one file system.
    let room = tempfile::tempdir_in(parent).context("there is no room for the run")?;
    quiet_workers();
    let outcome = std::thread::scope(|scope| {
        let live = || outcome_of((&sweep, &answers), id, room.path(), &|| stop.load(Ordering::Relaxed));
        let worker = std::thread::Builder::new().name(format!("{WORKER}0")).spawn_scoped(scope, live);
        worker
            .context("a thread can't be started")?
            .join()
            .unwrap_or_else(|_| Err(Error::failed("the cell panicked".to_owned())))
    })?;
    let done = match outcome {
        None => {
            return Err(Error::stopped(format!("stopped before its end: {} is not written", out.display())));
        }
        Some(CellOutcome::Failed(why)) => return Err(Error::failed(format!("cell {cell} fails: {why}"))),
        Some(CellOutcome::Done(done)) => done,
    };
    std::fs::rename(room.path().join(RUN), out)
        .with_context(|| format!("{} can't be written", out.display()))?;
    Ok(CellRun {
        arm: arm.to_owned(),
        seed: first + world,
        dir: out.to_owned(),
        digest: done.digest,
        digest_then,
    })
}
