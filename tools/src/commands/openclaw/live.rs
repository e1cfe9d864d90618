//! `morta-memory openclaw live`: a log of searches lived through, with every phase when it is due.

use super::super::note;
use clap::ValueEnum;
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use morta_tools::openclaw::live::{Life, Request, live as live_through};
use std::path::PathBuf;

/// The flags of `morta-memory openclaw live`.
#[derive(clap::Args)]
pub struct Args {
    /// The workspaces, each with its memory/ folder; their stores and notes and MEMORY.md are written.
    #[arg(required = true, value_name = "WORKSPACE")]
    workspaces: Vec<PathBuf>,
    /// The searches, one a line; - reads standard input. With several workspaces, "workspace" names whose a search is.
    #[arg(long, value_name = "LOG.jsonl")]
    searches: PathBuf,
    /// The last moment that is lived: an ISO 8601 instant. Life begins with the first search.
    #[arg(long, value_name = "INSTANT")]
    until: Instant,
    /// openclaw.json, or its dreaming block alone: schedules, time zone, thresholds.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A phase that never runs; may be given again.
    #[arg(long, value_name = "PHASE", value_enum)]
    ablate: Vec<Ablated>,
    /// Print one JSON object instead of a line a run.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ablated {
    /// Light sleep.
    Light,
    /// REM sleep.
    Rem,
    /// Deep sleep.
    Deep,
}

/// Lives.
pub fn live(args: &Args) -> morta_lab::Result<Life> {
    let phase = |ablated: &Ablated| match ablated {
        Ablated::Light => Phase::Light,
        Ablated::Rem => Phase::Rem,
        Ablated::Deep => Phase::Deep,
    };
    let request = Request {
        workspaces: args.workspaces.clone(),
        searches: args.searches.clone(),
        until: args.until,
        config: args.config.clone(),
        ablated: args.ablate.iter().map(phase).collect(),
    };
    live_through(&request, &mut note)
}
