//! `morta-memory dark-pawns session`: recording of a running session. It reads JSON Lines from standard input and appends them to an
//! append-only log (session recorder), until the end of the input or a duration (`30m`; a bare number is seconds). It reads a stream, so
//! that it works with any client that can print. `Args` has the CLI options for session recording from stdin.

use super::super::note;
use super::rules::RuleFlags;
use clap::ArgAction;
use jiff::SignedDuration;
use morta_console::output;
use morta_tools::dark_pawns::session::{Recorded, SessionRequest, record_session};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What is read and written, for `--help`.
pub(super) const HELP: &str = r#"Reads one turn a line on standard input (the format: morta-memory dark-pawns --help) and writes each
at once into SESSIONS/ID/YYYY-MM-DD-HHMMSS.jsonl, named by the moment of the first turn (UTC), with
its valence: a kill loses no turn that was written, and at most the 64 lines that wait for the disk. A
turn without a timestamp is of the moment at which it came. Lines that are no turns are named on
standard error and left out. With --valence=false every turn carries 0; dreaming computes its own
either way.

  my-agent | morta-memory dark-pawns session --agent ada --duration 30m"#;

/// The flags of the command.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Whose session it is.
    #[arg(long, value_name = "ID")]
    agent: String,

    /// Folder of session logs, with a folder for each agent.
    #[arg(long, value_name = "SESSIONS", default_value = "data/sessions")]
    sessions: PathBuf,

    /// Whether valence is recorded; without, every turn carries 0.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true, num_args = 0..=1,
        default_missing_value = "true", require_equals = false)]
    valence: bool,

    /// Close the log after so long, as 90s, 30m or 1h30m; at the end of the stream when left out.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,

    #[command(flatten)]
    rules: RuleFlags,
}

fn duration(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse::<u32>().map(|seconds| SignedDuration::from_secs(seconds.into())).ok();
    let duration =
        seconds.or_else(|| text.parse().ok()).and_then(|duration| Duration::try_from(duration).ok());
    duration.filter(|duration| !duration.is_zero()).ok_or("must be a time above 0, as 90s, 30m or 1h30m")
}

/// Runs the subcommand: records a session from standard input.
pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let request = SessionRequest {
        agent: &args.agent,
        sessions: &args.sessions,
        rules: args.valence.then_some(&rules),
        duration: args.duration,
    };
    let Recorded { log, turns, skipped } =
        record_session(&request, BufReader::new(std::io::stdin()), &mut note)?;
    match log {
        Some(log) => output::line(format!("{}: {turns} turns, {skipped} lines skipped", log.display()))?,
        None => output::line(format!("no turns, {skipped} lines skipped: nothing is written"))?,
    }
    Ok(ExitCode::SUCCESS)
}
