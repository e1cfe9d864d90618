//! `morta branch`: the same world as a recorded run up to a tick, then under a change, with and without which it goes on.

mod change;
mod trunk;

use crate::failure::UserError;
use crate::output;
use crate::terminal::{DriverArgs, INTERRUPTED, RunLine, stop_on_interrupt};
use change::ChangeArgs;
use morta_lab::divergence::{self, Comparison, Paired, Report};
use morta_lab::drive::{DriverChoice, Lived, go_on_by};
use morta_lab::history::{Changes, Parent, Turn, take_turn};
use morta_lab::run_folder::manifest::{Manifest, Observed};
use morta_lab::run_folder::tables::Cast;
use morta_lab::run_folder::{FinishedRun, RunFolder, Tables};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trunk::{Grown, Trunk};

/// The flags of `morta branch`.
#[derive(clap::Args)]
pub struct Args {
    /// A run folder.
    run: PathBuf,

    /// First tick to be lived under the change; everything before is as it was.
    #[arg(long, value_name = "TICK", allow_negative_numbers = true)]
    at: u64,

    #[command(flatten)]
    changes: ChangeArgs,

    /// Ticks to live from there, instead of up to the run's end; may go beyond it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    ticks: Option<u64>,

    #[command(flatten)]
    driver: DriverArgs,

    /// Folder to write; must not hold anything yet. Left out: a new folder under runs/.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the whole comparison as one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// The comparison's file in the branch's folder.
pub const DIVERGENCE: &str = "divergence.json";

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let begun = std::time::Instant::now();
    let started_at = jiff::Timestamp::now().to_string();
    let parent = RunFolder::open(&args.run)?;
    let until = horizon(&parent, args.at, args.ticks)?;
    let changes = args.changes.read()?;
    let trunk = Trunk::prepare(&parent, args.at, until)?;
    let (changed, plan, changes) = change::resolve(&trunk, &args.changes, changes, args.at)?;
    let scenario = plan.scenario().clone();
    let dir = args.out.clone().unwrap_or_else(|| unused(&scenario.name, scenario.seed, args.at));
    let was_there = dir.exists();
    let folder = RunFolder::create(&dir)?;
    let (stop, line) = (stop_on_interrupt()?, RunLine::new(args.json));
    let Some(grown) = trunk.grow(Tables::create(&folder, &scenario)?, line.control(&stop))? else {
        return Ok(stopped(folder.dir()));
    };
    let Grown { mut world, golem_ticks, tables, control, checkpoint } = grown;
    if let Err(why) = take_turn(&mut world, plan, &changes) {
        drop(tables);
        clear(&dir, was_there)?;
        return Err(UserError::new(why));
    }
    let comparison = Comparison::new(Cast::of(&scenario), world.plan().lineages());
    let driver = DriverChoice::from(args.driver).driver(world.plan(), true);
    let sink = Paired::new(tables, control, comparison, args.at);
    let Lived { ended, sink, .. } = go_on_by(world, golem_ticks, driver, sink, line.control(&stop))?;
    if ended.interrupted {
        return Ok(stopped(folder.dir()));
    }
    let (tables, control, comparison) = sink.finish()?;
    trunk.check(&control)?;
    let tables = tables.finish()?;
    let start = &trunk.history.start;
    start.copy_to(&folder.lethe_under_way(), &scenario)?;
    folder.keep_lethe()?;
    let (parting, lineages, sum, series) = comparison.finish();
    let report = Report {
        parent: args.run.clone(),
        at: args.at,
        until: ended.ticks,
        lived_from: checkpoint.unwrap_or(0),
        changes: changes.clone(),
        control: control.name().to_owned(),
        control_digest: control.digest(),
        branch_digest: tables.digest.clone(),
        parting,
        lineages,
        sum,
        series,
    };
    let json = serde_json::to_string_pretty(&report)?;
    folder.write_whole(DIVERGENCE, format!("{json}\n").as_bytes())?;
    let origin = (changed.data, start.record(&scenario));
    let observed = Observed::of(driver, started_at, begun.elapsed().as_secs_f64());
    let manifest = Manifest {
        branch: turns(&parent, args.at, changes),
        ..Manifest::of(scenario, &ended, &tables, origin, observed)
    };
    folder.complete(&manifest)?;
    tell(&folder, &report, args.json)?;
    Ok(if manifest.ledger_conserved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The tick at which both arms end.
fn horizon(parent: &FinishedRun, at: u64, ticks: Option<u64>) -> anyhow::Result<u64> {
    let manifest = &parent.manifest;
    let refuse = |why: String| Err(UserError::new(format!("--at {at}: {why}")));
    if at >= manifest.ticks {
        return match manifest.ticks.checked_sub(1) {
            Some(last) => refuse(format!("the run has no such tick: its last is {last}")),
            None => refuse("the run was stopped before its first tick".to_owned()),
        };
    }
    if let Some(turn) = manifest.branch.last().filter(|turn| at < turn.tick) {
        return refuse(format!(
            "this run is itself a branch of {} from tick {} on: branch it there or later, or branch that run",
            turn.parent.path.display(),
            turn.tick
        ));
    }
    // A run that was interrupted is known up to where it got; one whose golems died out could have gone on.
    let end = if manifest.interrupted { manifest.ticks } else { manifest.scenario.ticks };
    Ok(ticks.map_or(end, |ticks| at.saturating_add(ticks)))
}

/// The history of the branch: the parent's turns, and this one.
fn turns(parent: &FinishedRun, tick: u64, changes: Changes) -> Vec<Turn> {
    let manifest = &parent.manifest;
    let own = Turn {
        parent: Parent { path: parent.dir().to_owned(), digest: manifest.digest.clone() },
        tick,
        changes,
        from: manifest.scenario.clone(),
    };
    manifest.branch.iter().cloned().chain([own]).collect()
}

fn tell(folder: &RunFolder, report: &Report, json: bool) -> anyhow::Result<()> {
    if json {
        let mut value = serde_json::to_value(report)?;
        value["run_dir"] = serde_json::to_value(folder.dir())?;
        return output::line(value);
    }
    divergence::text(report).into_iter().try_for_each(output::line)?;
    output::line("")?;
    let dir = folder.dir().display();
    output::line(format!("digest       {}", report.branch_digest))?;
    output::line(format!("written to   {dir}: a run folder, and {DIVERGENCE}"))?;
    output::line(format!("Check it:    morta reproduce {dir}"))
}

fn stopped(dir: &Path) -> ExitCode {
    eprintln!("stopped before its end: {} holds no branch", dir.display());
    ExitCode::from(INTERRUPTED as u8)
}

/// Takes away what was written of a branch that can't be.
fn clear(dir: &Path, keep_folder: bool) -> anyhow::Result<()> {
    std::fs::remove_dir_all(dir)?;
    if keep_folder {
        std::fs::create_dir(dir)?;
    }
    Ok(())
}

/// The first folder under runs/ of that name that isn't there yet.
fn unused(name: &str, seed: u64, at: u64) -> PathBuf {
    let first = PathBuf::from(format!("runs/{name}-seed{seed}-at{at}"));
    let numbered = |number: u64| PathBuf::from(format!("runs/{name}-seed{seed}-at{at}-{number}"));
    std::iter::once(first)
        .chain((2..).map(numbered))
        .find(|dir| !dir.exists())
        .expect("numbers don't run out")
}
