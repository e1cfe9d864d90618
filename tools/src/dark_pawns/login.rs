//! The message to an agent at login: the summary of its last dream. It is a JSON message for an agent's
//! system prompt; an agent without a dream gets none. It only reads a file, because a login must not wait for a
//! dream. `dark-pawns login` prints it, and a tool of the MCP server returns it.

use super::dream::check_agent;
use super::store::SUMMARY;
use crate::limits::log_text;
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::SummaryMessage;
use std::io::ErrorKind;
use std::path::Path;

/// Reads the login message of an agent, a context for its system prompt; none if it has no summary, or an empty one.
///
/// # Errors
/// [`Error::Invalid`] when the agent's name can't be a folder's name, or its summary exists and can't be read.
pub fn login(agent: &str, dreaming: &Path) -> Result<Option<SummaryMessage>> {
    check_agent(agent)?;
    let path = dreaming.join(agent).join(SUMMARY);
    match log_text(&path) {
        Ok(summary) => Ok(SummaryMessage::of(&summary)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::at(path, format!("can't be read: {error}"))),
    }
}
