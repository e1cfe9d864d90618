//! `morta reproduce DIR`: repeats a run (or branch), or a sample of a sweep's ended cells (5 by default), and compares the bytes: a
//! reproducibility check by digests and file hashes. The exit code is 0 only if all agree. The build may be another one and is named.
//! Wall-clock times aren't compared, and no real model is asked: cassettes answer. Bytes and not figures are compared, because figures can
//! agree by chance. With `--cell` one cell becomes a whole run folder; one without a digest in the sweep (not ended, or failed) counts as
//! agreeing. `morta verify` checks a run too, with a choice of driver. `Args` has the CLI arguments of a determinism check.

use crate::memory_process::MemoryProcessArgs;
use crate::terminal::{CellLine, attended};
use morta_console::failure::UserError;
use morta_console::output;
use morta_console::terminal::stop_on_interrupt;
use morta_lab::Laboratory;
use morta_lab::drive::DriverChoice;
use morta_lab::reproduce::{
    Builds, CellRun, CheckedCell, Sample, cell_run, differences, repeat, reproduce_sweep,
};
use morta_lab::run_folder::RunFolder;
use morta_lab::sweep_folder;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta reproduce`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A run folder (a branch is one too) or a sweep's folder.
    dir: PathBuf,

    /// Folder that holds a run's files of prices, if they are neither where they were nor above the run's folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Of a sweep, the number of cells to live through again, spread evenly over all of them; 5 when left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Of a sweep, every cell.
    #[arg(long, conflicts_with = "sample")]
    all: bool,

    /// Of a sweep, live through one cell, and keep it as a whole run in --out, for `morta inspect`: the arm and the seed, as in
    /// batch_size=5/memory=bardo:3.
    #[arg(long, value_name = "ARM:SEED", requires = "out", conflicts_with_all = ["sample", "all", "data"])]
    cell: Option<String>,

    /// With --cell, the folder of the run; it must not be there yet.
    #[arg(long, value_name = "DIR", requires = "cell")]
    out: Option<PathBuf>,

    /// Of a sweep, what --memory-process brought; of a run, what it recorded is played.
    #[command(flatten)]
    memories: MemoryProcessArgs,

    /// Print one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// Runs the command: a bit-for-bit reproducibility check.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    stop_on_interrupt()?;
    if let Some((cell, out)) = args.cell.as_deref().zip(args.out.as_deref()) {
        return keep_cell(&args, cell, out, laboratory);
    }
    let agrees = if args.dir.join(sweep_folder::MANIFEST).exists() {
        reproduce_cells(&args, laboratory)?
    } else {
        reproduce_run(&args, laboratory)?
    };
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn reproduce_run(args: &Args, laboratory: &Laboratory) -> anyhow::Result<bool> {
    let run = RunFolder::open(&args.dir)?.with_data_in(args.data.clone());
    if args.all || args.sample.is_some() {
        let flag = if args.all { "--all" } else { "--sample" };
        return Err(UserError::new(format!(
            "{flag}: {} is a run, which is lived through as a whole: leave it out",
            args.dir.display()
        )));
    }
    let again = attended(args.json, |control| repeat(&run, DriverChoice::default(), control, laboratory))?;
    let builds = Builds::of_run(&run);
    let (agrees, manifest) = (again.is_identical(), &run.manifest);
    if args.json {
        output::line(json!({
            "kind": "run",
            "dir": args.dir,
            "agrees": agrees,
            "build": builds,
            "ticks": manifest.ticks,
            "turns": manifest.branch.len(),
            "files": manifest.files.len(),
            "digest": manifest.digest,
            "digest_repeated": again.digest,
            "changed_data": again.other_data,
            "missing": again.verdict.missing,
            "changed": again.verdict.changed,
            "differing": again.verdict.differing,
            "first_difference": again.verdict.first,
        }))?;
        return Ok(agrees);
    }
    if agrees {
        let files = manifest.files.len();
        output::line(format!(
            "reproduced: {} ticks, {files} files, digest {}",
            manifest.ticks, manifest.digest
        ))?;
    } else {
        output::line(format!("NOT reproduced: {}", args.dir.display()))?;
    }
    differences(&again).into_iter().try_for_each(|line| output::line(format!("  {line}")))?;
    output::line(in_words(&builds))?;
    Ok(agrees)
}

fn reproduce_cells(args: &Args, laboratory: &Laboratory) -> anyhow::Result<bool> {
    if let Some(data) = &args.data {
        let remedy = "a sweep's data are looked for where they were: put them back, or leave it out";
        return Err(UserError::new(format!("--data {}: {remedy}", data.display())));
    }
    let sample = match args.sample {
        Some(cells) => Sample::Spread(cells),
        None if args.all => Sample::All,
        None => Sample::default(),
    };
    let (stop, watch) = (stop_on_interrupt()?, CellLine::new("cells lived again", args.json));
    let found = reproduce_sweep(&args.dir, sample, &watch, &stop, &args.memories.added_to(laboratory)?)?;
    let (agrees, disagree) = (found.agrees(), found.disagreeing().count());
    if args.json {
        output::line(json!({
            "kind": "sweep",
            "dir": args.dir,
            "name": found.name,
            "agrees": agrees,
            "build": found.builds,
            "cells": found.ended,
            "checked": found.checked,
            "disagree": disagree,
            "changed_files": found.changed_files,
            "changed_arms": found.changed_arms,
        }))?;
        return Ok(agrees);
    }
    let word = if agrees { "reproduced" } else { "NOT reproduced" };
    output::line(format!(
        "{word}: {} of {} cells lived through again, {} of them the same in digest, lives and rows",
        found.checked.len(),
        found.ended,
        found.checked.len() - disagree
    ))?;
    for CheckedCell { arm, seed, differences, .. } in found.disagreeing() {
        for difference in differences {
            output::line(format!("  {arm}, seed {seed}: {difference}"))?;
        }
    }
    for name in &found.changed_files {
        output::line(format!("  {name} has been changed since it was written"))?;
    }
    for arm in &found.changed_arms {
        output::line(format!("  arm {arm}: its scenario, its data or its Lethe isn't what it was"))?;
    }
    output::line(in_words(&found.builds))?;
    Ok(agrees)
}

/// Runs one cell into a folder of its own.
fn keep_cell(args: &Args, cell: &str, out: &Path, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let kept = cell_run(&args.dir, cell, out, &stop, &args.memories.added_to(laboratory)?)?;
    let agrees = kept.agrees();
    if args.json {
        let mut object = serde_json::to_value(&kept)?;
        object["kind"] = "cell".into();
        object["agrees"] = agrees.into();
        output::line(object)?;
    } else {
        let CellRun { arm, seed, digest, digest_then, .. } = &kept;
        output::line(match digest_then {
            None => format!("lived: {arm}, seed {seed}, which has not ended in the sweep; digest {digest}"),
            Some(_) if agrees => format!("reproduced: {arm}, seed {seed}, digest {digest}"),
            Some(then) => {
                format!("NOT reproduced: {arm}, seed {seed}: the digest was {then} and is {digest}")
            }
        })?;
        output::line(format!("written to   {}", out.display()))?;
        output::line(format!("look closer  morta inspect {} lives", out.display()))?;
    }
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn in_words(Builds { then, now, same }: &Builds) -> String {
    if *same {
        format!("  by the same build: {now}")
    } else {
        format!("  by ANOTHER build: then {then}; now {now}")
    }
}
