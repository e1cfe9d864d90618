//! `morta memory dark-pawns record`: a log as a client would have recorded it, with valences or without.

use super::lines::{Notes, Place, turns};
use super::rules::RuleFlags;
use crate::output;
use clap::ArgAction;
use morta_memories::dark_pawns::Valence;
use morta_memories::dark_pawns::valence::of_entry;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The session log; - reads standard input.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,

    /// Whether valence is recorded; without, every turn carries 0. Dreaming computes its own either way.
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = true)]
    valence: bool,

    #[command(flatten)]
    rules: RuleFlags,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let mut notes = Notes::default();
    turns(&args.file, Place::default(), &mut notes, |_, entry, text, _| {
        let valence = if args.valence { of_entry(&entry, &rules) } else { Valence::NEUTRAL };
        let mut object: Map<String, Value> = serde_json::from_slice(text)?;
        object.insert("valence".to_owned(), valence.get().into());
        output::line(serde_json::to_string(&object)?)
    })?;
    notes.close();
    Ok(ExitCode::SUCCESS)
}
