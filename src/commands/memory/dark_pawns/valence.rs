//! `morta memory dark-pawns valence`: how every turn feels, and its events.

use super::lines::{Notes, Place, turns};
use super::rules::RuleFlags;
use crate::output;
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{Event, EventKind, Extractor, Valence};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// The output format, for `--help`.
pub const HELP: &str = r#"One object a turn is printed, in the order of the log:
  valence  of the whole turn, -3 to 3; of speech it hears only say_line
  events   list of {kind, target_entity, target_room, target_room_name, item_name, valence,
           narrative}, with --agent also agent_id; kind is movement, combat, social, acquisition,
           damage or death; what doesn't apply is empty or 0
Lines that are no turns are skipped, named on standard error and counted there. The format of logs:
morta memory dark-pawns --help"#;

/// The flags of the command.
#[derive(clap::Args)]
pub struct Args {
    /// The session log; - reads standard input.
    #[arg(value_name = "FILE.jsonl")]
    file: PathBuf,

    /// Whose log it is; its events then say so.
    #[arg(long, value_name = "ID")]
    agent: Option<String>,

    #[command(flatten)]
    rules: RuleFlags,
}

#[derive(Serialize)]
struct Felt<'a> {
    valence: Valence,
    events: Vec<FeltEvent<'a>>,
}

#[derive(Serialize)]
struct FeltEvent<'a> {
    kind: EventKind,
    target_entity: &'a str,
    target_room: i64,
    target_room_name: &'a str,
    item_name: &'a str,
    valence: Valence,
    narrative: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<&'a str>,
}

/// Runs the command.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let rules = args.rules.read()?;
    let mut extractor = Extractor::default();
    let mut notes = Notes::default();
    let agent = args.agent.as_deref();
    turns(&args.file, Place::default(), &mut notes, |_, entry, _, _| {
        let found = extractor.extract(agent.unwrap_or(""), &entry, &rules);
        let events = found.iter().map(|event| FeltEvent::of(event, agent)).collect();
        output::line(serde_json::to_string(&Felt { valence: of_entry(&entry, &rules), events })?)
    })?;
    notes.close();
    Ok(ExitCode::SUCCESS)
}

impl<'a> FeltEvent<'a> {
    fn of(event: &'a Event, agent_id: Option<&'a str>) -> Self {
        Self {
            kind: event.kind,
            target_entity: &event.target_entity,
            target_room: event.target_room,
            target_room_name: &event.target_room_name,
            item_name: &event.item_name,
            valence: event.valence,
            narrative: &event.narrative,
            agent_id,
        }
    }
}
