//! `morta list`: the runs and sweeps of a folder. It is an index of experiments by their manifests. It reads
//! manifests alone, so that a full folder is listed at once.

use morta_console::output::Printable as _;
use morta_lab::listing::list;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta list`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder, whose folders are looked into too.
    #[arg(default_value = "runs")]
    dir: PathBuf,

    /// Print one JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// Runs the command: an index of runs and sweeps (experiment listing).
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    list(&args.dir)?.print(args.json)
}
