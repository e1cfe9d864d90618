//! `morta-memory dark-pawns notes`: an agent's strongest memories, and warnings. They are a top-k retrieval by
//! salience, 0 to 1, for a prompt (by default 15 memories). Their number is limited, because a prompt is, and what is said to a model
//! would otherwise be mostly weak memories.

use morta_tools::dark_pawns::notes::{Notes, USUAL, notes as notes_of};
use std::path::PathBuf;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Who logs in.
    #[arg(long, value_name = "ID")]
    agent: String,
    /// Folder of memories, with a folder for each agent, as dream writes it.
    #[arg(long, value_name = "DREAMING", default_value = "data/dreaming")]
    dreaming: PathBuf,
    /// Most notes.
    #[arg(long, value_name = "N", default_value_t = USUAL)]
    limit: usize,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

/// Runs the subcommand: retrieves the strongest memories and the warnings (top-k retrieval).
pub(super) fn notes(args: &Args) -> morta_lab::Result<Notes> {
    notes_of(&args.agent, &args.dreaming, args.limit)
}
