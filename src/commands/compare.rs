//! `morta compare RUN RUN ...`: a diff of two or more run folders against the first: keys that differ, where events diverge, measures side
//! by side. It gives no test and no verdict, because one world each shows no effect; `morta sweep` and `morta stats compare` do. `Args` has
//! the CLI arguments to compare runs (run comparison).

use morta_console::output::Printable as _;
use morta_lab::compared_runs::compare_runs;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta compare`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders that `morta run` wrote; the others are held against the first.
    #[arg(required = true, num_args = 2..)]
    runs: Vec<PathBuf>,

    /// Print one JSON object instead of tables.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command: a side-by-side diff of runs.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    compare_runs(&args.runs)?.print(args.json)
}
