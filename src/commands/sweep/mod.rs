//! `morta sweep FILE`: a parameter sweep (grid search, design of experiments): every arm in the same worlds, each pair a cell, with the
//! registered analysis at the end. Results go to `runs/sweep-NAME`, with the profile's name after it, or to `--out`. It goes on where it
//! stopped with `--resume`, because sweeps take hours. Threads change nothing but the speed. The exit code is 1 if cells failed or are
//! missing, 130 after Ctrl-C. Other modes are in files of their own: `--vary`, `--dry-run`, units on several machines, `--submit`.
//! `object`, `print` and `exit_code` serve `morta sensitivity` too. `Args` has the CLI arguments for an experiment grid.

pub(super) mod dry_run;
mod quick;
mod submit;
mod units;

use crate::memory_process::MemoryProcessArgs;
use crate::terminal::CellLine;
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::{INTERRUPTED, stop_on_interrupt};
use morta_lab::Laboratory;
use morta_lab::measure::{CURVES, MEASURES};
use morta_lab::sweep_file::{self, Sweep};
use morta_lab::sweep_folder::ANALYSIS;
use morta_lab::sweep_run::{SweepOptions, SweepSummary};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// The flags of `morta sweep`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sweep file, such as scenarios/sweeps/replay.toml; with --vary, the scenario that is varied.
    #[arg(required_unless_present = "measures")]
    file: Option<PathBuf>,

    /// Folder of the sweep. Left out: runs/sweep-NAME, with the profile's name after it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Cells that are run at once, each on a thread of its own; changes nothing but the speed. Left out: as many as
    /// there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,

    /// Worlds to run, instead of the file's; with --vary 20 when left out.
    // A flag, so that a short look at a sweep needs no second file, which would drift from the first.
    #[arg(long, visible_alias = "worlds", value_name = "N")]
    seeds: Option<u64>,

    #[command(flatten)]
    quick: quick::QuickArgs,

    /// Go on with the sweep in the folder: runs the cells that are missing, and no others.
    #[arg(long)]
    resume: bool,

    /// With --resume, run failed cells again.
    #[arg(long, requires = "resume")]
    retry_failed: bool,

    /// Stop at the first cell that fails.
    #[arg(long)]
    fail_fast: bool,

    /// Run the variant of this name under `[profiles]` of the file.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// Where a real model is to be found that arms record (llm.mode = "record"), instead of the scenario's llm.endpoint.base_url. Its replies
    /// go into cassette.jsonl in the sweep's folder, each once for all cells.
    // A flag, because addresses are of a machine, and a sweep file is shared between machines.
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,

    #[command(flatten)]
    memories: MemoryProcessArgs,

    #[command(flatten)]
    units: units::UnitArgs,

    #[command(flatten)]
    submit: submit::SubmitArgs,

    /// Print the design and about how long it would take, and run nothing.
    // A mistake in the design would otherwise be seen only after hours of cells.
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object instead of the summary, and no progress.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,

    /// Print the measures and learning curves there are, and exit.
    #[arg(long, exclusive = true)]
    measures: bool,
}

/// Runs the command: a parameter sweep, its resumption, or one of its parts.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let Some(file) = args.file.as_ref().filter(|_| !args.measures) else {
        return list_measures().map(|()| ExitCode::SUCCESS);
    };
    let begun = Instant::now();
    let laboratory = args.memories.added_to(laboratory)?;
    let mut sweep = if args.quick.is_given() {
        if args.submit.is_given() || args.units.are_given() || args.profile.is_some() {
            let remedy = "write the sweep with --write FILE, and name that file";
            return Err(UserError::new(format!(
                "--vary: other machines and profiles need a sweep file: {remedy}"
            )));
        }
        args.quick.sweep(file, args.seeds, &laboratory)?
    } else {
        sweep_file::load(file, args.profile.as_deref(), args.seeds, &laboratory)?
    };
    if let Some(written) = args.quick.written(&sweep)? {
        return Ok(written);
    }
    if let Some(url) = &args.endpoint {
        sweep.arms = sweep.arms.into_iter().map(|arm| arm.at_endpoint(url)).collect();
    }
    let dir = args.out.clone().unwrap_or_else(|| usual_folder(&sweep));
    let jobs = args.jobs.map_or(SweepOptions::default().jobs, usize::from);
    if args.submit.is_given() {
        return args.submit.run(
            &sweep,
            submit::Call::from_arguments(file, &dir, &args, laboratory.limits()),
            &args.units,
        );
    }
    if args.dry_run {
        return dry_run::print(&sweep, &dir, jobs, args.json).map(|()| ExitCode::SUCCESS);
    }
    if args.units.are_given() {
        return args.units.run(&sweep, &dir, (jobs, args.fail_fast), args.json);
    }
    let notes = sweep.notes_before(&dir);
    let stop = stop_on_interrupt()?;
    let Args { resume, retry_failed, fail_fast, json, .. } = args;
    let watch = CellLine::new("cells", json).with_notes(&notes);
    let options = SweepOptions { jobs, resume, retry_failed, fail_fast, stop: &stop, watch: &watch };
    let swept = sweep.run(&dir, options)?;
    let wall_s = begun.elapsed().as_secs_f64();
    if json {
        let mut object = object(&swept, wall_s);
        object["notes"] = serde_json::json!(notes);
        output::json(&object)?;
    } else {
        print(&swept, wall_s, "the same command and --resume")?;
    }
    Ok(exit_code(&swept))
}

/// 0 when every cell was run, 1 when some failed or are missing, 130 when the user stopped the sweep.
pub(super) fn exit_code(swept: &SweepSummary) -> ExitCode {
    match (swept.interrupted, swept.is_complete() && swept.manifest.cells.failed == 0) {
        (true, _) => ExitCode::from(INTERRUPTED as u8),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    }
}

fn usual_folder(sweep: &Sweep) -> PathBuf {
    let profile = sweep.profile.as_ref().map(|name| format!("-{name}")).unwrap_or_default();
    PathBuf::from(format!("runs/sweep-{}{profile}", sweep.file.name))
}

/// Number of failures that are listed; all are in results.csv.
const FAILURES_MAX: usize = 10;

/// The summary as a JSON object.
pub(super) fn object(swept: &SweepSummary, wall_s: f64) -> Value {
    let SweepSummary { dir, manifest, analysis, ran, failures, interrupted } = swept;
    let counts = manifest.cells;
    serde_json::json!({
        "sweep_dir": dir,
        "name": manifest.name,
        "status": manifest.status,
        "interrupted": interrupted,
        "as_registered": manifest.as_registered,
        "cells": counts.total,
        "done": counts.done,
        "failed": counts.failed,
        "ran_now": ran,
        "failures": failures,
        "files": manifest.files,
        "standing": analysis.standing,
        "looks": analysis.looks,
        "primary": analysis.primary,
        "secondary": analysis.secondary,
        "survival": analysis.survival,
        "rule": analysis.rule,
        "ladder": analysis.ladder,
        "map": analysis.map,
        "sensitivity": analysis.sensitivity,
        "profile": analysis.profile,
        "sentences": analysis.sentences,
        "wall_s": wall_s,
    })
}

/// Prints the summary.
pub(super) fn print(swept: &SweepSummary, wall_s: f64, go_on: &str) -> anyhow::Result<()> {
    let SweepSummary { dir, manifest, analysis, ran, failures, .. } = swept;
    let counts = manifest.cells;
    let left = counts.total - counts.done - counts.failed;
    output::line(format!(
        "{}: {} {}, {} cells: {} done, {} failed, {left} left; {} of them run now, in {:.1} s",
        manifest.name,
        manifest.arms.len(),
        if analysis.sensitivity.is_some() { "points" } else { "arms" },
        counts.total,
        counts.done,
        counts.failed,
        ran,
        wall_s
    ))?;
    output::line("")?;
    analysis.lines().into_iter().try_for_each(output::line)?;
    output::line("")?;
    for failure in failures.iter().take(FAILURES_MAX) {
        output::line(format!("failed       {failure}"))?;
    }
    if failures.len() > FAILURES_MAX {
        output::line(format!("and {} more failures, in results.csv", failures.len() - FAILURES_MAX))?;
    }
    let tables = manifest.files.iter().map(|file| file.name.as_str());
    let names: Vec<&str> = tables.chain([ANALYSIS]).collect();
    output::line(format!("written to   {}: {}", dir.display(), names.join(", ")))?;
    if !swept.is_complete() {
        output::line(format!("go on with   {go_on}"))?;
    }
    Ok(())
}

fn list_measures() -> anyhow::Result<()> {
    let width = MEASURES.iter().map(|measure| measure.name.len()).max().unwrap_or(0);
    output::line(format!("{:width$}  {:11}  {:6}  meaning", "measure", "unit", "better"))?;
    for measure in MEASURES.iter() {
        let (name, unit, better) = (measure.name, measure.unit, measure.better.name());
        output::line(format!("{name:width$}  {unit:11}  {better:6}  {}", measure.about))?;
    }
    output::line("")?;
    for kind in CURVES {
        output::line(format!("{:width$}  {:11}  {:6}  {}", kind.name, "curve", "", kind.about))?;
    }
    Ok(())
}
