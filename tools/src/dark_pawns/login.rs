//! What an agent is told at login: the summary of its last dream.

use super::dream::check_agent;
use super::store::SUMMARY;
use crate::limits::log_text;
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::SummaryMessage;
use std::io::ErrorKind;
use std::path::Path;

/// The message for an agent whose memory lies in a folder of memories; none when there is nothing to say.
///
/// # Errors
/// [`Error::Invalid`] when the agent's name can't be that of a folder, or its summary is there and can't be read.
pub fn login(agent: &str, dreaming: &Path) -> Result<Option<SummaryMessage>> {
    check_agent(agent)?;
    let path = dreaming.join(agent).join(SUMMARY);
    match log_text(&path) {
        Ok(summary) => Ok(SummaryMessage::of(&summary)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::invalid(format!("{}: can't be read: {error}", path.display()))),
    }
}
