//! `morta sweep`: lives through many worlds under many settings, and keeps what came of each.

mod dry_run;
mod progress;

use crate::output;
use crate::terminal::{INTERRUPTED, stop_on_interrupt};
use morta_lab::analysis::{Analysis, Verdict};
use morta_lab::measure::{CURVES, MEASURES};
use morta_lab::sweep_file::{self, Sweep};
use morta_lab::sweep_folder::{ANALYSIS, CellId, Counts, Outcome, Status, SweepFolder, tables};
use morta_lab::sweep_run::{self, CellEnd, Work};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The flags of `morta sweep`.
#[derive(clap::Args)]
pub struct Args {
    /// The sweep file, such as scenarios/sweeps/replay.toml.
    #[arg(required_unless_present = "measures")]
    file: Option<PathBuf>,

    /// Folder of the sweep. Left out: runs/sweep-NAME, with the profile's name after it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Cells that are run at once, each on a thread of its own; changes nothing but the speed. Left out: as many as
    /// there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: Option<u16>,

    /// Worlds to run, instead of the file's.
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,

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

    /// Print the design and about how long it would take, and run nothing.
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object instead of the summary, and no progress.
    #[arg(long)]
    json: bool,

    /// Print the measures and learning curves there are, and exit.
    #[arg(long, exclusive = true)]
    measures: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Some(file) = args.file.as_ref().filter(|_| !args.measures) else {
        return list_measures().map(|()| ExitCode::SUCCESS);
    };
    let begun = Instant::now();
    let sweep = sweep_file::load(file, args.profile.as_deref(), args.seeds)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    let dir = args.out.clone().unwrap_or_else(|| usual_folder(&sweep));
    if args.dry_run {
        return dry_run::tell(&sweep, &dir, jobs, args.json).map(|()| ExitCode::SUCCESS);
    }
    let stop = stop_on_interrupt()?;
    let mut folder = SweepFolder::open(&dir, &sweep, args.resume)?;
    let mut state = State::find(&sweep, &folder, args.retry_failed);
    let ran = live(&sweep, &folder, &mut state, &args, jobs, &stop);
    let interrupted = stop.load(Ordering::Relaxed) && ran.is_ok();
    let ran = ran?;
    let mut verdict = Verdict::new(&sweep);
    let mut failures = Vec::new();
    folder.manifest.files = tables::write_all(&folder, &sweep, |id, cell| {
        if let Outcome::Failed(error) = &cell.outcome {
            failures.push(format!("{}, seed {}: {error}", cell.arm, cell.seed));
        }
        verdict.take(&folder, id, cell)
    })?;
    let counts = verdict.counts();
    let analysis = verdict.analysis();
    let mut text = serde_json::to_string_pretty(&analysis)?;
    text.push('\n');
    folder.files.write_whole(ANALYSIS, text.as_bytes())?;
    folder.manifest.cells = counts;
    let complete = counts.done + counts.failed == counts.total;
    folder.manifest.status = if complete { Status::Complete } else { Status::Stopped };
    folder.write_manifest()?;
    let ending =
        Ending { counts, ran, complete, interrupted, failures, wall_s: begun.elapsed().as_secs_f64() };
    tell(&folder, &analysis, &ending, args.json)?;
    Ok(match (interrupted, complete && counts.failed == 0) {
        (true, _) => ExitCode::from(INTERRUPTED as u8),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    })
}

fn usual_folder(sweep: &Sweep) -> PathBuf {
    let profile = sweep.profile.as_ref().map(|name| format!("-{name}")).unwrap_or_default();
    PathBuf::from(format!("runs/sweep-{}{profile}", sweep.file.name))
}

/// Which cells have ended.
struct State {
    /// Of each cell, arm by arm.
    ended: Vec<bool>,
    /// What is left, world by world: results of early worlds can be compared while later ones run.
    todo: Vec<CellId>,
}

impl State {
    fn find(sweep: &Sweep, folder: &SweepFolder, retry_failed: bool) -> Self {
        let has_ended = |id: CellId| {
            let there = folder.read(sweep, id).filter(|cell| cell.is_intact(&folder.cell_dir(&cell.hash)));
            there.is_some_and(|cell| !(retry_failed && matches!(cell.outcome, Outcome::Failed(_))))
        };
        let ended: Vec<bool> = sweep.cells().map(has_ended).collect();
        let left = sweep.cells().zip(&ended).filter(|(_, ended)| !**ended);
        let mut todo: Vec<CellId> = left.map(|(id, _)| id).collect();
        todo.sort_by_key(|id| (id.world, id.arm));
        Self { ended, todo }
    }
}

/// Runs what is left; how many cells have ended by that.
fn live(
    sweep: &Sweep,
    folder: &SweepFolder,
    state: &mut State,
    args: &Args,
    jobs: usize,
    stop: &AtomicBool,
) -> anyhow::Result<u64> {
    let todo = std::mem::take(&mut state.todo);
    let before = state.ended.iter().filter(|ended| **ended).count() as u64;
    let bar = progress::line(state.ended.len() as u64, before, args.json);
    let (mut ran, mut failed) = (0, 0);
    let mut so_far = progress::ResultsSoFar::start();
    let halt = AtomicBool::new(false);
    let work = Work { sweep, folder, stop, halt: &halt, fail_fast: args.fail_fast };
    let result = sweep_run::live_all(&work, todo, jobs, |CellEnd { id, error }| {
        ran += 1;
        state.ended[id.arm * sweep.worlds() as usize + id.world as usize] = true;
        if error.is_some() {
            failed += 1;
        }
        bar.inc(1);
        bar.set_message(if failed > 0 { format!("{failed} failed") } else { String::new() });
        so_far.write(folder, sweep, &state.ended)
    });
    bar.finish_and_clear();
    result?;
    Ok(ran)
}

/// How a sweep ended.
struct Ending {
    counts: Counts,
    ran: u64,
    complete: bool,
    interrupted: bool,
    failures: Vec<String>,
    wall_s: f64,
}

/// Most failures that are told of one by one.
const FAILURES_MAX: usize = 10;

fn tell(folder: &SweepFolder, analysis: &Analysis, ending: &Ending, json: bool) -> anyhow::Result<()> {
    let manifest = &folder.manifest;
    let counts = ending.counts;
    if json {
        return output::line(serde_json::to_string_pretty(&serde_json::json!({
            "sweep_dir": folder.dir(),
            "name": manifest.name,
            "status": manifest.status,
            "interrupted": ending.interrupted,
            "as_registered": manifest.as_registered,
            "cells": counts.total,
            "done": counts.done,
            "failed": counts.failed,
            "ran_now": ending.ran,
            "failures": ending.failures,
            "files": manifest.files,
            "standing": analysis.standing,
            "primary": analysis.primary,
            "secondary": analysis.secondary,
            "survival": analysis.survival,
            "sentences": analysis.sentences,
            "wall_s": ending.wall_s,
        }))?);
    }
    let left = counts.total - counts.done - counts.failed;
    output::line(format!(
        "{}: {} arms, {} cells: {} done, {} failed, {left} left; {} of them run now, in {:.1} s",
        manifest.name,
        manifest.arms.len(),
        counts.total,
        counts.done,
        counts.failed,
        ending.ran,
        ending.wall_s
    ))?;
    output::line("")?;
    analysis.lines().into_iter().try_for_each(output::line)?;
    output::line("")?;
    for failure in ending.failures.iter().take(FAILURES_MAX) {
        output::line(format!("failed       {failure}"))?;
    }
    if ending.failures.len() > FAILURES_MAX {
        output::line(format!("and {} more failures, in results.csv", ending.failures.len() - FAILURES_MAX))?;
    }
    let tables = manifest.files.iter().map(|file| file.name.as_str());
    let names: Vec<&str> = tables.chain([ANALYSIS]).collect();
    output::line(format!("written to   {}: {}", folder.dir().display(), names.join(", ")))?;
    if !ending.complete {
        output::line("go on with   the same command and --resume")?;
    }
    Ok(())
}

fn list_measures() -> anyhow::Result<()> {
    let width = MEASURES.iter().map(|measure| measure.name.len()).max().unwrap_or(0);
    output::line(format!("{:width$}  {:11}  {:6}  meaning", "measure", "unit", "better"))?;
    for measure in MEASURES {
        let (name, unit, better) = (measure.name, measure.unit, measure.better.name());
        output::line(format!("{name:width$}  {unit:11}  {better:6}  {}", measure.about))?;
    }
    output::line("")?;
    for (name, about) in CURVES {
        output::line(format!("{name:width$}  {:11}  {:6}  {about}", "curve", ""))?;
    }
    Ok(())
}
