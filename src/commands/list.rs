//! `morta list [DIR]`: the runs and sweeps of a folder (`runs` by default) and of the folders in it: an index of experiments (run listing,
//! directory scan) with scenario, seed, digest and verdict. It reads only manifests and the analyses of sweeps, whose verdicts it repeats,
//! so that a full folder is listed at once; it checks no file. `Args` has the CLI arguments to list runs (directory listing).

use morta_console::output::Printable as _;
use morta_lab::listing::list;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta list`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder, whose folders are looked into too.
    #[arg(default_value = "runs")]
    dir: PathBuf,

    /// Print one JSON object instead of a table.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command: an index of runs and sweeps (experiment listing).
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    list(&args.dir)?.print(args.json)
}
