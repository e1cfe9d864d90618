//! `morta verify RUN`: lives through a finished run again and compares the hashes of its files and events: a reproducibility check by
//! digest. The exit code is 0 only if every byte is the same; `--plain` or `--threads` choose another driver, which must change nothing.
//! Changed data files or a damaged Lethe count as a difference. A real model isn't asked again: the run's cassette answers. An interrupted
//! run is repeated up to its last tick. It is the whole proof of a run, because a digest covers every event. `Args` has the CLI arguments
//! for a determinism check.

use crate::terminal::{DriverArgs, attended};
use morta_console::output;
use morta_console::terminal::stop_on_interrupt;
use morta_lab::Laboratory;
use morta_lab::reproduce::{Repetition, differences, repeat};
use morta_lab::run_folder::{FinishedRun, RunFolder};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta verify`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A run folder.
    run: PathBuf,

    /// Folder that holds the run's files of prices, if they are neither where they were nor above the run's folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    #[command(flatten)]
    driver: DriverArgs,

    /// Print one JSON object, and no progress.
    #[arg(long)]
    json: bool,
}

/// Runs the command: a reproducibility check of a run folder.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    // Ctrl-C has its handler before the folder is read, so that the exit code is 130 then as well.
    stop_on_interrupt()?;
    let run = RunFolder::open(&args.run)?.with_data_in(args.data);
    let again = attended(args.json, |control| repeat(&run, args.driver.into(), control, laboratory))?;
    let identical = again.is_identical();
    if args.json {
        output::line(json(&run, &again, identical))?;
    } else {
        print(&run, &again, identical)?;
    }
    Ok(if identical { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(run: &FinishedRun, again: &Repetition, identical: bool) -> anyhow::Result<()> {
    let (manifest, driver) = (&run.manifest, again.driver);
    let threads = driver.threads();
    let how = format!("{}, {threads} thread{}", driver.name(), if threads == 1 { "" } else { "s" });
    if identical {
        let (ticks, files) = (manifest.ticks, manifest.files.len());
        let digest = &manifest.digest;
        output::line(format!("identical: {ticks} ticks repeated ({how}), {files} files, digest {digest}"))?;
        return match manifest.observed.directives_given {
            0 => Ok(()),
            given => output::line(format!(
                "it was steered: {given} directives were given while it was lived, and repeated from its scenario"
            )),
        };
    }
    output::line(format!("NOT identical ({how}): {}", run.dir().display()))?;
    differences(again).into_iter().try_for_each(|line| output::line(format!("  {line}")))
}

fn json(run: &FinishedRun, again: &Repetition, identical: bool) -> serde_json::Value {
    let verdict = &again.verdict;
    serde_json::json!({
        "run_dir": run.dir(),
        "identical": identical,
        "ticks": run.manifest.ticks,
        "digest": run.manifest.digest,
        "digest_repeated": again.digest,
        "changed_data": again.other_data,
        "lethe_harm": again.lethe_harm,
        "missing": verdict.missing,
        "changed": verdict.changed,
        "differing": verdict.differing,
        "first_difference": verdict.first,
    })
}
