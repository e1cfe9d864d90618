//! `morta lethe FOLDER`: what a Lethe holds, the store of what the dead leave: bloodstains by cause and kind, and the runs that left them.
//! The folder is a persistent Lethe (`lethe.persist`) or a finished run. With `--salvage DIR` what is readable of a damaged store is copied
//! into a new one (data recovery). It is never mended in place, because a better tool may come. `Args` has the CLI arguments for a look or
//! a salvage of bloodstains.
//!
//! A salvage needs a DIR that is missing or empty, and prints the content of the new store. Damage is a warning in the log and fields of the
//! output (`damaged`, `missing`, `losses`), and the exit code stays 0: a script must read these. Only a store that can't be read is an error.

use morta_console::output::Printable as _;
use morta_lab::inspect::lethe;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta lethe`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of a Lethe (lethe.persist), or of a finished run.
    folder: PathBuf,

    /// List at most this many bloodstains, those with the highest tick of death first, of whatever run.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Make a Lethe of its own in this folder of what is left of one that has come to harm.
    #[arg(long, value_name = "DIR")]
    salvage: Option<PathBuf>,

    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,
}

/// Runs the command: store inventory, or data recovery.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let view = match &args.salvage {
        Some(into) => lethe::salvage(&args.folder, into, args.limit)?,
        None => lethe::look(&args.folder, args.limit)?,
    };
    view.print(args.json)
}
