//! The commands of `morta-memory`: a command-line interface by clap, with one subcommand for each architecture and its
//! questions. Exit codes are those of `morta`. It does no work itself, so that the library can be used without a terminal.
//!
//! `morta memory NAME ...` starts this program with its words and its `--at-most` at their end, so that flag must stand on every command.
//! No architecture may be named `conformance`, which `morta memory` keeps to itself; its help lists the others by hand.

use crate::commands::{dark_pawns, openclaw, owm};
use clap::{CommandFactory as _, Parser, Subcommand};
use morta_console::limits::LimitArgs;
use morta_console::{arguments, completions, limits, logs, man};
use std::process::ExitCode;

/// Published memory architectures on your own logs: rank, stake, feel, promote, consolidate, with every score.
#[derive(Parser)]
#[command(name = "morta-memory", version, max_term_width = 100, after_help = limits::list())]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Outcome-weighted memory: recall by outcome, likeness, recency, trust and state of mind; stakes from memory; plans.
    Owm(owm::Args),
    /// Valenced autobiographical memory of game agents: events, dreams, narrative summaries.
    DarkPawns(dark_pawns::Args),
    /// OpenClaw dreaming: what is recalled often, by different queries, on different days, is promoted.
    Openclaw(openclaw::Args),
    /// Print what a shell needs to complete commands, flags and files.
    #[command(after_help = completions::where_to_put_it("morta-memory"))]
    Completions(completions::Args),
    /// Print a manual page, or write all of them into a folder.
    #[command(after_help = man::how_to_read("morta-memory", "owm"))]
    Man(man::Args),
}

/// Parses the arguments and runs the named command (dispatch).
///
/// # Errors
/// Those of the command.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let Cli { command, limits } = arguments::parse();
    morta_tools::limits::set(limits.limits());
    logs::install()?;
    match command {
        Command::Owm(args) => owm::run(args),
        Command::DarkPawns(args) => dark_pawns::run(args),
        Command::Openclaw(args) => openclaw::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(args, Cli::command()),
    }
}
