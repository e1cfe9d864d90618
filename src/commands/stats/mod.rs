//! `morta stats`: survival analysis of lives, and comparison of arms in the same worlds, on a table of the user's.

mod calibration;
mod compare;
mod cox;
mod groups;
mod paired;
mod survival;

use crate::output::Told;
use clap::Subcommand;
use std::process::ExitCode;

/// The flags of `morta stats`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Survival with right-censoring: curves, medians, log-rank, restricted means, Cox.
    Survival(survival::Args),
    /// Arms against a baseline, world by world: intervals, tests, effect sizes, what pairing saved.
    Compare(compare::Args),
    /// How often tests say that arms differ which don't: share of p below the error rate, over blocks of worlds.
    Calibration(calibration::Args),
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Survival(args) => survival::Report::of(&args)?.tell(args.json),
        What::Calibration(args) => calibration::Report::of(&args)?.tell(args.json),
        What::Compare(args) => compare::Report::of(&args)?.tell(args.json),
    }
}
