//! `morta-memory dark-pawns dream`: one dream over an agent's session logs, or with `--nightly` one after each log. It is offline memory
//! consolidation: new events become nodes of a memory graph, weak ones are forgotten, a summary is written. Only lines that no earlier
//! dream has read count, unless `--reread` is given. With a dry run nothing is written, so that rules can be tried. `Args` has the CLI
//! arguments for offline consolidation of a session log.

use super::super::note;
use super::rules::RuleFlags;
use morta_console::output;
use morta_memories::dark_pawns::DreamResult;
use morta_tools::dark_pawns::dream::{DreamRequest, dream};
use std::path::PathBuf;
use std::process::ExitCode;

/// What is read and written, for `--help`.
pub(super) const HELP: &str = r#"Reads SESSIONS/ID/*.jsonl in the order of their names, each line once: what was read is kept in
the graph's file. --reread reads everything again, which reinforces it. The format of logs:
morta-memory dark-pawns --help

Writes in DREAMING/ID, each file whole or not at all:
  memory-graph.json   {nodes: {id: {id, kind, label, salience, valence, created_at, updated_at,
                      visit_count, mean_valence}}, edges: [{from, to, kind, weight, created_at}],
                      progress: how far each log was read}
  memory-summary.txt  the narrative summary
  dream-result.json   {agent_id, session_files_processed, events_extracted,
                      nodes_before_consolidation (once the events are in),
                      nodes_after_consolidation, nodes_pruned, summary_tokens_estimated,
                      lines_malformed, turns_out_of_order, events_repeated}
A dry run counts the same and writes nothing. Old logs are best dreamt over with --nightly: over all
of them at once, nothing has faded. Figures are then those of all dreams together."#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Whose logs to dream over.
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Folder of session logs, with a folder for each agent.
    #[arg(long, value_name = "SESSIONS", default_value = "data/sessions")]
    sessions: PathBuf,

    /// Folder of memories, with a folder for each agent.
    #[arg(long, value_name = "DREAMING", default_value = "data/dreaming")]
    output: PathBuf,

    /// Say what the dream would come to, and write nothing.
    #[arg(long)]
    dry_run: bool,

    /// Read logs again that were read before.
    #[arg(long)]
    reread: bool,

    /// Dream after each log, as if that had been done every night, instead of once over all of them.
    // The two differ, because decay and pruning come once a dream.
    #[arg(long)]
    nightly: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the subcommand: consolidates session logs, or makes a dry run of it.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let Args { agent, sessions, output, dry_run, reread, nightly, rules: _ } = &args;
    let request =
        DreamRequest { agent, sessions, output, dry_run: *dry_run, reread: *reread, nightly: *nightly };
    let result = dream(&request, &rules, &mut note)?;
    if args.dry_run {
        note("a dry run: nothing is written");
    }
    block(&result)
}

fn block(result: &DreamResult) -> anyhow::Result<ExitCode> {
    output::line("Dream complete:")?;
    output::line(format!("  {:<18}{}", "Agent:", result.agent_id))?;
    for (name, figure) in [
        ("Sessions read:", result.session_files_processed),
        ("Events extracted:", result.events_extracted),
        ("Nodes before:", result.nodes_before_consolidation),
        ("Nodes after:", result.nodes_after_consolidation),
        ("Pruned:", result.nodes_pruned),
        ("Summary tokens:", result.summary_tokens_estimated),
    ] {
        output::line(format!("  {name:<18}{figure}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
