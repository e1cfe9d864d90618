//! `--dry-run` of `morta sweep` and `morta sensitivity`: arms, worlds, number of cells, an estimate of wall time and of simulated
//! inference costs (USDC), so that a mistake in the design is seen before hours are spent. The estimate comes from cells that have ended
//! in the folder; if there are none, parts of cells of up to eight arms are run for about two seconds in all (calibration), which gives
//! an order of magnitude. There a real model that an arm would record isn't asked: the simulated one answers. Nothing else is run or
//! written. With `--submit` the scripts are printed instead, by `submit`.

use morta_console::output;
use morta_lab::sweep_file::Sweep;
use morta_lab::text::p_value;
use serde_json::{Value, json};
use std::path::Path;

/// Makes a JSON object of the design and its estimated cost.
///
/// # Errors
/// When a calibrating cell fails.
pub(crate) fn object(sweep: &Sweep, dir: &Path, jobs: usize) -> anyhow::Result<Value> {
    let plan = sweep.plan_in(dir)?;
    let (cells, wall_s, inference) = (plan.cells(), plan.wall_s(jobs), plan.inference_usdc());
    let mut object = json!({
        "name": sweep.file.name,
        "arms": plan.arms,
        "worlds": plan.worlds,
        "first_seed": plan.first_seed,
        "cells": cells,
        "jobs": jobs,
        "estimated_wall_s": wall_s,
        "estimated_inference_usdc": inference,
        "estimated_from": plan.cell.from,
        "notes": sweep.notes_before(dir),
    });
    let looks = sweep.look_bounds();
    if looks.len() > 1 {
        let look = |(worlds, p): &(u64, f64)| json!({ "worlds": worlds, "bound_p": p });
        object["looks"] = looks.iter().map(look).collect();
    }
    if sweep.file.sensitivity().is_some() {
        object["axes"] = serde_json::to_value(&sweep.file.axes)?;
        object["left_out"] = serde_json::to_value(&sweep.left_out)?;
    }
    Ok(object)
}

/// Prints the design and its estimated cost.
///
/// # Errors
/// When standard output can't be written, or a calibrating cell fails.
pub(crate) fn print(sweep: &Sweep, dir: &Path, jobs: usize, as_json: bool) -> anyhow::Result<()> {
    if as_json {
        return output::line(serde_json::to_string_pretty(&object(sweep, dir, jobs)?)?);
    }
    let plan = sweep.plan_in(dir)?;
    let (cells, wall_s, inference) = (plan.cells(), plan.wall_s(jobs), plan.inference_usdc());
    let file = &sweep.file;
    output::line(format!(
        "{}: {} {} × {} worlds = {cells} cells",
        file.name,
        plan.arms.len(),
        if file.sensitivity().is_some() { "points" } else { "arms" },
        plan.worlds
    ))?;
    output::line(format!("worlds: seeds {} to {}", plan.first_seed, plan.first_seed + plan.worlds - 1))?;
    if let Some(registered) = &file.preregistration {
        let primary = &registered.primary;
        output::line(format!(
            "primary: {} of {}, baseline {}",
            primary.measure, primary.cohort, registered.baseline
        ))?;
        let looks = sweep.look_bounds();
        if looks.len() > 1 {
            let looks =
                looks.iter().map(|(worlds, p)| format!("{worlds} worlds (p at most {})", p_value(*p)));
            output::line(format!(
                "looks ({}): {}",
                registered.spending,
                looks.collect::<Vec<_>>().join(", ")
            ))?;
        }
    }
    output::line("")?;
    if file.sensitivity().is_some() {
        keys(sweep)?;
    } else {
        for arm in &plan.arms {
            let values = arm.parameters.iter().map(|(key, value)| format!("{key}={value}"));
            output::line(format!("{}  {}", arm.name, values.collect::<Vec<_>>().join(" ")))?;
        }
    }
    output::line("")?;
    output::line(format!("about {} on {jobs} threads, from {}", duration(wall_s), plan.cell.from))?;
    output::line(format!("about {inference:.2} USDC of simulated inference"))?;
    sweep.notes_before(dir).iter().try_for_each(|note| output::line(format!("note: {note}")))
}

/// Prints the keys of a sensitivity analysis with their ranges, and the invalid points.
fn keys(sweep: &Sweep) -> anyhow::Result<()> {
    for axis in &sweep.file.axes {
        let spread = if axis.log { ", by logarithms" } else { "" };
        output::line(format!("{}  {}{spread}", axis.key, axis.shown()))?;
    }
    if !sweep.left_out.is_empty() {
        output::line("")?;
        output::line(format!(
            "{} points are left out, because their scenarios can't be",
            sweep.left_out.len()
        ))?;
    }
    for one in sweep.left_out.iter().take(LEFT_OUT_MAX) {
        output::line(format!("{}  {}", one.point, one.why))?;
    }
    Ok(())
}

/// Number of invalid points that are listed.
const LEFT_OUT_MAX: usize = 10;

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3_600.0),
    }
}
