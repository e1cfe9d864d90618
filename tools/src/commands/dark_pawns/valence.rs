//! `morta-memory dark-pawns valence`: valence and events of every turn. It is sentiment annotation by rules: valence from −3 to +3. It
//! writes nothing, so that rules can be compared on one log. `Args` has the CLI options for sentiment analysis.

use super::super::note;
use super::rules::RuleFlags;
use morta_console::output;
use morta_tools::dark_pawns::valence::valences;
use std::path::PathBuf;
use std::process::ExitCode;

/// The output format, for `--help`.
pub(super) const HELP: &str = r#"One object a turn is printed, in the order of the log:
  valence  of the whole turn, -3 to 3; of speech it hears only say_line
  events   list of {kind, target_entity, target_room, target_room_name, item_name, valence,
           narrative}, with --agent also agent_id; kind is movement, combat, social, acquisition,
           damage or death; what doesn't apply is empty or 0
Lines that are no turns are skipped, named on standard error and counted there. The format of logs:
morta-memory dark-pawns --help"#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The session log; - reads standard input.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,

    /// Whose log it is; its events then say so.
    #[arg(long, value_name = "ID")]
    agent: Option<String>,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the subcommand: emotional valence of every turn (sentiment annotation).
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    valences(&args.file, args.agent.as_deref(), &rules, &mut note, |felt| {
        output::line(serde_json::to_string(felt)?)
    })?;
    Ok(ExitCode::SUCCESS)
}
