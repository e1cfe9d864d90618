//! `morta verify`: lives through a run again and compares.

use crate::failure::UserError;
use crate::lethe_start::{self, LetheStart};
use crate::live::{DriverArgs, live};
use crate::output;
use crate::run_folder::{FinishedRun, RunFolder, Tables, Verdict, compare};
use crate::scenario_file::{DataFile, from_resolved};
use anyhow::Context;
use morta_actors::LetheFiles;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta verify`.
#[derive(clap::Args)]
pub struct Args {
    /// A run folder.
    run: PathBuf,

    #[command(flatten)]
    driver: DriverArgs,

    /// Print one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let run = RunFolder::open(&args.run)?;
    let mut scenario = run.manifest.scenario.clone();
    // A run that was interrupted is repeated up to where it got.
    scenario.ticks = run.manifest.ticks;
    if scenario.ticks == 0 {
        return Err(UserError::new(format!(
            "{}: the run was interrupted before its first tick: there is nothing to compare",
            args.run.display()
        )));
    }
    let loaded = from_resolved(scenario, Path::new(""))?;
    let mut other_data = changed_data(&run.manifest.data, &loaded.data);
    let plan = loaded.plan()?;
    let driver = args.driver.driver(&plan);
    let start = match &run.manifest.lethe {
        Some(then) => {
            let lethe = run.lethe();
            LetheStart::again(plan.scenario(), then, &lethe)
                .map_err(|error| lethe_start::told(&lethe, &error))?
        }
        None => LetheStart::default(),
    };
    let other_lethe = run.manifest.lethe.as_ref().and_then(|then| then.started_from.as_ref());
    if other_lethe.is_some_and(|then| then.blake3 != start.digest()) {
        other_data.push(run.lethe().display().to_string());
    }
    let room = tempfile::tempdir().context("there is no room for the repetition")?;
    let again = RunFolder::create(&room.path().join("again"))?;
    let tables = Tables::create(&again, &run.manifest.scenario)?;
    let store = start.store(plan.scenario(), LetheFiles::default())?;
    let lethe = (&start.ancestry.heritage, store);
    let lived = live(plan, loaded.bars, driver, lethe, tables, args.json)?;
    let summary = lived.sink.finish()?;
    let verdict = compare(&run, &again, &summary)?;
    let identical = verdict.is_identical() && other_data.is_empty();
    if args.json {
        output::line(json(&run, &verdict, &other_data, identical, &summary.digest))?;
    } else {
        let threads = driver.threads();
        let how = format!("{}, {threads} thread{}", driver.name(), if threads == 1 { "" } else { "s" });
        tell(&run, &verdict, &other_data, identical, &how)?;
    }
    Ok(if identical { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Data files that aren't what they were.
fn changed_data(then: &[DataFile], now: &[DataFile]) -> Vec<String> {
    let differs = |(then, now): (&DataFile, &DataFile)| then.blake3 != now.blake3;
    let pairs = then.iter().zip(now).filter(|pair| differs(*pair));
    pairs.map(|(then, _)| then.path.display().to_string()).collect()
}

fn tell(
    run: &FinishedRun,
    verdict: &Verdict,
    other_data: &[String],
    identical: bool,
    how: &str,
) -> anyhow::Result<()> {
    let manifest = &run.manifest;
    if identical {
        let (ticks, files) = (manifest.ticks, manifest.files.len());
        let digest = &manifest.digest;
        return output::line(format!(
            "identical: {ticks} ticks repeated ({how}), {files} files, digest {digest}"
        ));
    }
    output::line(format!("NOT identical ({how}): {}", run.dir().display()))?;
    for path in other_data {
        output::line(format!("  the data file {path} has changed since the run"))?;
    }
    for name in &verdict.missing {
        output::line(format!("  {name} is missing on one side"))?;
    }
    for name in &verdict.changed {
        output::line(format!("  {name} has been changed since it was written"))?;
    }
    for name in &verdict.differing {
        output::line(format!("  {name} comes out differently now"))?;
    }
    if let Some((then, now)) = &verdict.digests {
        output::line(format!("  the event log's digest was {then} and is {now}"))?;
    }
    if let Some(first) = &verdict.first {
        output::line(format!("  first difference: {first}"))?;
    }
    Ok(())
}

fn json(
    run: &FinishedRun,
    verdict: &Verdict,
    other_data: &[String],
    identical: bool,
    digest: &str,
) -> serde_json::Value {
    serde_json::json!({
        "run_dir": run.dir(),
        "identical": identical,
        "ticks": run.manifest.ticks,
        "digest": run.manifest.digest,
        "digest_repeated": digest,
        "changed_data": other_data,
        "missing": verdict.missing,
        "changed": verdict.changed,
        "differing": verdict.differing,
        "first_difference": verdict.first,
    })
}
