//! `morta-memory dark-pawns salience`: the decay of salience, dream by dream. It prints forgetting curves: mean salience, 0 to 1, after
//! each dream. It shows what rules of forgetting do before they are used, because a forgotten memory is gone. `Args` has the CLI options
//! for memory decay curves.

use super::super::note;
use super::rules::RuleFlags;
use morta_console::output::Printable as _;
use morta_tools::dark_pawns::salience::salience;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is printed, for `--help`.
pub(super) const HELP: &str = r#"Reads SESSIONS/ID/*.jsonl in the order of their names, dreams after each, and writes nothing.
Events are sorted by the strength of their feeling, 0 to 3. For each number of dreams since:
  salience    mean of all events that old; what is forgotten counts 0
  remembered  share of them that is still there
The half-life is that of the exponential through the salience (least squares of its logarithm).
By the usual rules every feeling fades alike; first_salience = "felt" and fading = "by-feeling" in
RULES.toml are those of the original's server, where strong feelings fade at three quarters of the
rate."#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Whose logs to dream over.
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Folder of session logs, with a folder for each agent.
    #[arg(long, value_name = "SESSIONS", default_value = "data/sessions")]
    sessions: PathBuf,

    /// Print one JSON object, with every dream, instead of text.
    // Instead, not besides: a program can't parse an object with text around it.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the subcommand: prints the forgetting curves of an agent.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    salience(&args.agent, &args.sessions, &args.rules.read()?, &mut note)?.print(args.json)
}
