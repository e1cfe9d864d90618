//! `morta inspect`.

use std::process::ExitCode;

/// The flags of `morta inspect`.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not there yet")
}
