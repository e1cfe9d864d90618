//! `morta-memory dark-pawns record`: a log as a client would have recorded it, with or without valences. It is log annotation (sentiment
//! annotation) of a session log: each turn gets an emotional valence from −3 to +3. A log without valences is the control arm of the
//! original's experiment. The log itself is only read; the annotated one goes to standard output. `Args` has the CLI arguments for a
//! labelled log.

use super::super::note;
use super::rules::RuleFlags;
use clap::ArgAction;
use morta_console::output;
use morta_tools::dark_pawns::record::recorded;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The session log; - reads standard input.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,

    /// Whether valence is recorded; without, every turn carries 0. Dreaming computes its own either way.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true)]
    valence: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the subcommand: a log with valences (sentiment annotation).
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let rules = args.valence.then_some(&rules);
    recorded(&args.file, rules, &mut note, |turn| output::line(serde_json::to_string(turn)?))?;
    Ok(ExitCode::SUCCESS)
}
