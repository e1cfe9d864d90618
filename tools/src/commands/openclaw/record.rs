//! `morta-memory openclaw record`: a log of searches becomes recalls in a store. It is ingestion of a search log (JSON Lines) into a recall
//! store. It exists so that the searches of any program can become recalls. Only results from daily notes count, with scores from 0 to 1. A
//! log that is given twice counts twice; one without any usable search is an error, and the store stays as it is. `Args` has the CLI
//! options for search log ingestion.
//!
//! A line is a JSON object with `at` (or `timestamp`, a moment as text), `query` and `results`, a list of objects with `path`, `startLine`,
//! `endLine` and `score`; `snippet`, `source`, `tags` and an `id` are optional. The whole form is `Search` in `morta_tools::openclaw::record`,
//! which also reads OpenClaw's own `events.jsonl`. Within a log an `id` counts once, and lines of a log other than OpenClaw's must be in the
//! order of time. Unusable lines are skipped, each with a note and an entry in the report.

use super::super::note;
use morta_tools::openclaw::record::RecordReport;
use std::path::PathBuf;

/// The flags of `morta-memory openclaw record`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The recall store; it is made when it isn't there.
    store: PathBuf,
    /// The searches, one a line; - reads standard input.
    searches: PathBuf,
    /// openclaw.json, or its dreaming block alone: days are counted in its time zone. That of the workspace when left out.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    pub json: bool,
}

/// Takes a search log into a recall store (log ingestion).
pub(super) fn record(args: &Args) -> morta_lab::Result<RecordReport> {
    RecordReport::from_log(&args.store, &args.searches, args.config.as_deref(), &mut note)
}
