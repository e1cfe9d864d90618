//! `serve`: a memory as the tools of an MCP server, for whatever agent starts it.

use morta_lab::memory_server::dark_pawns::DarkPawnsTools;
use morta_lab::memory_server::openclaw::OpenClawTools;
use morta_lab::memory_server::owm::OwmTools;
use morta_lab::memory_server::serve;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of `morta memory owm serve`.
#[derive(clap::Args)]
pub struct OwmArgs {
    /// The folder of the store; made by the first trade if it isn't there.
    store: PathBuf,
}

/// The flags of `morta memory dark-pawns serve`.
#[derive(clap::Args)]
pub struct DarkPawnsArgs {
    /// Folder of memories, with a folder for each agent, as dream writes it.
    #[arg(default_value = "data/dreaming")]
    dreaming: PathBuf,
}

/// The flags of `morta memory openclaw serve`.
#[derive(clap::Args)]
pub struct OpenClawArgs {
    /// The workspace, with its memory/ folder.
    #[arg(default_value = ".")]
    workspace: PathBuf,
    /// openclaw.json, or its dreaming block alone.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Serves outcome-weighted memory.
pub fn owm(args: OwmArgs) -> anyhow::Result<ExitCode> {
    serve(OwmTools::new(args.store))?;
    Ok(ExitCode::SUCCESS)
}

/// Serves what agents are told at login.
pub fn dark_pawns(args: DarkPawnsArgs) -> anyhow::Result<ExitCode> {
    serve(DarkPawnsTools::new(args.dreaming))?;
    Ok(ExitCode::SUCCESS)
}

/// Serves a workspace.
pub fn openclaw(args: OpenClawArgs) -> anyhow::Result<ExitCode> {
    serve(OpenClawTools::new(args.workspace, args.config)?)?;
    Ok(ExitCode::SUCCESS)
}
