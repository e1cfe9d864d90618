//! `--dry-run`: the design, and about how long it would take.

use crate::output;
use morta_engine::event::EventKind;
use morta_engine::world::{Plan, World};
use morta_lab::lethe_start::LetheStart;
use morta_lab::sweep_file::Sweep;
use morta_lab::sweep_folder::{CellId, Outcome, SweepFolder};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Longest that the calibrating cell is lived, on the clock.
const CALIBRATION: Duration = Duration::from_secs(2);

/// What one cell takes.
struct Cost {
    cell_s: f64,
    cell_inference_usdc: f64,
    from: String,
}

/// Prints the design.
///
/// # Errors
/// When standard output can't be written, or the calibrating cell fails.
pub fn tell(sweep: &Sweep, dir: &Path, jobs: usize, as_json: bool) -> anyhow::Result<()> {
    let cost = match of_earlier_cells(sweep, dir) {
        Some(cost) => cost,
        None => of_one_cell(sweep)?,
    };
    let cells = sweep.arms.len() as u64 * sweep.worlds();
    let wall_s = cost.cell_s * cells as f64 / jobs as f64;
    let inference = cost.cell_inference_usdc * cells as f64;
    let arms: Vec<Value> = sweep.arms.iter().map(|arm| described(sweep, arm)).collect();
    if as_json {
        return output::line(serde_json::to_string_pretty(&json!({
            "name": sweep.file.name,
            "arms": arms,
            "worlds": sweep.worlds(),
            "first_seed": sweep.file.seeds.first,
            "cells": cells,
            "jobs": jobs,
            "estimated_wall_s": wall_s,
            "estimated_inference_usdc": inference,
            "estimated_from": cost.from,
        }))?);
    }
    let file = &sweep.file;
    output::line(format!(
        "{}: {} arms × {} worlds = {cells} cells",
        file.name,
        sweep.arms.len(),
        sweep.worlds()
    ))?;
    output::line(format!("worlds: seeds {} to {}", file.seeds.first, file.seeds.first + sweep.worlds() - 1))?;
    if let Some(registered) = &file.preregistration {
        let primary = &registered.primary;
        output::line(format!(
            "primary: {} of {}, baseline {}",
            primary.measure, primary.cohort, registered.baseline
        ))?;
    }
    output::line("")?;
    for arm in &sweep.arms {
        let values = sweep.keys.iter().zip(&arm.parameters).map(|(key, value)| format!("{key}={value}"));
        output::line(format!("{}  {}", arm.name, values.collect::<Vec<_>>().join(" ")))?;
    }
    output::line("")?;
    output::line(format!("about {} on {jobs} threads, from {}", duration(wall_s), cost.from))?;
    output::line(format!("about {inference:.2} USDC of simulated inference"))
}

fn described(sweep: &Sweep, arm: &morta_lab::sweep_file::Arm) -> Value {
    let parameters: serde_json::Map<String, Value> =
        sweep.keys.iter().cloned().zip(arm.parameters.iter().cloned()).collect();
    json!({"name": arm.name, "description": arm.description, "parameters": parameters})
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}

/// Means of the cells that an earlier run of this sweep has left in the folder.
fn of_earlier_cells(sweep: &Sweep, dir: &Path) -> Option<Cost> {
    let folder = SweepFolder::look(dir)?;
    let (mut cells, mut wall_s, mut inference) = (0_u32, 0.0, 0.0);
    for cell in sweep.cells().filter_map(|id| folder.read(sweep, id)) {
        if let Outcome::Done(_) = cell.outcome {
            cells += 1;
            wall_s += cell.wall_s;
            inference += cell.measure(morta_lab::measure::EVERYBODY, "inference_usdc").unwrap_or(0.0);
        }
    }
    (cells > 0).then(|| Cost {
        cell_s: wall_s / f64::from(cells),
        cell_inference_usdc: inference / f64::from(cells),
        from: format!("the times of {cells} cells in {}", dir.display()),
    })
}

/// A part of the baseline's first cell; what it costs in the time it was lived is carried on to its end.
fn of_one_cell(sweep: &Sweep) -> anyhow::Result<Cost> {
    let arm = &sweep.arms[sweep.baseline()];
    let mut scenario = arm.scenario.clone();
    scenario.seed = sweep.seed(CellId { arm: sweep.baseline(), world: 0 });
    let begun = Instant::now();
    let plan = Plan::with_memories(scenario, &arm.bars, Arc::clone(&arm.memories))
        .map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
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
    let whole = if world.goes_on() { arm.scenario.ticks as f64 / world.tick() as f64 } else { 1.0 };
    Ok(Cost {
        cell_s: before_s + lived.elapsed().as_secs_f64() * whole,
        cell_inference_usdc: inference * whole,
        from: format!("{} of {} ticks of one cell of {}", world.tick(), arm.scenario.ticks, arm.name),
    })
}
