//! The flags that all of the commands have.

use morta_memories::openclaw::time::Instant;
use morta_tools::openclaw::Surroundings;
use std::path::PathBuf;

/// Flags that all of the commands have.
#[derive(clap::Args, Clone)]
pub struct RoomArgs {
    /// The recall store; - reads standard input. When left out, that of the workspace one is in.
    #[arg(default_value = "memory/.dreams/short-term-recall.json")]
    pub store: PathBuf,
    /// When it is: an ISO 8601 instant. The latest instant of the store when left out.
    #[arg(long, value_name = "INSTANT")]
    now: Option<Instant>,
    /// openclaw.json, or its dreaming block alone. Values that can't be are replaced by their defaults, and named.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The workspace, with its daily notes; the folder above memory/.dreams, or the store's own, when left out.
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

impl RoomArgs {
    /// What they say of the store and what is around it.
    pub fn surroundings(&self) -> Surroundings {
        let Self { store, now, config, workspace, json: _ } = self.clone();
        Surroundings { store, now, config, workspace }
    }
}

/// Reads a number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}
