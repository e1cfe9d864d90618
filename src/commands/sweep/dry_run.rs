//! `--dry-run`: the design, and about how long it would take.

use crate::output;
use morta_lab::sweep_file::Sweep;
use serde_json::json;
use std::path::Path;

/// Prints the design.
///
/// # Errors
/// When standard output can't be written, or the calibrating cell fails.
pub fn tell(sweep: &Sweep, dir: &Path, jobs: usize, as_json: bool) -> anyhow::Result<()> {
    let plan = sweep.plan_in(dir)?;
    let (cells, wall_s, inference) = (plan.cells(), plan.wall_s(jobs), plan.inference_usdc());
    if as_json {
        return output::line(serde_json::to_string_pretty(&json!({
            "name": sweep.file.name,
            "arms": plan.arms,
            "worlds": plan.worlds,
            "first_seed": plan.first_seed,
            "cells": cells,
            "jobs": jobs,
            "estimated_wall_s": wall_s,
            "estimated_inference_usdc": inference,
            "estimated_from": plan.cell.from,
        }))?);
    }
    let file = &sweep.file;
    output::line(format!(
        "{}: {} arms × {} worlds = {cells} cells",
        file.name,
        plan.arms.len(),
        plan.worlds
    ))?;
    output::line(format!("worlds: seeds {} to {}", plan.first_seed, plan.first_seed + plan.worlds - 1))?;
    if let Some(registered) = &file.preregistration {
        let primary = &registered.primary;
        output::line(format!(
            "primary: {} of {}, baseline {}",
            primary.measure, primary.cohort, registered.baseline
        ))?;
    }
    output::line("")?;
    for arm in &plan.arms {
        let values = arm.parameters.iter().map(|(key, value)| format!("{key}={value}"));
        output::line(format!("{}  {}", arm.name, values.collect::<Vec<_>>().join(" ")))?;
    }
    output::line("")?;
    output::line(format!("about {} on {jobs} threads, from {}", duration(wall_s), plan.cell.from))?;
    output::line(format!("about {inference:.2} USDC of simulated inference"))
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}
