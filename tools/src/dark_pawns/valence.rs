//! Valence and events of every turn of a log. Valence is the emotional value of an event, −3 to +3 (sentiment score). Turns without an event are
//! passed on too, because they have a valence as well.

use super::lines::{LineNotes, Place, turns};
use crate::notes::Notes;
use morta_lab::error::Error;
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{DreamRules, Event, EventKind, Extractor, Valence};
use serde::Serialize;
use std::path::Path;

/// The emotional valence that the rules give a turn, i.e. its sentiment score, with the events of that turn.
#[derive(Serialize)]
pub struct Felt<'a> {
    valence: Valence,
    events: Vec<FeltEvent<'a>>,
}

/// One event of a turn.
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

/// Passes the valence of every turn to `tell`, in the order of the log (sentiment annotation). `agent`, if given,
/// is added to the events.
///
/// # Errors
/// When the log can't be read; the first error of `tell`.
pub fn valences<E: From<Error>>(
    log: &Path,
    agent: Option<&str>,
    rules: &DreamRules,
    notes: Notes<'_>,
    mut tell: impl FnMut(&Felt<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut extractor = Extractor::default();
    let mut notes = LineNotes::new(notes);
    turns(log, Place::default(), &mut notes, |_, entry, _, _| {
        let found = extractor.extract(agent.unwrap_or(""), &entry, rules);
        let events = found.iter().map(|event| FeltEvent::of(event, agent)).collect();
        tell(&Felt { valence: of_entry(&entry, rules), events })
    })?;
    notes.close();
    Ok(())
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
