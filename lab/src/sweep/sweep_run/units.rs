//! Sweeps on more than one machine: a plan, units of work that any engine may run anywhere as often as it likes, and their collection.
//!
//! A unit is a batch of cells, world by world. Running one takes no lock and looks at nothing but the plan: it lives its cells in a folder of its
//! own, packs them into one archive, and leaves alone what another process has put there meanwhile. A unit that is there already is done at
//! once. Only [`Sweep::collect`] locks the folder; its tables (but for timings) are those of a sweep run on one machine, to the byte.
//!
//! It is distributed computing without a coordinator: job arrays (Slurm array), idempotent work units, a final merge. No lock is taken,
//! because some network file systems have none. The flags `--plan`, `--submit`, `--unit`, `--cells` and `--collect` of `morta sweep` call
//! it, and the Python package for shares; cells by range need no plan. A sweep that records a real model is refused, because all its cells
//! share one recording.

use super::workers::{Work, live_all};
use super::{Answers, SweepOptions, SweepSummary};
use crate::io::error::{Context as _, Error, Result};
use crate::io::in_order;
use crate::io::text::json_file;
use crate::io::whole_file;
use crate::run::provenance::Build;
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::packed::{Packer, Packing, host, remove_debris};
use crate::sweep::sweep_folder::{
    CellId, CellRecord, CellRoom, CellStore, PLAN, SweepFolder, refuse_foreign,
};
use morta_base::digest::hex_of;
use morta_engine::llm::LlmMode;
use serde::{Deserialize, Serialize};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Version of the format of plans.
const FORMAT: u32 = 1;

/// `plan.json`: the units of a sweep (job array). A process that runs one must have the same sweep and the same build, for cells of two
/// builds can't be compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitPlan {
    format: u32,
    /// Name of the sweep.
    pub name: String,
    /// The program.
    pub build: String,
    /// Hash of the hashes of all cells, in their order.
    pub cells_blake3: String,
    /// How many cells there are.
    pub cells: u64,
    /// How many cells a unit has; the last may have fewer.
    pub cells_a_unit: u64,
    /// About how long a cell takes on one thread, seconds.
    pub cell_s: f64,
    /// The measurement behind it.
    pub measured_on: String,
}

/// One unit of work (shard): its cells, and its estimated time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkUnit {
    /// Its number, from 0.
    pub unit: u64,
    /// About how long it takes on one thread, seconds.
    pub estimated_s: f64,
    /// Its cells.
    pub cells: Vec<UnitCell>,
}

/// One cell of a unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnitCell {
    /// The arm.
    pub arm: String,
    /// Seed of the world.
    pub seed: u64,
    /// Its hash.
    pub hash: String,
}

/// The share of a sweep's cells that is to be run: a unit of the job array, or an index range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    /// A unit of the plan.
    Unit(u64),
    /// Cells by number, world by world, whatever the plan.
    Cells(Range<u64>),
}

/// The result of running a unit: failures, and whether the unit was there already (idempotent job).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitEnd {
    /// Its archive.
    pub path: PathBuf,
    /// Its cells.
    pub cells: u64,
    /// Cells that failed, a line each; they are packed like the others. None is listed of a unit that was there already.
    pub failures: Vec<String>,
    /// Whether it was there before this process began.
    pub was_there: bool,
    /// Whether another process was faster; then its archive stays.
    pub too_late: bool,
    /// How long it took, seconds.
    pub wall_s: f64,
}

impl UnitPlan {
    /// The number of units of work.
    pub fn units(&self) -> u64 {
        self.cells.div_ceil(self.cells_a_unit)
    }

    /// Reads the plan of a folder from its JSON.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is none, or it is damaged or of another format.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join(PLAN);
        let refuse = |why: String| Error::at(&path, why);
        let remedy = "write it with `morta sweep FILE --out DIR --plan`";
        let text = fs::read_to_string(&path)
            .map_err(|error| refuse(format!("the plan can't be read ({error}): {remedy}")))?;
        let plan: Self = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("the plan is damaged ({error}): delete it, and {remedy}")))?;
        if plan.format != FORMAT || plan.cells_a_unit == 0 {
            return Err(refuse(format!(
                "this build reads plans of format {FORMAT}: delete it, and {remedy}"
            )));
        }
        Ok(plan)
    }

    /// Refuses a sweep or a build that isn't the planned one.
    fn check(&self, sweep: &Sweep, dir: &Path) -> Result<()> {
        let refuse = |why: String| Error::at(dir.join(PLAN), why);
        let build = Build::identity();
        if build != self.build {
            return Err(refuse(format!(
                "planned by {}, and this is {build}: all units are run by one build; run them with that one, or plan anew in another folder",
                self.build
            )));
        }
        if hash_of(sweep, &in_order(sweep)) != self.cells_blake3 {
            return Err(refuse(
                "this is not the sweep that was planned: put back what was changed, or plan anew in another folder".to_owned(),
            ));
        }
        Ok(())
    }
}

fn unit_name(unit: u64) -> String {
    format!("unit-{unit:07}")
}

/// All cells, world by world: when some units are missing, the others hold whole worlds, which can be compared; arm by arm they would hold half a pair.
fn in_order(sweep: &Sweep) -> Vec<CellId> {
    let mut cells: Vec<CellId> = sweep.cells().collect();
    cells.sort_by_key(|id| (id.world, id.arm));
    cells
}

/// Hash of the hashes of some cells, in their order.
fn hash_of(sweep: &Sweep, cells: &[CellId]) -> String {
    let build = Build::identity();
    let hashes: String = cells.iter().map(|id| sweep.cell_hash(*id, &build)).collect();
    hex_of(hashes.as_bytes())
}

impl Sweep {
    /// Divides a sweep into units that take about so long each on one thread, and writes that into a folder; a plan that is there already
    /// stays, if it is of this sweep and this build (job sharding).
    ///
    /// # Errors
    /// When the calibrating cell fails or the plan can't be written; [`Error::Invalid`] when another plan is there, or arms record what a real
    /// model says.
    pub fn plan_units(&self, dir: &Path, unit: Duration) -> Result<UnitPlan> {
        let plan = self.look_at_units(dir, unit)?;
        if !dir.join(PLAN).exists() {
            whole_file::replace(&dir.join(PLAN), json_file(&plan)?.as_bytes())?;
        }
        Ok(plan)
    }

    /// Makes the plan of [`Sweep::plan_units`] without writing it, or the one that is there: a dry run must leave no file.
    ///
    /// # Errors
    /// As [`Sweep::plan_units`].
    pub fn look_at_units(&self, dir: &Path, unit: Duration) -> Result<UnitPlan> {
        self.refuse_recording()?;
        if dir.join(PLAN).exists() {
            let plan = UnitPlan::read(dir)?;
            plan.check(self, dir)?;
            return Ok(plan);
        }
        refuse_foreign(dir)?;
        let cost = self.plan_in(dir)?.cell;
        let cells = (self.arms.len() as u64) * self.worlds();
        // At least one cell a unit, however long it takes. A cell counts as a microsecond at least: a clock that saw no time pass would divide by 0.
        let most = (unit.as_secs_f64() / cost.wall_s.max(1e-6)).floor().clamp(1.0, 1e9) as u64;
        Ok(UnitPlan {
            format: FORMAT,
            name: self.file.name.clone(),
            build: Build::identity(),
            cells_blake3: hash_of(self, &in_order(self)),
            cells,
            cells_a_unit: most.min(cells.max(1)),
            cell_s: cost.wall_s,
            measured_on: format!("{}, {}", host(), cost.from),
        })
    }

    /// The paths of the archives of all units, present or future.
    pub fn archives(&self, dir: &Path, plan: &UnitPlan) -> Vec<PathBuf> {
        let cells = in_order(self);
        let units = cells.chunks(plan.cells_a_unit as usize).enumerate();
        let name = |(unit, cells): (usize, &[CellId])| self.name_of(&unit_name(unit as u64), cells);
        units.map(|unit| Packer::new(dir, &name(unit)).path).collect()
    }

    /// The name of the archive of some cells. It ends with a hash of theirs, so that an archive of another sweep, build or range is never taken for it.
    fn name_of(&self, prefix: &str, cells: &[CellId]) -> String {
        format!("{prefix}-{:.16}", hash_of(self, cells))
    }

    /// Lists the units of a plan, with their cells.
    pub fn units(&self, plan: &UnitPlan) -> Vec<WorkUnit> {
        let described = |id: &CellId| UnitCell {
            arm: self.arms[id.arm].name.clone(),
            seed: self.seed(*id),
            hash: self.cell_hash(*id, &plan.build),
        };
        let cells = in_order(self);
        let chunks = cells.chunks(plan.cells_a_unit as usize);
        chunks
            .enumerate()
            .map(|(unit, cells)| WorkUnit {
                unit: unit as u64,
                estimated_s: plan.cell_s * cells.len() as f64,
                cells: cells.iter().map(described).collect(),
            })
            .collect()
    }

    /// Runs a share of the cells and packs them into a folder (idempotent). Many processes may do so at once, also the same share.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is no plan, the sweep or the build isn't the planned one, or there is no such share; [`Error::Stopped`] when
    /// it was stopped, and then nothing is left of it; others when results can't be kept.
    pub fn run_share(&self, dir: &Path, share: &Share, options: SweepOptions<'_>) -> Result<UnitEnd> {
        self.refuse_recording()?;
        let begun = Instant::now();
        let (name, cells) = self.cells_of(dir, share)?;
        let packer = Packer::new(dir, &name);
        let (path, count) = (packer.path.clone(), cells.len() as u64);
        let end = |failures, was_there, too_late| UnitEnd {
            path: path.clone(),
            cells: count,
            failures,
            was_there,
            too_late,
            wall_s: begun.elapsed().as_secs_f64(),
        };
        // Engines of clusters start a unit again whenever they are in doubt, so a unit that exists must be done at once.
        if path.exists() {
            return Ok(end(Vec::new(), true, false));
        }
        // A folder of this process alone, on this machine.
        let folder = tempfile::tempdir().context("there is no room for the cells of a unit")?;
        let room = CellRoom::new(folder.path().to_owned());
        let failures = self.live_in(&room, dir, &cells, options)?;
        let folders: Vec<PathBuf> = cells.iter().map(|id| room.place(&room.hash(self, *id))).collect();
        let packing = packer.pack(&folders)?;
        Ok(end(failures, false, packing == Packing::TooLate))
    }

    /// The name of a share's archive, and its cells.
    fn cells_of(&self, dir: &Path, share: &Share) -> Result<(String, Vec<CellId>)> {
        let all = in_order(self);
        let (prefix, range) = match share {
            Share::Unit(unit) => {
                let plan = UnitPlan::read(dir)?;
                plan.check(self, dir)?;
                let units = plan.units();
                if *unit >= units {
                    let last = units.saturating_sub(1);
                    return Err(Error::invalid(format!("--unit {unit}: the plan has units 0 to {last}")));
                }
                let from = unit * plan.cells_a_unit;
                (unit_name(*unit), from..(from + plan.cells_a_unit).min(plan.cells))
            }
            Share::Cells(range) => {
                refuse_foreign(dir)?;
                (format!("cells-{}-{}", range.start, range.end), range.clone())
            }
        };
        let count = all.len() as u64;
        if range.is_empty() || range.end > count {
            let shown = format!("{}..{}", range.start, range.end);
            return Err(Error::invalid(format!(
                "--cells {shown}: write FROM..TO, FROM below TO, at most 0..{count}"
            )));
        }
        let cells = all[range.start as usize..range.end as usize].to_vec();
        Ok((self.name_of(&prefix, &cells), cells))
    }

    fn live_in(
        &self,
        room: &CellRoom,
        dir: &Path,
        cells: &[CellId],
        options: SweepOptions<'_>,
    ) -> Result<Vec<String>> {
        let answers = Answers::recorded(self, dir)?;
        let halt = AtomicBool::new(false);
        let (stop, fail_fast) = (options.stop, options.fail_fast);
        let work = Work { sweep: self, room, answers: &answers, stop, halt: &halt, fail_fast };
        let mut failures = Vec::new();
        options.watch.begun(cells.len() as u64, 0);
        let lived = live_all(&work, cells.to_vec(), options.jobs, |end| {
            options.watch.cell_ended(end.error.is_some());
            if let Some(error) = end.error {
                failures.push(format!("{}, seed {}: {error}", self.arms[end.id.arm].name, self.seed(end.id)));
            }
            Ok(())
        });
        options.watch.over();
        lived?;
        if stop.load(Ordering::Relaxed) {
            return Err(Error::stopped("stopped: nothing is left of this unit; run it again"));
        }
        // Threads end in any order; sorted, a unit reports the same lines each time.
        failures.sort_unstable();
        match failures.first() {
            Some(first) if fail_fast => {
                Err(Error::failed(format!("{first} (--fail-fast: the unit is left out)")))
            }
            _ => Ok(failures),
        }
    }

    /// Writes the tables and the analysis of all cells that units have left in a folder (merge of shards), the same bytes as those of a
    /// sweep on one machine. Unfinished files of processes that are gone (older than `debris`) are removed.
    ///
    /// # Errors
    /// [`Error::Failed`] when cells are damaged, or missing and that isn't allowed: the lines say which archives to delete and which units to run;
    /// [`Error::Invalid`] when the folder holds another sweep or an archive can't be read at all; others when tables can't be written.
    pub fn collect(&self, dir: &Path, allow_missing: bool, debris: Duration) -> Result<SweepSummary> {
        // Damage before gaps: a damaged archive must be deleted before its unit can be run again, and would else be found only then.
        let damaged = self.damaged(dir)?;
        if !damaged.is_empty() {
            return Err(Error::failed(damaged.join("\n")));
        }
        let (store, build) = (CellStore::open(dir)?, Build::identity());
        let read = |id| store.read(&self.cell_hash(id, &build));
        let part = self.as_far_as_its_looks(read);
        // A look that settles the sweep needs none of the worlds beyond it.
        let is_settled = part.ends_at.is_some() && part.look_at(read).is_some_and(|look| look.is_decisive());
        let missing = if is_settled { Vec::new() } else { self.missing(dir)? };
        if !missing.is_empty() && !allow_missing {
            return Err(Error::failed(missing.join("\n")));
        }
        let folder = SweepFolder::open(dir, self, true)?;
        remove_debris(dir, debris)?;
        part.write_up(folder, None, 0, false)
    }

    /// Cells that lie in archives and aren't as they were written, a line each with what to do; the first few.
    fn damaged(&self, dir: &Path) -> Result<Vec<String>> {
        let (store, build) = (CellStore::open(dir)?, Build::identity());
        let cells = in_order(self);
        let damage = |id: &CellId| {
            let hash = self.cell_hash(*id, &build);
            let archive = store.archive_of(&hash)?;
            let place = store.place(&hash).ok().flatten();
            let is_whole = place.is_some_and(|place| {
                CellRecord::read(&place).is_some_and(|cell| cell.hash == hash && cell.is_intact(&place))
            });
            let (arm, seed) = (&self.arms[id.arm].name, self.seed(*id));
            (!is_whole).then(|| {
                format!(
                    "{}: the cell of arm {arm}, seed {seed}, is damaged: delete the archive, run the unit or cells of it again, and collect again",
                    archive.display()
                )
            })
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let share = cells.len().div_ceil(threads).max(1);
        let chunks: Vec<&[CellId]> = cells.chunks(share).collect();
        // It is never stopped, and a thread that panics takes all with it: its cells mustn't pass for whole ones.
        let damages = |chunk: usize| chunks[chunk].iter().filter_map(&damage).collect::<Vec<String>>();
        let found =
            in_order::in_order(chunks.len(), (threads, "archives-"), &AtomicBool::new(false), damages);
        let mut lines = found.expect("nothing stops it").concat();
        let left = lines.len().saturating_sub(DAMAGED_MAX);
        lines.truncate(DAMAGED_MAX);
        lines.extend((left > 0).then(|| format!("and {left} more")));
        Ok(lines)
    }

    /// The units that must be run before everything can be collected, a line each; empty when all are there.
    fn missing(&self, dir: &Path) -> Result<Vec<String>> {
        let (store, build) = (CellStore::open(dir)?, Build::identity());
        let cells = in_order(self);
        let is_there = |id: &CellId| {
            let hash = self.cell_hash(*id, &build);
            store.is_packed(&hash) || store.read(&hash).is_some()
        };
        let missing: Vec<u64> =
            cells.iter().enumerate().filter(|(_, id)| !is_there(id)).map(|(n, _)| n as u64).collect();
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let shown = dir.display();
        let mut lines = vec![format!("{shown}: {} of {} cells are missing", missing.len(), cells.len())];
        let plan = if dir.join(PLAN).exists() { Some(UnitPlan::read(dir)?) } else { None };
        match plan {
            Some(plan) => {
                plan.check(self, dir)?;
                let mut units: Vec<u64> = missing.iter().map(|n| n / plan.cells_a_unit).collect();
                units.dedup();
                lines.push(format!(
                    "units {}: run each with `morta sweep FILE --out {shown} --unit K`",
                    ranges(&units)
                ));
            }
            None => lines.push(format!(
                "cells {}: run them with `morta sweep FILE --out {shown} --cells FROM..TO`",
                ranges(&missing)
            )),
        }
        lines.push("or write what there is with --allow-missing".to_owned());
        Ok(lines)
    }

    fn refuse_recording(&self) -> Result<()> {
        match self.arms.iter().find(|arm| arm.scenario.llm.mode == LlmMode::Record) {
            Some(arm) => Err(Error::at(
                &self.path,
                format!(
                    "arm {} records what a real model says, and all cells of a sweep share one recording: run it on one machine, \
                     and spread what plays its cassette (llm.mode = \"replay\")",
                    arm.name
                ),
            )),
            None => Ok(()),
        }
    }
}

/// Most damaged cells that are listed one by one.
const DAMAGED_MAX: usize = 20;

/// Reads the tail of a log that an engine has written: its last lines, those with anything in them; none when it can't be read.
pub fn last_lines(path: &Path, most: usize) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|line| (*line).to_owned()).collect()
}

/// Numbers in order, runs of them as `3 to 7`.
fn ranges(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, to)) if *to + 1 == number => *to = number,
            _ => runs.push((number, number)),
        }
    }
    let range =
        |(from, to): &(u64, u64)| if from == to { from.to_string() } else { format!("{from} to {to}") };
    runs.iter().map(range).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_numbers_are_shortened() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0 to 2, 5, 7 to 8");
    }
}
