//! `morta-memory dark-pawns summary`: the text that a memory graph gives a mind to read. The text is a memory summary for a prompt, made
//! anew from a graph file without a dream, at most 500 tokens of four bytes by default. It reads a graph of the original too, because the
//! file format is the same. Nothing is written. `Args` has the CLI options with a token budget (token limit).

use super::rules::RuleFlags;
use morta_console::output;
use morta_memories::dark_pawns::{SummaryMessage, login_summary};
use morta_tools::dark_pawns::store::Stored;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The memory graph, as dream writes it; - reads standard input.
    #[arg(value_name = "GRAPH.json")]
    graph: PathBuf,

    /// Length in tokens of four bytes, 500 when left out; the newest sessions come first into it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    max_tokens: Option<u32>,

    /// Print the message {"type": "memory_summary", "summary"} of a login; nothing when there is nothing to say.
    #[arg(long)]
    message: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the subcommand: prints the summary of a memory graph, for a prompt with a token budget.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let stored = Stored::read(&args.graph)?;
    let summary = login_summary(&stored.graph, &rules, args.max_tokens.unwrap_or(rules.summary_tokens));
    if !args.message {
        output::text(&summary)?;
    } else if let Some(message) = SummaryMessage::of(&summary) {
        output::line(serde_json::to_string(&message)?)?;
    }
    Ok(ExitCode::SUCCESS)
}
