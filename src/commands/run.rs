//! `morta run`.

use std::process::ExitCode;

/// The flags of `morta run`.
#[derive(clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not there yet")
}
