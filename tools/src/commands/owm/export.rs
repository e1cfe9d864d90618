//! `morta-memory owm export`: the trades of a store as a log. It prints JSON Lines (data export, backup) that `remember` reads again. It
//! exists so that no user is bound to this store. Plans, reported beliefs and equities, and recalls aren't in it: a store that is read from
//! it lacks them. `Args` has the CLI flags for a store export.

use morta_console::output;
use morta_tools::owm::export::export;
use morta_tools::owm::store::Store;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The folder of the store.
    store: PathBuf,
}

/// Runs the subcommand: exports the store as JSON Lines.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let store = Store::open(&args.store)?;
    export(&store, |line| output::line(line.to_string()))?;
    Ok(ExitCode::SUCCESS)
}
