//! `morta memory`: the memory architectures on data of the user's own, with the code the simulation runs; and whether they keep the
//! contract.

mod conformance;
mod dark_pawns;
mod openclaw;
mod owm;
mod serve;

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
    /// Valenced autobiographical memory of game agents: events, dreams, narrative summaries.
    DarkPawns(dark_pawns::Args),
    /// OpenClaw dreaming: what is recalled often, by different queries, on different days, is promoted.
    Openclaw(openclaw::Args),
    /// Whether an architecture keeps what the simulation relies on: the same bytes, honest accounts, bounded size; exit code 1 if not.
    Conformance(conformance::Args),
}

/// Says on standard error what is odd and doesn't stop the work.
fn note(text: &str) {
    crate::output::remark(format!("note: {text}"));
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.architecture {
        Architecture::Owm(args) => owm::run(args),
        Architecture::DarkPawns(args) => dark_pawns::run(args),
        Architecture::Openclaw(args) => openclaw::run(args),
        Architecture::Conformance(args) => conformance::run(&args),
    }
}
