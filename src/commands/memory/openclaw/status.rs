//! `morta memory openclaw status`: how the memory stands, and when it next sleeps.

use super::super::note;
use super::room::RoomArgs;
use morta_lab::memory_tools::openclaw::status::Report;
use std::path::PathBuf;

/// The flags of `morta memory openclaw status`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub room: RoomArgs,
    /// Long-term memory, for its health; MEMORY.md of the workspace when left out.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

/// How it stands.
pub fn status(args: &Args) -> morta_lab::Result<Report> {
    Report::of(&args.room.surroundings(), args.memory.as_deref(), &mut note)
}
