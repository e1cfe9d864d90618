//! The command line: which commands there are, and their flags.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A laboratory for mortal agents: they trade, remember, dream, die, and leave bloodstains to their successors.
#[derive(Parser)]
#[command(name = "morta", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

/// Reads the arguments and runs the command they name.
pub fn run() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {}
}
