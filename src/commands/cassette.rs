//! `morta cassette`: lists, shows, merges and prunes recorded calls of a real model (record/replay of LLM calls). Merging refuses two
//! different replies to one call; pruning keeps the calls of a run or of a list of keys (garbage collection). Inputs are left as they are,
//! and an existing output file is refused. It never calls a model, so that looking costs nothing. `Args` has the CLI arguments to manage
//! recorded LLM calls.

use super::free;
use clap::Subcommand;
use morta_console::failure::UserError;
use morta_console::output::{self, Printable as _};
use morta_lab::RunFolder;
use morta_lab::cassette::{Cassette, keys_in};
use morta_lab::inspect::prompts::calls_of;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The flags of `morta cassette`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say what cassettes hold: calls and tokens by task and model; or show calls in full.
    Inspect {
        /// Cassettes, told of together.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Show the call whose key is this, or begins so: what was asked and what was replied.
        #[arg(long)]
        key: Option<String>,
        /// Show all calls of this golem, such as L0.G0, in the order in which it asked them.
        #[arg(long)]
        golem: Option<String>,
        /// Print one JSON object instead of text.
        // Instead, not besides: a program can't parse an object with text around it.
        #[arg(long)]
        json: bool,
    },
    /// Put all calls of several cassettes into one. Two replies to the same call are an error.
    Merge {
        /// Cassettes.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The cassette to write; compressed when the name ends in .gz. A file that is there already is left alone.
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Keep only some calls of a cassette.
    Prune {
        /// The cassette.
        file: PathBuf,
        /// A file with the keys of the calls to keep, one a line.
        #[arg(long, value_name = "FILE", required_unless_present = "run", conflicts_with = "run")]
        keys: Option<PathBuf>,
        /// A run: the calls that it made are kept.
        #[arg(long, value_name = "RUN")]
        run: Option<PathBuf>,
        /// The cassette to write; compressed when the name ends in .gz. A file that is there already is left alone.
        #[arg(short, long, value_name = "FILE")]
        out: PathBuf,
    },
}

/// Runs the command: lists, shows, merges or prunes recorded calls of LLMs.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Inspect { files, key, golem, json } => inspect(&files, key.as_deref(), golem.as_deref(), json),
        What::Merge { files, out } => write(&merged(&files)?, &out),
        What::Prune { file, keys, run, out } => {
            let mut kept = keys.map(|keys| keys_in(&keys)).transpose()?.unwrap_or_default();
            if let Some(run) = run {
                kept = calls_of(&RunFolder::open(&run)?)?;
            }
            write(&Cassette::read(&file)?.pruned(&kept), &out)
        }
    }
}

fn merged(files: &[PathBuf]) -> morta_lab::Result<Cassette> {
    Cassette::merge(&files.iter().map(PathBuf::as_path).collect::<Vec<_>>())
}

fn inspect(
    files: &[PathBuf],
    key: Option<&str>,
    golem: Option<&str>,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let cassette = merged(files)?;
    if key.is_none() && golem.is_none() {
        return cassette.listing().print(json);
    }
    let calls = cassette.selected(key, golem);
    if calls.is_empty() {
        let (key, golem) = (key.unwrap_or("any"), golem.unwrap_or("any"));
        let line = format!(
            "no call has key {key} and golem {golem}: `morta cassette inspect` without them lists what there is"
        );
        return Err(UserError::new(line));
    }
    calls.print(json)
}

fn write(cassette: &Cassette, out: &Path) -> anyhow::Result<ExitCode> {
    free(out)?;
    cassette.write(out)?;
    output::line(format!("{}: {} calls, content {}", out.display(), cassette.len(), cassette.hash()))?;
    Ok(ExitCode::SUCCESS)
}
