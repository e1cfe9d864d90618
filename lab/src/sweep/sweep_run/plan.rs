//! The plan of a sweep, and an estimate of its time.
//!
//! time = cells · (wall time of one cell) / threads. The cell is the baseline's: other arms may take longer, so the estimate is an order of magnitude
//! and no promise.

use crate::io::error::{Error, Result};
use crate::run::lethe_start::LetheStart;
use crate::sweep::measure::EVERYBODY;
use crate::sweep::sweep_file::{Arm, Sweep};
use crate::sweep::sweep_folder::{CellId, CellOutcome, SweepFolder};
use morta_engine::event::EventKind;
use morta_engine::llm::LlmMode;
use morta_engine::world::World;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest that the calibrating cell is lived, on the clock. Our choice: `--dry-run` is typed again and again while a design is made.
const CALIBRATION: Duration = Duration::from_secs(2);

/// The design of a sweep, with the cost of one of its cells.
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

/// An arm, before it is run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedArm {
    /// The arm, as the tables will name it.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The values of the keys that differ between arms.
    pub parameters: Map<String, Value>,
}

/// The cost of one cell, on average.
#[derive(Clone, Debug, PartialEq)]
pub struct CellCost {
    /// Wall time on one thread of this machine, seconds.
    pub wall_s: f64,
    /// Simulated inference, USDC.
    pub inference_usdc: f64,
    /// The measurement behind both, in words.
    pub from: String,
}

impl SweepPlan {
    /// Arms times worlds.
    pub fn cells(&self) -> u64 {
        self.arms.len() as u64 * self.worlds
    }

    /// About how long all cells take on so many threads, at least 1; seconds.
    pub fn wall_s(&self, jobs: usize) -> f64 {
        self.cell.wall_s * self.cells() as f64 / jobs as f64
    }

    /// About what the golems of all cells pay for inference, USDC.
    pub fn inference_usdc(&self) -> f64 {
        self.cell.inference_usdc * self.cells() as f64
    }
}

impl Sweep {
    /// The plan. The cost of a cell is measured by living a part of the baseline's first one, for up to two seconds.
    ///
    /// # Errors
    /// When that cell fails.
    pub fn plan(&self) -> Result<SweepPlan> {
        cost_of_one_cell(self).map(|cost| self.plan_at(cost))
    }

    /// As [`Sweep::plan`], but the cost of a cell is the mean of those that an earlier run of this sweep has left in a folder, if it has left any.
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
    let folder = SweepFolder::look(dir)?;
    let (mut cells, mut wall_s, mut inference) = (0_u32, 0.0, 0.0);
    for cell in sweep.cells().filter_map(|id| folder.read(sweep, id)) {
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

/// The cost of a part of the baseline's first cell, extrapolated to its end in proportion to ticks.
fn cost_of_one_cell(sweep: &Sweep) -> Result<CellCost> {
    let arm = &sweep.arms[sweep.baseline()];
    let seed = sweep.seed(CellId { arm: sweep.baseline(), world: 0 });
    let begun = Instant::now();
    let mut arm = arm.clone();
    // A plan must cost nothing, so the simulated model answers in place of one that would be recorded.
    let records = arm.scenario.llm.mode == LlmMode::Record;
    if records {
        (arm.scenario.llm.mode, arm.cassette) = (LlmMode::Simulated, None);
    }
    let plan = arm
        .plan(seed, &arm.laboratory, &arm.own_answers())
        .map_err(|problems| Error::all(problems.iter().map(ToString::to_string)))?;
    let start = LetheStart::from_content(plan.scenario(), Arc::clone(&arm.lethe))?;
    let mut world =
        World::begin(plan, arm.bars.as_ref().clone(), &start.ancestry.earlier_bloodstains, start.in_memory());
    let before_s = begun.elapsed().as_secs_f64();
    let mut inference = 0.0;
    let lived = Instant::now();
    while world.goes_on() && lived.elapsed() < CALIBRATION {
        for event in world.live()?.events {
            if let EventKind::TickClosed(tick) = event.kind {
                inference = tick.inference_paid.dollars();
            }
        }
    }
    // Begun before the first tick counts once: opening a market may take longer than living in it. A world that died out early isn't extrapolated.
    let whole = if world.goes_on() { arm.scenario.ticks as f64 / world.tick() as f64 } else { 1.0 };
    Ok(CellCost {
        wall_s: before_s + lived.elapsed().as_secs_f64() * whole,
        inference_usdc: inference * whole,
        from: format!(
            "{} of {} ticks of one cell of {}{}",
            world.tick(),
            arm.scenario.ticks,
            arm.name,
            if records { ", the model simulated" } else { "" }
        ),
    })
}
