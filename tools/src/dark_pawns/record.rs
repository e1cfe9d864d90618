//! A log as a client would have recorded it, with valences or without. It is log annotation; valence is −3 to +3. Both
//! forms exist, so that an experiment can withhold feelings from one arm.

use super::lines::{LineNotes, Place, turns};
use crate::notes::Notes;
use morta_lab::error::Error;
use morta_memories::dark_pawns::valence::of_entry;
use morta_memories::dark_pawns::{DreamRules, SessionEntry, Valence};
use serde_json::{Map, Value};
use std::path::Path;

/// Passes every turn of a log to `tell`, as an object with its valence by these rules; without rules every valence is 0 (log annotation).
///
/// # Errors
/// When the log can't be read; the first error of `tell`.
pub fn recorded<E: From<Error>>(
    log: &Path,
    rules: Option<&DreamRules>,
    notes: Notes<'_>,
    mut tell: impl FnMut(&Map<String, Value>) -> Result<(), E>,
) -> Result<(), E> {
    let mut notes = LineNotes::new(notes);
    turns(log, Place::default(), &mut notes, |_, entry, text, _| {
        let valence = rules.map_or(Valence::NEUTRAL, |rules| of_entry(&entry, rules));
        let mut object: Map<String, Value> =
            serde_json::from_str(&SessionEntry::line_text(text)).map_err(Error::from)?;
        object.insert("valence".to_owned(), valence.get().into());
        tell(&object)
    })?;
    notes.close();
    Ok(())
}
