//! `morta memory`: the memory architectures on a user's own data, with the code the simulation runs.

mod owm;

use clap::Subcommand;
use std::process::ExitCode;

/// The flags of `morta memory`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    architecture: Architecture,
}

#[derive(Subcommand)]
enum Architecture {
    /// Outcome-weighted memory: recall by outcome, likeness, recency, trust and state of mind; stakes from memory; plans.
    Owm(owm::Args),
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.architecture {
        Architecture::Owm(args) => owm::run(args),
    }
}
