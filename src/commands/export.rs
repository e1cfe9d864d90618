//! `morta export phylogeny RUN`: who descends from whom in a run, as CSV in the ALife data standard for phylogenies (data export). The
//! ancestor is the golem whose place was taken, or with `--ancestry knowledge` also every dead golem of this run whose bloodstains or
//! legacy spoke in a trade. It prints to standard output, or to a new file. It exists because other tools analyse ancestry better. `Args`
//! has the CLI arguments for a phylogeny export.

use super::free;
use anyhow::Context as _;
use clap::Subcommand;
use morta_console::{arguments, output};
use morta_lab::export::{self, Ancestry};
use morta_lab::run_folder::RunFolder;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta export`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Who descends from whom, as CSV in the ALife data standard for phylogenies.
    Phylogeny {
        /// The folder that `morta run` wrote.
        run: PathBuf,
        /// What makes somebody an ancestor.
        #[arg(long, default_value_t = Ancestry::Succession, value_parser = arguments::word(ANCESTRIES, Ancestry::name))]
        ancestry: Ancestry,
        /// The file to write; left out: standard output. A file that is there already is left alone.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// What makes somebody an ancestor.
const ANCESTRIES: &[(Ancestry, &str)] = &[
    (Ancestry::Succession, "Whose place it took: at most one ancestor"),
    (
        Ancestry::Knowledge,
        "Whose place it took, and every dead golem whose bloodstains or legacy spoke in one of its trades: as many as there are",
    ),
];

/// Runs the command: a phylogeny as CSV (data export).
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let What::Phylogeny { run, ancestry, out } = args.what;
    let csv = export::phylogeny(&RunFolder::open(&run)?, ancestry)?;
    match out {
        None => output::text(&csv)?,
        Some(path) => {
            free(&path)?;
            std::fs::write(&path, csv).with_context(|| format!("{} can't be written", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
