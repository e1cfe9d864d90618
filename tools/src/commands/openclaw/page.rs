//! `morta-memory openclaw page`: a workspace's dreams as an HTML page. It is an HTML report in one file. It exists because blocks in daily
//! notes can't be read as a whole. `Args` has the CLI options for a dream diary as an HTML page.

use super::super::note;
use super::room::moment;
use morta_console::output;
use morta_lab::whole_file;
use morta_memories::openclaw::time::Instant;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta-memory openclaw page`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The workspace, with its memory/ folder.
    #[arg(default_value = ".")]
    workspace: PathBuf,
    /// The page; one that is there already is replaced.
    #[arg(long, value_name = "FILE", default_value = "dreams.html")]
    out: PathBuf,
    /// openclaw.json, or its dreaming block alone: schedules, time zone, thresholds; that of the workspace when left out.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// When it is: an ISO 8601 instant. The latest instant of the store when left out.
    #[arg(long, value_name = "INSTANT", value_parser = moment)]
    now: Option<Instant>,
}

/// Runs the subcommand: writes the HTML page of a workspace.
pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let page =
        morta_tools::openclaw::page::page(&args.workspace, args.config.as_deref(), args.now, &mut note)?;
    whole_file::replace(&args.out, page.html().as_bytes())?;
    output::line(format!("written to   {}", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}
