//! `morta-memory dark-pawns login`: the JSON message from a server to an agent at login. The summary is context for a system prompt: the
//! text that the last dream wrote, not made anew from the graph as `summary` does. It is printed as the server sends it, so that a server
//! can pass it on. `Args` has the CLI arguments with the agent id of a login message.

use super::super::note;
use morta_console::output;
use morta_tools::dark_pawns::login::login;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Who logs in.
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Folder of memories, with a folder for each agent, as dream writes it.
    #[arg(long, value_name = "DREAMING", default_value = "data/dreaming")]
    dreaming: PathBuf,
}

/// Prints the message {"type": "memory_summary", "summary"}; nothing where the agent has no summary, or an empty one.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match login(&args.agent, &args.dreaming)? {
        Some(message) => output::line(serde_json::to_string(&message)?)?,
        None => note(&format!("{}: {} has no summary: nothing is sent", args.dreaming.display(), args.agent)),
    }
    Ok(ExitCode::SUCCESS)
}
