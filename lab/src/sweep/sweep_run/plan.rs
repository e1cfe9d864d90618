//! The plan of a sweep, and an estimate of its time.
//!
//! time = cells · (wall time of one cell) / threads, in seconds. A cell's time is the mean over up to eight arms, of each of which a part is lived.
//! Other arms and later ticks may take longer, so that the estimate is an order of magnitude and no promise. Living one whole cell of every
//! arm instead would tell more and take as long as a part of the sweep itself.
//!
//! It is a dry run with a cost estimate: seconds of wall time, simulated USDC of inference. `--dry-run` prints it, and units of work are
//! sized by it; no result depends on it. Cells that an earlier run has left are taken in place of the calibration.

use crate::io::error::Result;
use crate::run::lethe_start::LetheStart;
use crate::run::provenance::Build;
use crate::sweep::measure::EVERYBODY;
use crate::sweep::sweep_file::{Arm, Sweep};
use crate::sweep::sweep_folder::{CellId, CellOutcome, CellStore, MANIFEST};
use morta_engine::event::EventKind;
use morta_engine::llm::LlmMode;
use morta_engine::world::World;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest that all calibrating cells are lived, on the clock: a look at the design should not keep anybody waiting.
const CALIBRATION: Duration = Duration::from_secs(2);
/// Most arms of which a cell is lived. Arms cost differently: of the baseline alone, which often remembers nothing, `experiments/factorial.toml` was
/// estimated at 92 s and no inference, where its other arms dream.
const CALIBRATED_ARMS: usize = 8;

/// The plan of a dry run: the design of a sweep, with the cost of one of its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    /// The arms, in the order of the file.
    pub arms: Vec<PlannedArm>,
    /// Worlds that every arm lives through.
    pub worlds: u64,
    /// Seed of the first world; the others follow it.
    pub first_seed: u64,
    /// The cost of one cell.
    pub cell: CellCost,
}

/// An arm as a dry run shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedArm {
    /// The arm, as the tables will name it.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The values of the keys that differ between arms.
    pub parameters: Map<String, Value>,
}

/// The cost of one cell, on average (cost estimate): wall time and inference.
#[derive(Clone, Debug, PartialEq)]
pub struct CellCost {
    /// Wall time on one thread, seconds: of this machine, or of those on which earlier cells were lived.
    pub wall_s: f64,
    /// Simulated inference, USDC.
    pub inference_usdc: f64,
    /// The measurement behind both, in words.
    pub from: String,
}

impl SweepPlan {
    /// The number of cells: arms times worlds.
    pub fn cells(&self) -> u64 {
        self.arms.len() as u64 * self.worlds
    }

    /// Estimates the wall time in seconds: about how long all cells take on so many threads, at least 1 (perfect parallel speedup).
    pub fn wall_s(&self, jobs: usize) -> f64 {
        self.cell.wall_s * self.cells() as f64 / jobs as f64
    }

    /// Estimates what the golems of all cells pay for inference, USDC.
    pub fn inference_usdc(&self) -> f64 {
        self.cell.inference_usdc * self.cells() as f64
    }
}

impl Sweep {
    /// Estimates what a run will do and cost (dry run). A cell's cost is the mean over up to eight arms, evenly spread over the list, of
    /// each of which a part of the first cell is lived, all of them for up to two seconds. Several, because one arm alone may be the
    /// cheapest by far.
    ///
    /// # Errors
    /// When one of those cells fails.
    pub fn plan(&self) -> Result<SweepPlan> {
        let count = self.arms.len().min(CALIBRATED_ARMS);
        let time = CALIBRATION / count as u32;
        let parts = (0..count).map(|n| part_of_a_cell(self, n * self.arms.len() / count, time));
        let parts = parts.collect::<Result<Vec<LivedPart>>>()?;
        let mean = |value: fn(&LivedPart) -> f64| parts.iter().map(value).sum::<f64>() / count as f64;
        let ticks = |value: fn(&LivedPart) -> u64| parts.iter().map(value).sum::<u64>();
        let simulated = if parts.iter().any(|part| part.is_simulated) { ", the model simulated" } else { "" };
        let from = format!(
            "{} of {} ticks of a cell of each of {}{simulated}",
            ticks(|part| part.lived),
            ticks(|part| part.whole),
            if count == self.arms.len() {
                format!("{count} arms")
            } else {
                format!("{count} of {} arms", self.arms.len())
            },
        );
        let cost = CellCost {
            wall_s: mean(|part| part.wall_s),
            inference_usdc: mean(|part| part.inference_usdc),
            from,
        };
        Ok(self.plan_at(cost))
    }

    /// Estimates as [`Sweep::plan`] does, but the cost of a cell is the mean of those that an earlier run of this sweep has left in a
    /// folder, if it has left any.
    ///
    /// # Errors
    /// When it has left none and the calibrating cell fails.
    pub fn plan_in(&self, dir: &Path) -> Result<SweepPlan> {
        match cost_of_earlier_cells(self, dir) {
            Some(cost) => Ok(self.plan_at(cost)),
            None => self.plan(),
        }
    }

    fn plan_at(&self, cell: CellCost) -> SweepPlan {
        let planned = |arm: &Arm| PlannedArm {
            name: arm.name.clone(),
            description: arm.description.clone(),
            parameters: self.keys.iter().cloned().zip(arm.parameters.iter().cloned()).collect(),
        };
        SweepPlan {
            arms: self.arms.iter().map(planned).collect(),
            worlds: self.worlds(),
            first_seed: self.file.seeds.first,
            cell,
        }
    }
}

/// Means of the cells that an earlier run of this sweep has left in the folder.
fn cost_of_earlier_cells(sweep: &Sweep, dir: &Path) -> Option<CellCost> {
    // Without a lock, for it only reads; cells of another build aren't found, because the build is part of their hash.
    let store = CellStore::open(dir).ok().filter(|_| dir.join(MANIFEST).exists())?;
    let build = Build::identity();
    let (mut cells, mut wall_s, mut inference) = (0_u32, 0.0, 0.0);
    for cell in sweep.cells().filter_map(|id| store.read(&sweep.cell_hash(id, &build))) {
        if let CellOutcome::Done(_) = cell.outcome {
            cells += 1;
            wall_s += cell.wall_s;
            inference += cell.measure(EVERYBODY, "inference_usdc").unwrap_or(0.0);
        }
    }
    (cells > 0).then(|| CellCost {
        wall_s: wall_s / f64::from(cells),
        inference_usdc: inference / f64::from(cells),
        from: format!("the times of {cells} cells in {}", dir.display()),
    })
}

/// A cell of which a part was lived, and the cost of the whole extrapolated from that part.
struct LivedPart {
    /// Ticks lived.
    lived: u64,
    /// Ticks of the whole cell.
    whole: u64,
    /// Of the whole on one thread, seconds.
    wall_s: f64,
    /// Of the whole, USDC.
    inference_usdc: f64,
    /// Whether a model that is to be recorded was simulated.
    is_simulated: bool,
}

/// Lives a part of an arm's first cell, for as long as `time` on the clock; its cost a tick is carried on to the end.
fn part_of_a_cell(sweep: &Sweep, arm: usize, time: Duration) -> Result<LivedPart> {
    let seed = sweep.seed(CellId { arm, world: 0 });
    let begun = Instant::now();
    let mut arm = sweep.arms[arm].clone();
    // A look at the design asks no model: what is to be recorded is answered by the simulated one.
    let is_simulated = arm.scenario.llm.mode == LlmMode::Record;
    if is_simulated {
        (arm.scenario.llm.mode, arm.cassette) = (LlmMode::Simulated, None);
    }
    let plan = arm.plan(seed, &arm.laboratory, &arm.own_answers())?;
    let start = LetheStart::from_content(plan.scenario(), Arc::clone(&arm.lethe))?;
    let mut world =
        World::begin(plan, arm.bars.as_ref().clone(), &start.ancestry.earlier_bloodstains, start.in_memory());
    let before_s = begun.elapsed().as_secs_f64();
    let mut inference = 0.0;
    let lived = Instant::now();
    while world.goes_on() && lived.elapsed() < time {
        for event in world.live()?.events {
            if let EventKind::TickClosed(tick) = event.kind {
                inference = tick.inference_paid.dollars();
            }
        }
    }
    // Begun before the first tick counts once: opening a market may take longer than living in it. A world that died out early isn't extrapolated.
    let whole = if world.goes_on() { arm.scenario.ticks as f64 / world.tick() as f64 } else { 1.0 };
    Ok(LivedPart {
        lived: world.tick(),
        whole: arm.scenario.ticks,
        wall_s: before_s + lived.elapsed().as_secs_f64() * whole,
        inference_usdc: inference * whole,
        is_simulated,
    })
}
