//! `morta memory`: published memory architectures on a user's own logs, with the code the simulation runs.

mod dark_pawns;

use clap::Subcommand;
use std::process::ExitCode;

/// The flags of `morta memory`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Valenced autobiographical memory of game agents: events, dreams, narrative summaries.
    DarkPawns(dark_pawns::Args),
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::DarkPawns(args) => dark_pawns::run(args),
    }
}
