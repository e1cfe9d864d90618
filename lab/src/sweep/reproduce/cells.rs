//! Cells lived again on as many threads as there are cores, each compared with its record in the folder. It is a reproducibility check
//! (deterministic replay, parallel execution): digest, ticks, measures, curves, the table of lives, the rows of `results.csv`, and where
//! the sweep keeps runs, the files of the run must be the same by the hashes in the two manifests. A recorded model's answers are played
//! from the folder; memories that are processes must answer again. Wall-clock times aren't compared. The order of results is that of the
//! cells. All cores are used, because the check would otherwise take longer than the sweep did.

use crate::io::error::{Context as _, Error, Result};
use crate::io::in_order::in_order;
use crate::run::run_folder::{FinishedRun, RunFolder};
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellId, CellOutcome, CellRecord, CellStore, tables};
use crate::sweep::sweep_run::cell::{RUN, WORKER, outcome_of, quiet_workers};
use crate::sweep::sweep_run::{Answers, CellWatch};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of repeating a cell (reproducibility check of a cell): its differences, none of them if it agrees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedCell {
    /// The arm it belongs to.
    pub arm: String,
    /// Seed of the world it was lived in.
    pub seed: u64,
    /// Hash of all it depends on, which names its folder.
    pub cell: String,
    /// The differences, one line each.
    pub differences: Vec<String>,
}

/// A cell that has ended.
pub(super) struct Ended {
    pub(super) id: CellId,
    pub(super) record: CellRecord,
}

/// Lives through cells again; returns their results in their order.
///
/// # Errors
/// When there is no room for the repetition, the folder can't be read, or it was stopped.
pub(super) fn check_all(
    dir: &Path,
    sweep: &Sweep,
    chosen: Vec<&Ended>,
    watch: &dyn CellWatch,
    stop: &AtomicBool,
) -> Result<Vec<CheckedCell>> {
    let written = Written::read(dir)?;
    let (answers, cells) = (Answers::recorded(sweep, dir)?, CellStore::open(dir)?);
    watch.begun(chosen.len() as u64, 0);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(chosen.len());
    quiet_workers();
    let checked = in_order(chosen.len(), (jobs, WORKER), stop, |place| {
        let checked = check(sweep, chosen[place], (&written, &answers, &cells), stop);
        watch.cell_ended(false);
        checked
    });
    watch.over();
    match checked {
        // A cell that was under way when it was stopped says only that.
        Ok(checked) if !stop.load(Ordering::Relaxed) => checked.into_iter().collect(),
        _ => Err(Error::stopped(format!("stopped before its end: nothing is known of {}", dir.display()))),
    }
}

fn check(
    sweep: &Sweep,
    Ended { id, record }: &Ended,
    (written, answers, cells): (&Written, &Answers, &CellStore),
    stop: &AtomicBool,
) -> Result<CheckedCell> {
    let kept = cells.place(&record.hash)?.context("the cell is gone")?;
    let room = tempfile::tempdir().context("there is no room for the repetition")?;
    let outcome = outcome_of((sweep, answers), *id, room.path(), &|| stop.load(Ordering::Relaxed))?;
    let outcome = outcome.context("it was stopped")?;
    let mut differences = of_outcome(&record.outcome, &outcome);
    if !record.is_intact(&kept) {
        differences.push("its table of lives has been changed since it was written".to_owned());
    }
    if record.arm != sweep.arms[id.arm].name || record.seed != sweep.seed(*id) {
        differences.push(format!("cell.json calls it {}, seed {}", record.arm, record.seed));
    }
    let again = CellRecord::new(sweep, *id, record.hash.clone(), 0.0, outcome);
    differences.extend(written.differences(sweep, &again, tables::result_rows(sweep, *id, &again)));
    if kept.join(RUN).exists() && matches!(again.outcome, CellOutcome::Done(_)) {
        let (then, now) = (RunFolder::open(&kept.join(RUN))?, RunFolder::open(&room.path().join(RUN))?);
        differences.extend(of_runs(&then, &now));
    }
    let (arm, seed) = (again.arm, again.seed);
    Ok(CheckedCell { arm, seed, cell: record.hash.clone(), differences })
}

/// The differences between two outcomes.
fn of_outcome(then: &CellOutcome, now: &CellOutcome) -> Vec<String> {
    let (then, now) = match (then, now) {
        (CellOutcome::Done(then), CellOutcome::Done(now)) => (then, now),
        (CellOutcome::Failed(then), CellOutcome::Failed(now)) if then == now => return Vec::new(),
        (CellOutcome::Failed(then), CellOutcome::Failed(now)) => {
            return vec![format!("it failed with \"{then}\" and fails with \"{now}\"")];
        }
        (CellOutcome::Done(_), CellOutcome::Failed(now)) => {
            return vec![format!("it was done and fails now: {now}")];
        }
        (CellOutcome::Failed(then), CellOutcome::Done(_)) => {
            return vec![format!("it failed and is done now: {then}")];
        }
    };
    let mut found = Vec::new();
    if then.digest != now.digest {
        found.push(format!("the digest was {} and is {}", then.digest, now.digest));
    }
    if (then.ticks, then.golem_ticks) != (now.ticks, now.golem_ticks) {
        let (a, b) = ((then.ticks, then.golem_ticks), (now.ticks, now.golem_ticks));
        found.push(format!("it lived {} ticks ({} of golems) and lives {} ({})", a.0, a.1, b.0, b.1));
    }
    if then.lives != now.lives {
        found.push("its table of lives comes out differently".to_owned());
    }
    for (then, now) in then.cohorts.iter().zip(&now.cohorts) {
        let differs = |(name, value): &(&String, &serde_json::Value)| now.measures.get(*name) != Some(*value);
        for (name, value) in then.measures.iter().filter(differs) {
            let now = now.measures.get(name).cloned().unwrap_or_default();
            found.push(format!("{name} of {} was {value} and is {now}", then.cohort));
        }
        if then.series != now.series {
            found.push(format!("the learning curves of {} come out differently", then.cohort));
        }
    }
    if then.cohorts.len() != now.cohorts.len() {
        found.push(format!("it had {} cohorts and has {}", then.cohorts.len(), now.cohorts.len()));
    }
    found
}

fn of_runs(then: &FinishedRun, now: &FinishedRun) -> Vec<String> {
    let changed = then.manifest.files.iter().filter(|file| !now.manifest.files.contains(file));
    changed.map(|file| format!("{RUN}/{} comes out differently", file.name)).collect()
}

/// The rows of `results.csv`, by arm and seed; none when there is no such file yet.
struct Written(Option<BTreeMap<CellName, Vec<Vec<String>>>>);

/// Arm and seed, as they are written.
type CellName = (String, String);

impl Written {
    fn read(dir: &Path) -> Result<Self> {
        let path = dir.join("results.csv");
        if !path.exists() {
            return Ok(Self(None));
        }
        let damaged = || format!("{} is damaged", path.display());
        let mut rows: BTreeMap<CellName, Vec<Vec<String>>> = BTreeMap::new();
        for record in csv::Reader::from_path(&path).with_context(damaged)?.into_records() {
            let row: Vec<String> = record.with_context(damaged)?.iter().map(str::to_owned).collect();
            if let [arm, seed, ..] = row.as_slice() {
                rows.entry((arm.clone(), seed.clone())).or_default().push(row);
            }
        }
        Ok(Self(Some(rows)))
    }

    fn differences(&self, sweep: &Sweep, cell: &CellRecord, rows: Vec<Vec<String>>) -> Option<String> {
        let written = self.0.as_ref()?.get(&(cell.arm.clone(), cell.seed.to_string()));
        let Some(written) = written else { return Some("results.csv has no row of it".to_owned()) };
        if *written == rows {
            return None;
        }
        let names = tables::result_names(sweep);
        let differs = |(then, now): (&Vec<String>, &Vec<String>)| {
            let place = then.iter().zip(now).position(|(a, b)| a != b)?;
            let name = names.get(place).map_or("?", String::as_str);
            Some(format!("{name} in results.csv is {} and should be {}", then[place], now[place]))
        };
        let first = written.iter().zip(&rows).find_map(differs);
        Some(
            first.unwrap_or_else(|| {
                format!("results.csv has {} rows of it, not {}", written.len(), rows.len())
            }),
        )
    }
}
