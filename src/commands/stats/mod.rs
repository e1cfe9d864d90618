//! `morta stats`: statistical inference on a CSV or Parquet table of the user's: `survival` (Kaplan-Meier, log-rank, Cox), `compare` (arms
//! in the same worlds: paired tests, Holm correction), `calibration` (false positive rate), and `across`, the false discovery rate over a
//! folder of sweeps. They are the laboratory's own tests, so that a user's data are judged as sweeps are. Output is text or JSON, of
//! `survival` and `compare` with `--report` also a page; tables aren't changed. `Args` has the CLI arguments for statistical tests.

mod flags;

use super::report;
use clap::Subcommand;
use flags::{CalibrationArgs, CompareArgs, SurvivalArgs};
use morta_console::output::{self, Printable as _};
use morta_console::terminal::counted;
use morta_lab::Laboratory;
use morta_lab::report::ReportPage;
use morta_lab::report::page::Page;
use morta_lab::report::statistics::{comparison_page, survival_page};
use morta_lab::statistics::{Across, ArmsCompared, CalibrationReport, SurvivalAnalysis};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta stats`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Survival with right-censoring: curves, medians, log-rank, restricted means, Cox.
    Survival(SurvivalArgs),
    /// Arms against a baseline, world by world: intervals, tests, effect sizes, what pairing saved.
    Compare(CompareArgs),
    /// How often tests say that arms differ which don't: share of p below the error rate, over blocks of worlds.
    Calibration(CalibrationArgs),
    /// All registered comparisons of the sweeps in a folder, corrected together for false discoveries.
    Across(AcrossArgs),
}

/// The flags of `morta stats across`.
#[derive(clap::Args)]
struct AcrossArgs {
    /// A folder that holds folders of finished sweeps, such as runs.
    folder: PathBuf,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs one of the statistics subcommands: survival analysis, paired comparison, calibration, or false discovery rate.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    let limits = laboratory.limits();
    match args.what {
        What::Survival(args) => {
            let found =
                counted("survival", args.json, || SurvivalAnalysis::from_table(&args.options(), limits))?;
            found.print(args.json)?;
            write_page(args.report.as_deref(), args.json, || survival_page(&found))
        }
        What::Calibration(args) => {
            let calibrate =
                || CalibrationReport::from_columns(&args.paired.columns(), &args.options(), limits);
            counted("calibration", args.json, calibrate)?.print(args.json)
        }
        What::Across(args) => {
            counted("false discoveries", args.json, || Across::from_folder(&args.folder))?.print(args.json)
        }
        What::Compare(args) => {
            let compare = || ArmsCompared::from_columns(&args.paired.columns(), &args.options(), limits);
            let found = counted("intervals, tests and effect sizes", args.json, compare)?;
            found.print(args.json)?;
            write_page(args.report.as_deref(), args.json, || comparison_page(&found))
        }
    }
}

/// Writes the page, if it was requested, and prints its path; nothing is printed beside JSON, which must be alone on standard output.
fn write_page(file: Option<&Path>, json: bool, page: impl FnOnce() -> Page) -> anyhow::Result<ExitCode> {
    if let Some(file) = file {
        report::write(file, ReportPage::from_page("statistics", page()).html.as_bytes())?;
        if !json {
            output::line(format!("\nwritten to   {}", file.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
