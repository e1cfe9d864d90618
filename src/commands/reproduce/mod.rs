//! `morta reproduce`: lives through a folder again, a run or a sample of a sweep's cells, and says whether all of it comes out the same.

mod cells;
mod sweep;

use crate::failure::UserError;
use crate::output;
use crate::terminal::attended;
use morta_lab::drive::DriverChoice;
use morta_lab::repeat::{differences, repeat};
use morta_lab::run_folder::RunFolder;
use morta_lab::run_folder::manifest::Build;
use morta_lab::sweep_folder;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta reproduce`.
#[derive(clap::Args)]
pub struct Args {
    /// A run folder (a branch is one too) or a sweep's folder.
    dir: PathBuf,

    /// Of a sweep, the number of cells to live through again, spread evenly over all of them; 5 when left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Of a sweep, every cell.
    #[arg(long, conflicts_with = "sample")]
    all: bool,

    /// Print one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let agrees = if args.dir.join(sweep_folder::MANIFEST).exists() {
        sweep::reproduce(&args.dir, args.sample, args.all, args.json)?
    } else {
        reproduce_run(&args)?
    };
    Ok(if agrees { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn reproduce_run(args: &Args) -> anyhow::Result<bool> {
    let run = RunFolder::open(&args.dir)?;
    if args.all || args.sample.is_some() {
        let flag = if args.all { "--all" } else { "--sample" };
        return Err(UserError::new(format!(
            "{flag}: {} is a run, which is lived through as a whole: leave it out",
            args.dir.display()
        )));
    }
    let again = attended(args.json, |control| repeat(&run, DriverChoice::default(), control))?;
    let (then, now) = (&run.manifest.observed.build, Build::this());
    let builds = Builds { then: then.words(), now: now.words(), same: *then == now };
    let (agrees, manifest) = (again.is_identical(), &run.manifest);
    if args.json {
        output::line(json!({
            "kind": "run",
            "dir": args.dir,
            "agrees": agrees,
            "build": builds.json(),
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
    output::line(builds.line())?;
    Ok(agrees)
}

/// The program that made a folder and the one that repeats it.
pub struct Builds {
    then: String,
    now: String,
    same: bool,
}

impl Builds {
    fn json(&self) -> Value {
        json!({ "then": self.then, "now": self.now, "same": self.same })
    }

    fn line(&self) -> String {
        let Self { then, now, same } = self;
        if *same {
            format!("  by the same build: {now}")
        } else {
            format!("  by ANOTHER build: then {then}; now {now}")
        }
    }
}
